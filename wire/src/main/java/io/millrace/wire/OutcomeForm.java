package io.millrace.wire;

import io.millrace.Limits;
import io.millrace.Payload;
import io.millrace.TaskState;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.Ending;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.WorkerProtocol.Claim;
import io.millrace.spi.WorkerProtocol.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A worker reports how attempts ended, and learns whether that counted. */
public final class OutcomeForm {
    private static final List<String> REQUEST = List.of("outcomes");
    private static final List<String> ANSWER = List.of("results", "tasks", "command");
    private static final List<String> RESULT = List.of("task", "applied", "repeated", "reason", "state");
    private static final String LEASE_LOST = "leaseLost";
    private static final String STORE_FULL = "storeFull";

    /** @param outputs the payloads for the next step of a pipeline */
    public record Outcome(Report report, List<Payload> outputs) {}

    /** @param claim what was claimed in the same request; null if nothing was asked for */
    public record Answer(
            List<CompletionResult> results, @Nullable Claim claim) {}

    private OutcomeForm() {}

    /**
     * @param worker the one that reports
     * @param payloadLimit the most bytes of a result
     */
    public static List<Outcome> readRequest(byte[] json, UUID worker, int payloadLimit) {
        return JsonIn.request(json, in -> {
            List<Outcome> outcomes = new ArrayList<>();
            boolean[] there = new boolean[1];
            in.object(REQUEST, name -> {
                there[0] = true;
                in.array(Limits.BATCH, () -> outcomes.add(new OutcomeDraft(in, worker, payloadLimit).read()));
            });
            if (!there[0]) {
                throw in.missing("outcomes");
            }
            return outcomes;
        });
    }

    /** @throws IllegalArgumentException for an ending that the HTTP API does not have */
    public static byte[] writeRequest(List<Report> reports) {
        JsonOut out = new JsonOut().startObject().startArray("outcomes");
        reports.forEach(report -> write(report, out));
        return out.endArray().endObject().toBytes();
    }

    private static void write(Report report, JsonOut out) {
        Ending ending = report.ending();
        out.startObject()
                .field("task", report.lease().task())
                .field("lease", LeaseText.of(report.lease()))
                .field("outcome", Names.OUTCOME.of(ending.outcome()))
                .field("error", ending.error());
        if (ending instanceof Ending.Succeeded succeeded) {
            if (!succeeded.spawned().isEmpty() || !succeeded.arrivals().isEmpty()) {
                throw new IllegalArgumentException("a remote worker cannot spawn tasks or arrive at them");
            }
            out.payload("result", "resultBase64", succeeded.result());
        } else if (ending instanceof Ending.Failed failed) {
            out.field("stop", failed.stop());
        } else if (ending instanceof Ending.Snoozed snoozed) {
            out.field("delay", snoozed.delay());
        } else if (ending instanceof Ending.Lost) {
            throw new IllegalArgumentException("no worker reports that it was lost");
        }
        if (report.ran() != null) {
            // exact, where most handlers take less than a millisecond
            out.field("ran", report.ran().toString());
        }
        out.endObject();
    }

    /** @param outcomes those of the request, in the order of the answer's results */
    public static byte[] writeAnswer(List<Outcome> outcomes, Answer answer) {
        JsonOut out = new JsonOut().startObject();
        writeResults(outcomes, answer.results, out);
        if (answer.claim != null) {
            ClaimForm.writeFields(answer.claim, out);
        }
        return out.endObject().toBytes();
    }

    private static void writeResults(List<Outcome> outcomes, List<CompletionResult> results, JsonOut out) {
        out.startArray("results");
        for (int i = 0; i < results.size(); i++) {
            CompletionResult result = results.get(i);
            out.startObject()
                    .field("task", outcomes.get(i).report().lease().task())
                    .field("applied", isApplied(result.status()));
            switch (result.status()) {
                case REPEATED -> out.field("repeated", true);
                case LEASE_LOST -> out.field("reason", LEASE_LOST);
                case STORE_FULL -> out.field("reason", STORE_FULL);
                case APPLIED -> out.field("state", result.state() == null ? null : Names.STATE.of(result.state()));
            }
            out.endObject();
        }
        out.endArray();
    }

    public static Answer readAnswer(byte[] json, UUID worker) {
        return JsonIn.answer(json, in -> {
            List<CompletionResult> results = new ArrayList<>();
            List<LeasedTask> tasks = new ArrayList<>();
            boolean[] stop = new boolean[1];
            boolean[] claimed = new boolean[1];
            in.object(ANSWER, name -> {
                if (name.equals("results")) {
                    in.array(() -> results.add(readResult(in)));
                } else {
                    claimed[0] = true;
                    ClaimForm.readField(name, in, worker, tasks, stop);
                }
            });
            return new Answer(results, claimed[0] ? new Claim(PingForm.standing(stop[0]), tasks) : null);
        });
    }

    private static boolean isApplied(CompletionResult.Status status) {
        return status == CompletionResult.Status.APPLIED || status == CompletionResult.Status.REPEATED;
    }

    private static CompletionResult readResult(JsonIn in) {
        boolean[] flags = new boolean[2];
        String[] reason = new String[1];
        TaskState[] state = new TaskState[1];
        in.object(RESULT, name -> {
            switch (name) {
                case "applied" -> flags[0] = in.bool();
                case "repeated" -> flags[1] = in.bool();
                case "state" -> state[0] = in.choice(Names.STATE);
                case "reason" -> reason[0] = in.string();
                default -> in.string();
            }
        });
        if (!flags[0]) {
            return STORE_FULL.equals(reason[0]) ? CompletionResult.STORE_FULL : CompletionResult.LEASE_LOST;
        }
        return flags[1]
                ? CompletionResult.REPEATED
                : new CompletionResult(CompletionResult.Status.APPLIED, state[0], List.of());
    }
}
