package io.millrace.wire;

import io.millrace.TaskCount;
import io.millrace.TaskState;
import java.util.ArrayList;
import java.util.List;

/** Numbers: {@code {"count": 25}}, {@code {"deleted": 12}}, and counts by topic and state. */
public final class CountForm {
    private static final List<String> LIST = List.of("groups");
    private static final List<String> GROUP = List.of("topic", "state", "count");

    private CountForm() {}

    /** @param name what is counted */
    public static byte[] write(String name, long count) {
        return new JsonOut().startObject().field(name, count).endObject().toBytes();
    }

    public static long read(String name, byte[] json) {
        return JsonIn.answer(json, in -> {
            long[] count = {-1};
            in.object(List.of(name), any -> count[0] = in.longNumber());
            if (count[0] < 0) {
                throw in.missing(name);
            }
            return count[0];
        });
    }

    /** By topic and state, or by one of them: what is not asked for is left out, and its counts are added up before. */
    public static byte[] writeGroups(List<TaskCount> counts, boolean byTopic, boolean byState) {
        JsonOut out = new JsonOut().startObject().startArray("groups");
        for (TaskCount count : counts) {
            out.startObject()
                    .field("topic", byTopic ? count.topic() : null)
                    .field("state", byState ? Names.STATE.of(count.state()) : null)
                    .field("count", count.count())
                    .endObject();
        }
        return out.endArray().endObject().toBytes();
    }

    /** Reads counts by topic and state. */
    public static List<TaskCount> readGroups(byte[] json) {
        return JsonIn.answer(json, in -> {
            List<TaskCount> counts = new ArrayList<>();
            in.object(LIST, any -> in.array(() -> counts.add(readGroup(in))));
            return counts;
        });
    }

    private static TaskCount readGroup(JsonIn in) {
        String[] topic = new String[1];
        TaskState[] state = new TaskState[1];
        long[] count = new long[1];
        in.object(GROUP, name -> {
            switch (name) {
                case "topic" -> topic[0] = in.string();
                case "state" -> state[0] = in.choice(Names.STATE);
                default -> count[0] = in.longNumber();
            }
        });
        if (topic[0] == null || state[0] == null) {
            throw in.wrong("it must have all of " + GROUP);
        }
        return new TaskCount(topic[0], state[0], count[0]);
    }
}
