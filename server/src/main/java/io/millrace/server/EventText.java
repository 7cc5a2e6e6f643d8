package io.millrace.server;

import io.millrace.Event;
import io.millrace.wire.JsonOut;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An event as it is sent to listeners: {@code task}, {@code topic} or {@code worker}, and what happened to it.
 * Payloads, results and errors are left to those who ask for the task, and not held here: it waits in a queue.
 *
 * @param topic the topic it belongs to, if that is known
 * @param more writes further fields
 */
record EventText(String kind, @Nullable UUID id, @Nullable String topic, String change, Consumer<JsonOut> more) {
    /** Characters of a progress message. */
    private static final int MESSAGE = 1_000;

    /** Null for what is of no interest to a dashboard. */
    static @Nullable EventText of(Event event) {
        if (event instanceof Event.TaskEnqueued e) {
            return task(e.task().id(), e.task().topic(), "enqueued", out -> {});
        } else if (event instanceof Event.TaskDuplicate e) {
            return task(e.existing(), e.task().topic(), "duplicate", out -> {});
        } else if (event instanceof Event.TaskLeaked e) {
            String deadLetter = e.deadLetter();
            return task(e.task().id(), e.task().topic(), "leaked", out -> out.field("deadLetter", deadLetter));
        } else if (event instanceof Event.TaskClaimed e) {
            UUID worker = e.worker();
            return task(e.task().id(), e.task().topic(), "claimed", out -> out.field("worker", worker));
        } else if (event instanceof Event.AttemptEnded e) {
            Enum<?> outcome = e.outcome();
            Enum<?> state = e.state();
            return task(
                    e.task().id(),
                    e.task().topic(),
                    "ended",
                    out -> out.field("outcome", lower(outcome.name())).field("state", state.name()));
        } else if (event instanceof Event.TaskGivenBack e) {
            String state = e.state().name();
            return task(e.task().id(), e.task().topic(), "givenBack", out -> out.field("state", state));
        } else if (event instanceof Event.TaskExpired e) {
            return task(e.task().id(), e.task().topic(), "expired", out -> out.field("state", "EXPIRED"));
        } else if (event instanceof Event.TaskReleased e) {
            return task(e.task(), null, "released", out -> {});
        } else if (event instanceof Event.TaskProgressed e) {
            return progressed(e);
        } else if (event instanceof Event.TaskChanged e) {
            return task(e.task(), e.topic(), lower(e.kind().name()), out -> {});
        }
        return ofOthers(event);
    }

    private static EventText progressed(Event.TaskProgressed e) {
        Integer percent = e.percent();
        String given = e.message();
        String message = given == null || given.length() <= MESSAGE
                ? given
                : given.substring(0, Character.isHighSurrogate(given.charAt(MESSAGE - 1)) ? MESSAGE - 1 : MESSAGE);
        return task(e.task(), null, "progressed", out -> {
            if (percent != null) {
                out.field("percent", (long) percent);
            }
            out.field("message", message);
        });
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
        return new EventText("task", id, topic, change, more);
    }

    private static EventText topic(String topic, String change) {
        return new EventText("topic", null, topic, change, out -> {});
    }

    private static EventText worker(UUID id, String change) {
        return new EventText("worker", id, null, change, out -> {});
    }

    /** A frame of the stream. */
    byte[] frame() {
        JsonOut out = new JsonOut().startObject();
        if (id != null) {
            out.field("id", id);
        }
        out.field("topic", topic).field("change", change);
        more.accept(out);
        String data = new String(out.endObject().toBytes(), StandardCharsets.UTF_8);
        return ("event: " + kind + "\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
    }
}
