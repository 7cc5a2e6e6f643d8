package io.millrace.wire;

import io.millrace.ClaimOrder;
import io.millrace.InvalidValueException;
import io.millrace.Limits;
import io.millrace.spi.ClaimRequest.TimeFrom;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.WorkerProtocol.Claim;
import io.millrace.spi.WorkerProtocol.Wanted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** A worker asks for tasks, and gets some. */
public final class ClaimForm {
    private static final List<String> REQUEST = List.of("topics", "max", "wait", "timeFrom", "order");
    private static final List<String> ANSWER = List.of("tasks", "command");

    private ClaimForm() {}

    /** An empty body asks for one task, at once. */
    public static Wanted readRequest(byte[] json) {
        Draft draft = new Draft();
        if (json.length > 0) {
            var unused = JsonIn.request(json, in -> {
                in.object(REQUEST, name -> draft.read(name, in));
                return draft;
            });
        }
        return new Wanted(draft.topics, draft.max, draft.patience, draft.timeFrom, draft.order);
    }

    private static final class Draft {
        private final Set<String> topics = new LinkedHashSet<>();
        private int max = 1;
        private Duration patience = Duration.ZERO;
        private TimeFrom timeFrom = TimeFrom.CLAIM;
        private ClaimOrder order = ClaimOrder.SHARE;

        void read(String name, JsonIn in) {
            switch (name) {
                case "topics" -> RegistrationForm.readTopics(in, topics);
                case "max" -> max = in.integer(1, Limits.CLAIM);
                case "timeFrom" -> timeFrom = in.choice(Names.TIME_FROM);
                case "order" -> order = in.choice(Names.CLAIM_ORDER);
                default -> patience = in.checkedHere(() -> Limits.notNegative(name, in.duration()));
            }
        }
    }

    public static byte[] writeRequest(Wanted wanted) {
        JsonOut out = new JsonOut().startObject();
        if (!wanted.topics().isEmpty()) {
            out.texts("topics", wanted.topics());
        }
        return out.field("max", wanted.max())
                .field("wait", wanted.patience())
                .field("timeFrom", Names.TIME_FROM.of(wanted.timeFrom()))
                .field("order", Names.CLAIM_ORDER.of(wanted.order()))
                .endObject()
                .toBytes();
    }

    /** What a query parameter says of it: {@code timeFrom=start}. */
    public static TimeFrom timeFrom(String text) {
        return parsed("timeFrom", text, Names.TIME_FROM);
    }

    /** What a query parameter says of it: {@code order=oldest}. */
    public static ClaimOrder order(String text) {
        return parsed("order", text, Names.CLAIM_ORDER);
    }

    private static <E extends Enum<E>> E parsed(String parameter, String text, Names<E> names) {
        E found = names.find(text);
        if (found == null) {
            throw new InvalidValueException(parameter, text, names.allowed());
        }
        return found;
    }

    /** As query parameters of a request that also claims. */
    public static String parameters(Wanted wanted) {
        return "claim=" + wanted.max() + "&timeFrom=" + Names.TIME_FROM.of(wanted.timeFrom()) + "&order="
                + Names.CLAIM_ORDER.of(wanted.order());
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
