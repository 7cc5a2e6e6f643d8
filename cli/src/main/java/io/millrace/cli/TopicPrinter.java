package io.millrace.cli;

import io.millrace.TaskState;
import io.millrace.Topic;
import io.millrace.wire.Durations;
import io.millrace.wire.PolicyForm;
import io.millrace.wire.TopicForm;
import io.millrace.wire.TopicView;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Topics as people and programs read them. */
final class TopicPrinter {
    private TopicPrinter() {}

    static void list(ServerCommand command, List<TopicView> topics) {
        if (command.isJson()) {
            topics.forEach(view -> command.printJson(out -> TopicForm.write(view, out)));
        } else {
            Table.print(
                    command.shell().out(),
                    headings(),
                    topics.stream().map(TopicPrinter::row).toList());
        }
    }

    static void one(ServerCommand command, TopicView view) {
        if (command.isJson()) {
            command.printJson(out -> TopicForm.write(view, out));
            return;
        }
        Topic topic = view.topic();
        Fields fields = new Fields(command.shell().out());
        fields.add("topic", topic.name());
        fields.add("paused", topic.paused() ? "yes" : "no");
        for (TaskState state : TaskState.values()) {
            fields.add(state.name(), topic.depth().get(state));
        }
        fields.add("oldest", topic.oldestReady() == null ? null : age(topic.oldestReady()));
        fields.add(
                "rates",
                rate(view.rates().enqueued()) + " enqueued, "
                        + rate(view.rates().succeeded()) + " succeeded, "
                        + rate(view.rates().failed()) + " failed a second");
        fields.add("policy", new String(PolicyForm.write(topic.policy()), StandardCharsets.UTF_8));
        fields.print();
    }

    static List<String> headings() {
        List<String> headings = new ArrayList<>(List.of("TOPIC", "PAUSED", "OLDEST", "IN/S", "OK/S", "BAD/S"));
        for (TaskState state : TaskState.values()) {
            headings.add(state.name());
        }
        return headings;
    }

    static List<String> row(TopicView view) {
        Topic topic = view.topic();
        List<String> row = new ArrayList<>();
        row.add(topic.name());
        row.add(topic.paused() ? "yes" : "no");
        row.add(age(topic.oldestReady()));
        row.add(rate(view.rates().enqueued()));
        row.add(rate(view.rates().succeeded()));
        row.add(rate(view.rates().failed()));
        for (TaskState state : TaskState.values()) {
            row.add(String.valueOf(topic.depth().getOrDefault(state, 0L)));
        }
        return row;
    }

    private static String age(@Nullable Duration age) {
        if (age == null) {
            return "-";
        }
        return Durations.format(age.toSeconds() == 0 ? age : age.truncatedTo(ChronoUnit.SECONDS));
    }

    private static String rate(double rate) {
        return String.format(Locale.ROOT, rate < 100 ? "%.1f" : "%.0f", rate);
    }
}
