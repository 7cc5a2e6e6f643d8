package io.millrace;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A topic at one moment.
 *
 * @param depth how many tasks are in each state that has any
 * @param oldestReady how long ago the oldest READY task was enqueued; null if there is none
 */
public record Topic(
        String name,
        TopicPolicy policy,
        boolean paused,
        Map<TaskState, Long> depth,
        @Nullable Duration oldestReady) {}
