package io.millrace.cli;

import io.millrace.InvalidValueException;
import io.millrace.Millrace;
import io.millrace.Topic;
import io.millrace.TopicClient;
import io.millrace.TopicPolicy;
import io.millrace.client.AccessDeniedException;
import io.millrace.client.ServerViews;
import io.millrace.wire.PolicyForm;
import io.millrace.wire.WireException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "topics", description = "Look at topics and manage them.", synopsisSubcommandLabel = "COMMAND")
final class TopicsCommand {
    private TopicsCommand() {}

    static CommandLine with(Shell shell) {
        return new CommandLine(new TopicsCommand())
                .addSubcommand(new All(shell))
                .addSubcommand(new Show(shell))
                .addSubcommand(new SetPolicy(shell))
                .addSubcommand(new Delete(shell))
                .addSubcommand(new Pause(shell))
                .addSubcommand(new Resume(shell))
                .addSubcommand(new Redrive(shell));
    }

    @Command(name = "list", description = "List all topics; as JSON, one a line.")
    private static final class All extends ServerCommand {
        All(Shell shell) {
            super(shell);
        }

        @Override
        public Integer call() {
            try (ServerViews views = views()) {
                TopicPrinter.list(this, views.topics());
            }
            return ExitCode.OK;
        }
    }

    /** A command for one topic. */
    private abstract static class ForOne extends ServerCommand {
        @Parameters(index = "0", paramLabel = "TOPIC", description = "The topic.")
        private String topic = "";

        ForOne(Shell shell) {
            super(shell);
        }

        String topic() {
            return topic;
        }
    }

    @Command(name = "show", description = "Show a topic with its policy.")
    private static final class Show extends ForOne {
        Show(Shell shell) {
            super(shell);
        }

        @Override
        public Integer call() {
            try (ServerViews views = views()) {
                TopicPrinter.one(this, views.topic(topic()));
            }
            return ExitCode.OK;
        }
    }

    /** Changes a topic, and shows what it is then. */
    private abstract static class Change extends ForOne {
        Change(Shell shell) {
            super(shell);
        }

        abstract void change(TopicClient topics);

        /** Whether a topic that nothing is known of is perhaps a typing error. */
        boolean warns() {
            return false;
        }

        @Override
        public Integer call() {
            try (Millrace millrace = open();
                    ServerViews views = views()) {
                // looked at before the change, which makes a topic known
                boolean unknown = warns() && isUnknown(views.topic(topic()).topic());
                change(millrace.topics());
                if (unknown) {
                    warn(views);
                }
                TopicPrinter.one(this, views.topic(topic()));
            }
            return ExitCode.OK;
        }

        private static boolean isUnknown(Topic topic) {
            return !topic.paused()
                    && topic.policy().equals(TopicPolicy.DEFAULT)
                    && topic.depth().values().stream().allMatch(count -> count == 0);
        }

        private void warn(ServerViews views) {
            List<String> close = close(views);
            shell().err()
                    .println("millrace: topic " + topic() + " has neither tasks nor a policy"
                            + (close.isEmpty() ? "" : "; did you mean " + String.join(" or ", close) + "?"));
        }

        private List<String> close(ServerViews views) {
            try {
                return Closeness.suggestions(
                        topic(),
                        views.topics().stream().map(view -> view.topic().name()));
            } catch (AccessDeniedException e) {
                // a key for some topics may not list them all
                return List.of();
            }
        }
    }

    @Command(
            name = "set",
            description = "Replace a topic's policy; what is not given has its default.",
            footer = "%nmillrace topics set email '{\"retry\": {\"max\": 3}, \"concurrency\": 10}'")
    private static final class SetPolicy extends Change {
        @Parameters(index = "1", paramLabel = "POLICY", description = "A JSON object; {} for all defaults.")
        private String policy = "{}";

        SetPolicy(Shell shell) {
            super(shell);
        }

        @Override
        public Integer call() {
            // before anything is asked of the server
            var unused = parsed();
            return super.call();
        }

        private TopicPolicy parsed() {
            try {
                return PolicyForm.read(policy.getBytes(StandardCharsets.UTF_8));
            } catch (WireException e) {
                List<String> places = Complaints.places(e);
                throw InvalidValueException.told(
                        "POLICY",
                        places.stream().map(place -> "POLICY: " + place).toList());
            }
        }

        @Override
        void change(TopicClient topics) {
            topics.setPolicy(topic(), parsed());
        }
    }

    @Command(name = "delete", description = "Remove a topic's policy, so that all has its default; the tasks stay.")
    private static final class Delete extends Change {
        Delete(Shell shell) {
            super(shell);
        }

        @Override
        void change(TopicClient topics) {
            topics.removePolicy(topic());
        }
    }

    @Command(name = "pause", description = "Give out no more tasks of a topic.")
    private static final class Pause extends Change {
        Pause(Shell shell) {
            super(shell);
        }

        @Override
        boolean warns() {
            return true;
        }

        @Override
        void change(TopicClient topics) {
            topics.pause(topic());
        }
    }

    @Command(name = "resume", description = "Give out tasks of a topic again.")
    private static final class Resume extends Change {
        Resume(Shell shell) {
            super(shell);
        }

        @Override
        boolean warns() {
            return true;
        }

        @Override
        void change(TopicClient topics) {
            topics.resume(topic());
        }
    }

    @Command(name = "redrive", description = "Move a dead-letter topic's tasks back to where they came from.")
    private static final class Redrive extends ForOne {
        Redrive(Shell shell) {
            super(shell);
        }

        @Override
        public Integer call() {
            try (Millrace millrace = open()) {
                printCount("redriven", millrace.topics().redrive(topic()));
            }
            return ExitCode.OK;
        }
    }
}
