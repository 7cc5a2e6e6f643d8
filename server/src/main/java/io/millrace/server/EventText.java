package io.millrace.server;

import io.millrace.Event;
import io.millrace.wire.JsonOut;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An event as it is sent to listeners: {@code task}, {@code topic} or {@code worker}, and what happened to it. Payloads,
 * results and errors are left to those who ask for the task.
 *
 * @param topic the topic it belongs to, if that is known
 */
record EventText(String frame, @Nullable String topic) {
    /** Null for what is of no interest to a dashboard. */
    static @Nullable EventText of(Event event) {
        if (event instanceof Event.TaskEnqueued e) {
            return task(e.task().id(), e.task().topic(), "enqueued", out -> {});
        } else if (event instanceof Event.TaskDuplicate e) {
            return task(e.existing(), e.task().topic(), "duplicate", out -> {});
        } else if (event instanceof Event.TaskLeaked e) {
            return task(e.task().id(), e.task().topic(), "leaked", out -> out.field("deadLetter", e.deadLetter()));
        } else if (event instanceof Event.TaskClaimed e) {
            return task(e.task().id(), e.task().topic(), "claimed", out -> out.field("worker", e.worker()));
        } else if (event instanceof Event.AttemptEnded e) {
            return task(
                    e.task().id(),
                    e.task().topic(),
                    "ended",
                    out -> out.field("outcome", lower(e.outcome().name()))
                            .field("state", e.state().name()));
        } else if (event instanceof Event.TaskGivenBack e) {
            return task(
                    e.task().id(),
                    e.task().topic(),
                    "givenBack",
                    out -> out.field("state", e.state().name()));
        } else if (event instanceof Event.TaskExpired e) {
            return task(e.task().id(), e.task().topic(), "expired", out -> out.field("state", "EXPIRED"));
        } else if (event instanceof Event.TaskReleased e) {
            return task(e.task(), null, "released", out -> {});
        } else if (event instanceof Event.TaskProgressed e) {
            return task(e.task(), null, "progressed", out -> {
                if (e.percent() != null) {
                    out.field("percent", (long) e.percent());
                }
                out.field("message", e.message());
            });
        } else if (event instanceof Event.TaskChanged e) {
            return task(e.task(), e.topic(), lower(e.kind().name()), out -> {});
        }
        return ofOthers(event);
    }

    private static @Nullable EventText ofOthers(Event event) {
        if (event instanceof Event.PolicyChanged e) {
            return topic(e.topic(), "policyChanged");
        } else if (event instanceof Event.TopicPaused e) {
            return topic(e.topic(), "paused");
        } else if (event instanceof Event.TopicResumed e) {
            return topic(e.topic(), "resumed");
        } else if (event instanceof Event.TopicRedriven e) {
            return topic(e.deadLetterTopic(), "redriven");
        } else if (event instanceof Event.WorkerRegistered e) {
            return worker(e.worker(), "registered");
        } else if (event instanceof Event.WorkerLeft e) {
            return worker(e.worker(), "left");
        } else if (event instanceof Event.WorkerExpired e) {
            return worker(e.worker(), "expired");
        } else if (event instanceof Event.WorkerStopRequested e) {
            return worker(e.worker(), "stopRequested");
        }
        return null;
    }

    /** CANCEL_REQUESTED becomes cancelRequested. */
    private static String lower(String name) {
        String[] words = name.toLowerCase(Locale.ROOT).split("_", -1);
        return words.length == 1
                ? words[0]
                : words[0] + Character.toUpperCase(words[1].charAt(0)) + words[1].substring(1);
    }

    private static EventText task(UUID id, @Nullable String topic, String change, Consumer<JsonOut> more) {
        JsonOut out = new JsonOut()
                .startObject()
                .field("id", id)
                .field("topic", topic)
                .field("change", change);
        more.accept(out);
        return frame("task", topic, out);
    }

    private static EventText topic(String topic, String change) {
        return frame(
                "topic",
                topic,
                new JsonOut().startObject().field("topic", topic).field("change", change));
    }

    private static EventText worker(UUID id, String change) {
        return frame("worker", null, new JsonOut().startObject().field("id", id).field("change", change));
    }

    private static EventText frame(String kind, @Nullable String topic, JsonOut out) {
        String data = new String(out.endObject().toBytes(), StandardCharsets.UTF_8);
        return new EventText("event: " + kind + "\ndata: " + data + "\n\n", topic);
    }
}
