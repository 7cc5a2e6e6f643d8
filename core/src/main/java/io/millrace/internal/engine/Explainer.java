package io.millrace.internal.engine;

import io.millrace.Origin;
import io.millrace.Rate;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Says in words why a pending task is not done yet: the first reason that holds. */
final class Explainer {
    private final TaskStore store;
    private final Topics topics;

    Explainer(Node node) {
        store = node.store();
        topics = node.topics();
    }

    String explain(Task task) {
        return switch (task.state()) {
            case WAITING -> waiting(task);
            case SCHEDULED -> scheduled(task);
            case RUNNING -> running(task);
            default -> ready(task);
        };
    }

    private String ready(Task task) {
        Origin origin = task.given().origin();
        boolean served = store.workers().list().stream().anyMatch(worker -> worker.serves(task.topic()));
        if (origin == null) {
            return obstacle(task, served);
        }
        // nobody works on most dead-letter topics, so that is not what keeps it
        String letter = letter(task.topic(), origin);
        return served || topics.isPaused(task.topic()) ? obstacle(task, served) + " " + letter : letter;
    }

    private static String letter(String topic, Origin origin) {
        String error = origin.error().lines().findFirst().orElse("");
        return "It is a dead letter of topic " + origin.topic() + " (" + error + "). Redrive topic " + topic
                + " to run it there again, or delete it.";
    }

    private static String waiting(Task task) {
        return "It waits for " + task.tally().waitingFor() + " of "
                + task.given().waitFor() + " tasks to arrive at it.";
    }

    private String scheduled(Task task) {
        Instant due = task.moments().due();
        String when = "in " + readable(Duration.between(store.now(), due)) + ", at " + due;
        int retries = task.tally().retries();
        if (retries == 0 || task.lastError() == null) {
            return "It is due " + when + ".";
        }
        int max = topics.policy(task.topic()).retryOf(task.given()).max();
        String error = task.lastError().lines().findFirst().orElse("");
        return "Attempt " + task.tally().attempts() + " failed (" + error + "); retry " + retries + " of " + max
                + " is due " + when + ".";
    }

    private static String running(Task task) {
        Task.Hold hold = task.hold();
        if (hold == null) {
            return "It runs.";
        }
        String runs = "Attempt " + task.tally().attempts() + " runs on worker " + hold.worker() + " since "
                + hold.since() + (hold.until() == null ? "" : ", until " + hold.until() + " at the latest");
        return hold.cancelRequested() ? runs + "; it has been asked to stop." : runs + ".";
    }

    private String obstacle(Task task, boolean served) {
        String topic = task.topic();
        TopicPolicy policy = topics.policy(topic);
        if (topics.isPaused(topic)) {
            return "Topic " + topic + " is paused. Resume it to let its tasks run.";
        }
        Instant deadline = task.moments().deadline();
        if (deadline != null && deadline.isBefore(store.now())) {
            return "Its deadline, " + deadline + ", has passed: it ends as EXPIRED when a worker would take it.";
        }
        if (!served) {
            return "No live worker serves topic " + topic + ". Start one, or look at why they stopped.";
        }
        List<TaskCount> counts = store.count(TaskQuery.ALL.topic(topic));
        long running = count(counts, TaskState.RUNNING);
        if (policy.concurrency() != null && running >= policy.concurrency()) {
            return "Topic " + topic + " runs " + running + " tasks, which is its concurrency limit.";
        }
        return busy(task, policy, running, count(counts, TaskState.READY));
    }

    private static String busy(Task task, TopicPolicy policy, long running, long ready) {
        Rate rate = policy.rate();
        if (rate != null) {
            return "Topic " + task.topic() + " starts at most " + rate.limit() + " tasks in " + readable(rate.per())
                    + "; " + ready + " are ready.";
        }
        return "It is ready and its turn will come: of topic " + task.topic() + ", " + ready + " tasks are ready and "
                + running + " run.";
    }

    private static long count(List<TaskCount> counts, TaskState state) {
        return counts.stream()
                .filter(count -> count.state() == state)
                .mapToLong(TaskCount::count)
                .sum();
    }

    private static String readable(Duration duration) {
        long seconds = Math.round(Math.max(0, duration.toMillis()) / 1e3);
        if (seconds == 0) {
            return Math.max(0, duration.toMillis()) + " ms";
        }
        if (seconds < 120) {
            return seconds + " s";
        }
        if (seconds < 7_200) {
            return Math.round(seconds / 60.0) + " min";
        }
        return seconds < 172_800 ? Math.round(seconds / 3_600.0) + " h" : Math.round(seconds / 86_400.0) + " days";
    }
}
