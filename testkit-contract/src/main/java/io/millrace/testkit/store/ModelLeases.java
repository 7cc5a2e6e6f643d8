package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.Heartbeat;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.OverdueLease.Reason;
import io.millrace.spi.Renewal;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Follows heartbeats, and what is taken away from workers. */
record ModelLeases(Model model) {
    void check(Heartbeat heartbeat, Renewal renewal) {
        boolean alive = model.isAlive(heartbeat.worker());
        model.seen(heartbeat.worker(), renewal.worker());
        assertThat(renewal.applied()).hasSameSizeAs(heartbeat.reports());
        for (int i = 0; i < heartbeat.reports().size(); i++) {
            boolean good =
                    alive && report(heartbeat.worker(), heartbeat.reports().get(i));
            assertThat(renewal.applied().get(i)).as("report %d applied", i).isEqualTo(good);
        }
        if (!alive) {
            return;
        }
        for (ModelTask task : model.tasks) {
            if (isHeldBy(heartbeat.worker(), task) && heartbeat.started().contains(task.given.id())) {
                task.running().start(model.now);
            }
        }
        giveUpUnknown(heartbeat);
        Set<UUID> held = new HashSet<>();
        Set<UUID> cancel = new HashSet<>();
        for (ModelTask task : model.tasks) {
            if (isHeldBy(heartbeat.worker(), task)) {
                held.add(task.given.id());
                if (task.running().cancelRequested) {
                    cancel.add(task.given.id());
                }
            }
        }
        Set<UUID> lost = heartbeat.holding() == null ? new HashSet<>() : new HashSet<>(heartbeat.holding());
        lost.removeAll(held);
        assertThat(renewal.lost()).isEqualTo(lost);
        assertThat(renewal.cancel()).isEqualTo(cancel);
    }

    private boolean report(UUID worker, Heartbeat.Report report) {
        ModelTask task = model.find(report.lease().task());
        if (task == null || !isHeldBy(worker, task) || !task.running().lease.equals(report.lease())) {
            return false;
        }
        task.running().start(model.now);
        task.running().percent = report.percent();
        if (report.extend() != null) {
            task.running().until = model.now.plus(report.extend());
        }
        return true;
    }

    private static boolean isHeldBy(UUID worker, ModelTask task) {
        return task.running != null && task.running.lease.worker().equals(worker) && !task.running.givenUp;
    }

    private void giveUpUnknown(Heartbeat heartbeat) {
        Set<UUID> holding = heartbeat.holding();
        if (holding == null) {
            return;
        }
        for (ModelTask task : model.tasks) {
            if (isHeldBy(heartbeat.worker(), task)
                    && !holding.contains(task.given.id())
                    && task.running().leasedAt.plus(heartbeat.grace()).isBefore(model.now)) {
                task.running().givenUp = true;
                task.running().until = task.running().started ? task.running().until : null;
            }
        }
    }

    void check(UUID reaper, int limit, List<OverdueLease> taken) {
        model.heardOf(reaper);
        long overdue = model.tasks.stream()
                .filter(task -> !reasons(task).isEmpty() && !isOpen(task))
                .count();
        assertThat(taken).as("overdue leases").hasSizeBetween((int) Math.min(limit, overdue), limit);
        for (OverdueLease lease : taken) {
            ModelTask task = model.existing(lease.leased().task().id());
            assertThat(lease.reason()).as("reason for %s", task.given).isIn(reasons(task));
            assertThat(lease.leased().lease().worker()).isEqualTo(reaper);
            assertThat(lease.leased().lease().token())
                    .isNotEqualTo(task.running().lease.token());
            task.compareWith(lease.leased().task(), model.now);
            task.running().lease = lease.leased().lease();
            task.leases.add(lease.leased().lease());
            task.running().leasedAt = model.now;
            task.running().reaped = true;
            task.running().givenUp = false;
            task.running().percent = null;
        }
    }

    /** Whether and when a living reaper loses a lease again is left to the store. */
    private boolean isOpen(ModelTask task) {
        return task.running != null && task.running.reaped && model.isAlive(task.running.lease.worker());
    }

    private Set<Reason> reasons(ModelTask task) {
        if (task.running == null) {
            return Set.of();
        }
        if (task.running.reaped) {
            return EnumSet.allOf(Reason.class);
        }
        Set<Reason> reasons = EnumSet.noneOf(Reason.class);
        UUID holder = task.running.worker;
        if (task.running.givenUp || model.hasLeft(holder)) {
            reasons.add(task.running.until == null ? Reason.NOT_STARTED : Reason.GIVEN_UP);
        }
        if (!model.isAlive(holder) && !model.hasLeft(holder)) {
            reasons.add(Reason.WORKER_LOST);
        } else if (task.running.until != null
                && task.running.until.isBefore(model.now)
                && model.wasHeardOfSince(holder, task.running.until)) {
            reasons.add(Reason.TIME_EXCEEDED);
        }
        return reasons;
    }
}
