package io.millrace.wire;

import io.millrace.Limits;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.WorkerProtocol.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** A worker asks for tasks, and gets some. */
public final class ClaimForm {
    private static final List<String> REQUEST = List.of("topics", "max", "wait");
    private static final List<String> ANSWER = List.of("tasks", "command");

    /**
     * @param topics empty for those of the registration
     * @param max how many at most
     * @param patience how long to wait for the first
     */
    public record Request(Set<String> topics, int max, Duration patience) {}

    private ClaimForm() {}

    /** An empty body asks for one task, at once. */
    public static Request readRequest(byte[] json) {
        if (json.length == 0) {
            return new Request(Set.of(), 1, Duration.ZERO);
        }
        return JsonIn.request(json, in -> {
            Set<String> topics = new LinkedHashSet<>();
            int[] max = {1};
            Duration[] wait = {Duration.ZERO};
            in.object(REQUEST, name -> {
                switch (name) {
                    case "topics" -> RegistrationForm.readTopics(in, topics);
                    case "max" -> max[0] = in.integer(1, Limits.CLAIM);
                    default -> wait[0] = in.checkedHere(() -> Limits.notNegative(name, in.duration()));
                }
            });
            return new Request(topics, max[0], wait[0]);
        });
    }

    public static byte[] writeRequest(Request request) {
        JsonOut out = new JsonOut().startObject();
        if (!request.topics.isEmpty()) {
            out.texts("topics", request.topics);
        }
        return out.field("max", request.max)
                .field("wait", request.patience)
                .endObject()
                .toBytes();
    }

    public static byte[] writeAnswer(Claim claim) {
        JsonOut out = new JsonOut().startObject();
        writeFields(claim, out);
        return out.endObject().toBytes();
    }

    static void writeFields(Claim claim, JsonOut out) {
        out.startArray("tasks");
        claim.tasks().forEach(leased -> LeasedTaskForm.write(leased, out));
        out.endArray().field("command", PingForm.command(claim.worker()));
    }

    /** @param worker the one that asked */
    public static Claim readAnswer(byte[] json, UUID worker) {
        return JsonIn.answer(json, in -> {
            List<LeasedTask> tasks = new ArrayList<>();
            boolean[] stop = new boolean[1];
            in.object(ANSWER, name -> readField(name, in, worker, tasks, stop));
            return new Claim(PingForm.standing(stop[0]), tasks);
        });
    }

    static void readField(String name, JsonIn in, UUID worker, List<LeasedTask> tasks, boolean[] stop) {
        if (name.equals("tasks")) {
            in.array(() -> tasks.add(LeasedTaskForm.read(in, worker)));
        } else {
            stop[0] = in.string().equals(PingForm.STOP);
        }
    }
}
