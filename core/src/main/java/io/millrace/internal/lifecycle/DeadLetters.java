package io.millrace.internal.lifecycle;

import io.millrace.InvalidValueException;
import io.millrace.NewTask;
import io.millrace.Origin;
import io.millrace.Task;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Copies for dead-letter topics, and the way back. */
public final class DeadLetters {
    private DeadLetters() {}

    /** The copy of a task that has failed. It has the same id each time, so that one failure makes one letter. */
    static NewTask copyOf(Task task, String deadLetter, String error) {
        String name =
                task.id() + "#" + task.tally().attempts() + "@" + task.moments().created();
        return copy(task.given(), deadLetter, error).id(named(name)).build();
    }

    /** The copy of a task that its topic could not take, or had to give up to make room; one for each task. */
    public static NewTask leaked(NewTask task, String deadLetter) {
        return copy(task, deadLetter, "leaked: topic " + task.topic() + " was full")
                .id(named(task.id() + "#leaked"))
                .build();
    }

    private static UUID named(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }

    /** The task that a redrive enqueues anew in the topic the letter came from; the same for the same letter. */
    public static NewTask revived(NewTask letter) {
        Origin origin = letter.origin();
        if (origin == null) {
            throw new InvalidValueException("task", letter.id(), "it is no dead letter: it has no origin");
        }
        NewTask.Builder builder = rebuild(letter, origin.topic()).id(named(letter.id() + "#redriven"));
        if (origin.uniqueKey() != null) {
            builder.uniqueKey(origin.uniqueKey());
        }
        return builder.build();
    }

    private static NewTask.Builder copy(NewTask task, String deadLetter, String error) {
        return rebuild(task, deadLetter)
                .origin(new Origin(task.topic(), task.id(), error, task.uniqueKey(), earlier(task.origin())));
    }

    private static List<String> earlier(@Nullable Origin origin) {
        if (origin == null) {
            return List.of();
        }
        List<String> topics = new ArrayList<>(origin.earlier());
        topics.add(origin.topic());
        return topics;
    }

    /**
     * What a letter takes along. Its time and deadline are past, and its unique key is one of another topic: there two
     * letters with the same key must both find room.
     */
    private static NewTask.Builder rebuild(NewTask task, String topic) {
        NewTask.Builder builder = NewTask.builder(topic)
                .payload(task.payload())
                .scope(task.scope())
                .priority(task.priority())
                .retention(task.retention());
        if (task.entityId() != null) {
            builder.entityId(task.entityId());
        }
        if (task.timeout() != null) {
            builder.timeout(task.timeout());
        }
        if (task.onTimeout() != null) {
            builder.onTimeout(task.onTimeout());
        }
        if (task.retry() != null) {
            builder.retry(task.retry());
        }
        if (task.callback() != null) {
            builder.callback(task.callback().toString());
        }
        return builder;
    }
}
