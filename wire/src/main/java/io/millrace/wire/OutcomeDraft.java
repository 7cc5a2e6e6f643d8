package io.millrace.wire;

import io.millrace.Limits;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.spi.Ending;
import io.millrace.spi.Lease;
import io.millrace.spi.WorkerProtocol.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One outcome while it is read. A field that does not belong to the outcome is refused: it would be lost unnoticed. */
final class OutcomeDraft implements JsonIn.FieldReader {
    private static final List<String> FIELDS =
            List.of("task", "lease", "outcome", "result", "resultBase64", "error", "stop", "delay", "ran", "outputs");

    /** In place of one that was refused, while the rest is looked at. */
    private static final OutcomeForm.Outcome BAD =
            new OutcomeForm.Outcome(new Report(LeaseText.NOBODYS, Ending.Succeeded.PLAIN), List.of());

    private final JsonIn in;
    private final UUID worker;
    private final int payloadLimit;
    private @Nullable UUID task;
    private @Nullable String lease;
    private @Nullable Outcome outcome;
    private @Nullable Payload result;
    private @Nullable String error;
    private boolean stop;
    private @Nullable Duration delay;
    private @Nullable Duration ran;
    private final List<Payload> outputs = new ArrayList<>();

    OutcomeDraft(JsonIn in, UUID worker, int payloadLimit) {
        this.in = in;
        this.worker = worker;
        this.payloadLimit = payloadLimit;
    }

    OutcomeForm.Outcome read() {
        in.object(FIELDS, this);
        in.require("task", task);
        in.require("lease", lease);
        in.require("outcome", outcome);
        if (task == null || lease == null || outcome == null) {
            return BAD;
        }
        Lease held = LeaseText.parse(task, worker, lease);
        return new OutcomeForm.Outcome(new Report(held, ending(outcome), ran), outputs);
    }

    @Override
    public void read(String name) {
        switch (name) {
            case "task" -> task = in.uuid();
            case "lease" -> lease = in.checkedHere(() -> Limits.atMost(name, in.string(), LeaseText.LONGEST));
            case "outcome" -> outcome = outcome();
            case "result" -> result = oneResult(in.json(payloadLimit));
            case "resultBase64" -> result = oneResult(in.base64(payloadLimit));
            case "error" -> error = in.string();
            case "stop" -> stop = in.bool();
            case "delay" -> delay = in.checkedHere(() -> Limits.notNegative(name, in.duration()));
            case "ran" -> ran = ran();
            case "outputs" -> in.array(Limits.BATCH, () -> outputs.add(in.json(payloadLimit)));
            default -> throw new IllegalStateException(name);
        }
    }

    private Outcome outcome() {
        Outcome read = in.choice(Names.OUTCOME);
        if (read == Outcome.LOST) {
            throw in.wrong("no worker can say that it is lost");
        }
        return read;
    }

    /** To the nanosecond, unlike what the stores keep. */
    private Duration ran() {
        Duration read = in.duration();
        if (read.isNegative() || read.compareTo(Limits.LONGEST) > 0) {
            throw in.wrong("it must be between 0 and " + Limits.LONGEST.toDays() + " days");
        }
        return read;
    }

    private Payload oneResult(Payload read) {
        if (result != null) {
            throw in.wrong("result and resultBase64 exclude each other");
        }
        return read;
    }

    private Ending ending(Outcome of) {
        only(result != null, "result", of == Outcome.SUCCEEDED);
        only(!outputs.isEmpty(), "outputs", of == Outcome.SUCCEEDED);
        only(error != null, "error", of == Outcome.FAILED || of == Outcome.TIMED_OUT);
        only(stop, "stop", of == Outcome.FAILED);
        only(delay != null, "delay", of == Outcome.SNOOZED);
        return switch (of) {
            case SUCCEEDED ->
                result == null ? Ending.Succeeded.PLAIN : new Ending.Succeeded(result, List.of(), List.of());
            case FAILED -> new Ending.Failed(error == null ? "the worker gave no error" : error, stop);
            case TIMED_OUT -> new Ending.TimedOut(error == null ? "the worker stopped it in time" : error);
            case SNOOZED -> new Ending.Snoozed(snoozeDelay());
            case RELEASED -> Ending.Released.NOT_STARTED;
            case LOST -> throw new IllegalStateException("refused when it was read");
        };
    }

    private Duration snoozeDelay() {
        if (delay == null) {
            throw in.missing("delay");
        }
        return delay;
    }

    private void only(boolean given, String field, boolean fits) {
        if (given && !fits) {
            in.refuse(WireException.invalid(in.pointer() + "/" + field, "it does not belong to this outcome"));
        }
    }
}
