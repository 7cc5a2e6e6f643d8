package io.millrace.heap;

import io.millrace.Attempt;
import io.millrace.NewTask;
import io.millrace.Origin;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.Completion;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.Next;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How many bytes of journal a call may need at most, and how many of memory a task takes, roughly. */
final class Estimates {
    private static final long TASK = 300;
    private static final long MOVE = 512;
    private static final int UTF8 = 3;
    private static final long NODE = 450;
    private static final long ATTEMPT = 150;

    private Estimates() {}

    static long enqueue(List<EnqueueRequest> requests) {
        long bytes = MOVE;
        for (EnqueueRequest request : requests) {
            bytes += newTasks(request.tasks());
        }
        return bytes;
    }

    private static long newTasks(List<NewTask> tasks) {
        long bytes = 0;
        for (NewTask task : tasks) {
            bytes += TASK + task.payload().size() + (long) UTF8 * characters(task);
        }
        return bytes;
    }

    private static int characters(NewTask task) {
        int count = task.topic().length() + length(task.entityId()) + length(task.uniqueKey());
        for (String tag : task.scope()) {
            count += tag.length();
        }
        count += task.callback() == null ? 0 : task.callback().toString().length();
        Origin origin = task.origin();
        return origin == null
                ? count
                : count + origin.topic().length() + origin.error().length() + length(origin.uniqueKey());
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    /** What a task takes in memory, by its objects and its place in the indexes. */
    static int memory(TaskNode node) {
        long bytes = NODE + node.given.payload().size() + characters(node.given);
        bytes += node.result == null ? 0 : node.result.size();
        for (Attempt attempt : node.ended) {
            bytes += ATTEMPT + length(attempt.error());
        }
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    static long memory(List<NewTask> tasks) {
        long bytes = 0;
        for (NewTask task : tasks) {
            bytes += NODE + task.payload().size() + characters(task);
        }
        return bytes;
    }

    static long claim(List<ClaimRequest> requests) {
        long bytes = MOVE;
        for (ClaimRequest request : requests) {
            bytes += MOVE * request.max();
        }
        return bytes;
    }

    static long complete(List<Completion> completions) {
        long bytes = MOVE;
        for (Completion completion : completions) {
            String error = completion.error();
            bytes += MOVE + (error == null ? 0 : (long) UTF8 * error.length());
            if (completion.next() instanceof Next.Finish finish) {
                bytes += newTasks(finish.spawned()) + MOVE * finish.arrivals().size();
                bytes += finish.result() == null ? 0 : finish.result().size();
            }
        }
        return bytes;
    }

    static long texts(String... texts) {
        long bytes = MOVE;
        for (String text : texts) {
            bytes += (long) UTF8 * text.length();
        }
        return bytes;
    }

    static long tasks(int limit) {
        return MOVE * (limit + 1L);
    }
}
