package io.millrace.engine.history;

import io.millrace.spi.LeasedTask;
import io.millrace.spi.WorkerProtocol.Report;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A worker that does everything a worker can do wrong. */
final class WorkerModel {
    final UUID id;
    /** What it believes to hold, and may report. */
    final List<LeasedTask> held = new ArrayList<>();
    /** What it was handed but never saw: the answer to its claim was lost. */
    final List<UUID> unseen = new ArrayList<>();

    final List<Report> sent = new ArrayList<>();
    Instant lastSeen;
    boolean left;
    /** It neither pings nor does anything else for a while, or for ever. */
    boolean silent;

    WorkerModel(UUID id, Instant now) {
        this.id = id;
        this.lastSeen = now;
    }

    boolean isExpired(Instant now, Duration expiry) {
        return Duration.between(lastSeen, now).compareTo(expiry) >= 0;
    }

    /** A call of its own shows that it lives, unless it was taken for dead before. */
    void seen(Instant now, Duration expiry) {
        if (!left && !isExpired(now, expiry)) {
            lastSeen = now;
        }
    }
}
