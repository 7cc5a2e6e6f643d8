package io.millrace.spi;

import io.millrace.NewTask;
import java.util.List;
import java.util.Map;

/**
 * Tasks that are taken in together or not at all.
 *
 * @param capacities how many READY and SCHEDULED tasks a topic may hold, for the topics with such a limit
 */
public record EnqueueRequest(List<NewTask> tasks, Map<String, Integer> capacities) {
    public static EnqueueRequest of(NewTask... tasks) {
        return new EnqueueRequest(List.of(tasks), Map.of());
    }
}
