package io.millrace.wire;

import io.millrace.Limits;
import io.millrace.Retention;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A topic's policy. Fields that are not given have their defaults: a policy is always set as a whole. */
public final class PolicyForm {
    private static final List<String> FIELDS = List.of(
            "retry",
            "timeout",
            "onTimeout",
            "retention",
            "capacity",
            "leak",
            "deadLetter",
            "deadLetterOn",
            "concurrency",
            "rate",
            "weight",
            "lossLimit");

    private PolicyForm() {}

    public static TopicPolicy read(byte[] json) {
        return JsonIn.request(json, PolicyForm::read);
    }

    static TopicPolicy read(JsonIn in) {
        int faults = in.faults();
        TopicPolicy.Builder policy = TopicPolicy.builder();
        in.object(FIELDS, name -> {
            var unused = in.checkedHere(() -> field(name, in, policy));
        });
        return in.faults() > faults ? TopicPolicy.DEFAULT : in.checked(policy::build);
    }

    private static TopicPolicy.Builder field(String name, JsonIn in, TopicPolicy.Builder policy) {
        return switch (name) {
            case "retry" -> policy.retry(SettingForms.retry(in));
            case "timeout" -> policy.timeout(in.duration());
            case "onTimeout" -> policy.onTimeout(in.choice(Names.ON_TIMEOUT));
            case "retention" -> policy.retention(SettingForms.retention(in));
            case "capacity" -> policy.capacity(in.integer(1, Integer.MAX_VALUE));
            case "leak" -> policy.leak(in.choice(Names.LEAK));
            case "deadLetter" -> policy.deadLetter(Limits.topic(name, in.string()));
            case "deadLetterOn" -> policy.deadLetterOn(ends(in));
            case "concurrency" -> policy.concurrency(in.integer(1, Integer.MAX_VALUE));
            case "rate" -> policy.rate(SettingForms.rate(in));
            case "weight" -> policy.weight(in.integer(1, 1_000_000));
            case "lossLimit" -> policy.lossLimit(in.integer(1, Integer.MAX_VALUE));
            default -> throw new IllegalStateException(name);
        };
    }

    private static Set<TaskState> ends(JsonIn in) {
        Set<TaskState> ends = EnumSet.noneOf(TaskState.class);
        in.array(Names.END.size(), () -> ends.add(in.choice(Names.END)));
        return ends;
    }

    public static byte[] write(TopicPolicy policy) {
        JsonOut out = new JsonOut().startObject();
        writeFields(policy, out);
        return out.endObject().toBytes();
    }

    static void writeFields(TopicPolicy policy, JsonOut out) {
        SettingForms.write("retry", policy.retry(), out);
        out.field("timeout", policy.timeout()).field("onTimeout", Names.ON_TIMEOUT.of(policy.onTimeout()));
        Retention retention = policy.retention();
        SettingForms.write("retention", retention, out);
        out.field("capacity", policy.capacity())
                .field("leak", Names.LEAK.of(policy.leak()))
                .field("deadLetter", policy.deadLetter());
        if (policy.deadLetter() != null) {
            out.texts(
                    "deadLetterOn",
                    policy.deadLetterOn().stream().map(Names.END::of).toList());
        }
        out.field("concurrency", policy.concurrency());
        if (policy.rate() != null) {
            SettingForms.write("rate", policy.rate(), out);
        }
        out.field("weight", policy.weight()).field("lossLimit", policy.lossLimit());
    }
}
