package io.millrace.wire;

import io.millrace.TaskState;
import io.millrace.Topic;
import io.millrace.TopicPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Topics: how many tasks are in which state, how old the oldest is, how fast it goes, and the policy. */
public final class TopicForm {
    private static final List<String> FIELDS = List.of("topic", "paused", "depth", "oldestAge", "rates", "policy");
    private static final List<String> RATES = List.of("enqueued", "succeeded", "failed");
    private static final List<String> STATES = List.of(
            "WAITING", "SCHEDULED", "READY", "RUNNING", "SUCCEEDED", "FAILED", "TIMED_OUT", "CANCELLED", "EXPIRED");
    private static final List<String> LIST = List.of("topics");

    private TopicForm() {}

    public static byte[] write(TopicView view) {
        JsonOut out = new JsonOut();
        write(view, out);
        return out.toBytes();
    }

    public static byte[] writeList(List<TopicView> views) {
        JsonOut out = new JsonOut().startObject().startArray("topics");
        views.forEach(view -> write(view, out));
        return out.endArray().endObject().toBytes();
    }

    public static void write(TopicView view, JsonOut out) {
        Topic topic = view.topic();
        out.startObject().field("topic", topic.name()).field("paused", topic.paused());
        out.startObject("depth");
        for (TaskState state : TaskState.values()) {
            out.field(Names.STATE.of(state), topic.depth().getOrDefault(state, 0L));
        }
        out.endObject().field("oldestAge", topic.oldestReady());
        out.startObject("rates")
                .field("enqueued", view.rates().enqueued())
                .field("succeeded", view.rates().succeeded())
                .field("failed", view.rates().failed())
                .endObject();
        out.startObject("policy");
        PolicyForm.writeFields(topic.policy(), out);
        out.endObject().endObject();
    }

    public static TopicView read(byte[] json) {
        return JsonIn.answer(json, in -> new Draft(in).read());
    }

    public static List<TopicView> readList(byte[] json) {
        return JsonIn.answer(json, in -> {
            List<TopicView> views = new ArrayList<>();
            in.object(LIST, any -> in.array(() -> views.add(new Draft(in).read())));
            return views;
        });
    }

    private static final class Draft implements JsonIn.FieldReader {
        private final JsonIn in;
        private @Nullable String name;
        private boolean paused;
        private final Map<TaskState, Long> depth = new EnumMap<>(TaskState.class);
        private @Nullable Duration oldestAge;
        private final double[] rates = new double[3];
        private TopicPolicy policy = TopicPolicy.DEFAULT;

        Draft(JsonIn in) {
            this.in = in;
        }

        TopicView read() {
            in.object(FIELDS, this);
            if (name == null) {
                throw in.missing("topic");
            }
            return new TopicView(
                    new Topic(name, policy, paused, depth, oldestAge),
                    new TopicView.Rates(rates[0], rates[1], rates[2]));
        }

        @Override
        public void read(String field) {
            switch (field) {
                case "topic" -> name = in.string();
                case "paused" -> paused = in.bool();
                case "depth" -> in.object(STATES, this::readDepth);
                case "oldestAge" -> oldestAge = in.duration();
                case "rates" -> in.object(RATES, rate -> rates[RATES.indexOf(rate)] = in.number());
                case "policy" -> policy = PolicyForm.read(in);
                default -> throw new IllegalStateException(field);
            }
        }

        private void readDepth(String state) {
            long count = in.longNumber();
            if (count > 0) {
                depth.put(TaskState.valueOf(state), count);
            }
        }
    }
}
