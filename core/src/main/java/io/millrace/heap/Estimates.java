package io.millrace.heap;

import io.millrace.Attempt;
import io.millrace.NewTask;
import io.millrace.Origin;
import io.millrace.Payload;
import io.millrace.Progress;
import io.millrace.spi.Change;
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

    // measured on a JDK 17 of 64 bits, of tasks that were read from a journal: they share nothing with each other
    private static final long NODE = 374;
    private static final long PAYLOAD = 50;
    private static final long TEXT = 60;
    private static final long SETTING = 40;
    private static final long KEY = 110;
    /** What a topic takes beside its tasks: a set for each state, and lanes. */
    static final long TOPIC = 2_200;

    private static final long ORIGIN = 250;
    private static final long RUNNING = 170;
    private static final long ATTEMPT = 130;
    private static final long PROGRESS = 60;
    /** The garbage collector G1 gives a large array whole regions of its own, of this size at least. */
    private static final long REGION = 1 << 20;

    private static final char LATIN = 255;

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

    private static int wideCharacters(NewTask task) {
        int count = wide(task.entityId()) + wide(task.uniqueKey());
        for (String tag : task.scope()) {
            count += wide(tag);
        }
        Origin origin = task.origin();
        return origin == null ? count : count + wide(origin.error()) + wide(origin.uniqueKey());
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    /** What a task takes in memory, by its objects and its place in the indexes. */
    static int memory(TaskNode node) {
        Progress progress = node.progress;
        long bytes = node.givenWeight
                + (node.running == null ? 0 : RUNNING)
                + memory(node.result)
                + node.history()
                + (progress == null ? 0 : PROGRESS + memory(progress.message()));
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    static int memory(Attempt attempt) {
        boolean shared = MemoryLimit.ERROR_DROPPED.equals(attempt.error());
        return (int) (ATTEMPT + (shared ? 0 : memory(attempt.error())));
    }

    /** A text takes a byte for each character, or two if one of them is not Latin. */
    static long memory(@Nullable String text) {
        return text == null ? 0 : TEXT + text.length() + wide(text);
    }

    /** What a text takes beyond a byte for each character. */
    private static int wide(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > LATIN) {
                return text.length();
            }
        }
        return 0;
    }

    /** How much more memory a task takes when it has ended so. It may be less than nothing. */
    static long growth(TaskNode node, Next.Finish end) {
        long spawned = memory(end.spawned());
        return end.retention().isZero() ? spawned - node.weight : spawned + memory(end.result()) - RUNNING;
    }

    /** How many bytes of journal a task's entry has at most, about. */
    static long entry(TaskNode node) {
        long bytes = MOVE + (node.result == null ? 0 : node.result.size());
        Progress progress = node.progress;
        bytes += progress == null ? 0 : (long) UTF8 * length(progress.message());
        boolean whole = node.journalDue == Journaling.Due.ALL;
        if (whole) {
            bytes += newTasks(List.of(node.given));
        }
        if (whole || node.historyDue == TaskNode.HistoryDue.ALL) {
            for (Attempt attempt : node.ended()) {
                bytes += attempt(attempt);
            }
        } else if (node.historyDue == TaskNode.HistoryDue.NEWEST) {
            bytes += attempt(node.ended().get(node.ended().size() - 1));
        }
        return bytes;
    }

    private static long attempt(Attempt attempt) {
        return ATTEMPT + (long) UTF8 * length(attempt.error());
    }

    static long memory(List<NewTask> tasks) {
        long bytes = 0;
        for (NewTask task : tasks) {
            bytes += memory(task);
        }
        return bytes;
    }

    static long memory(NewTask task) {
        int texts = 1 + task.scope().size() + count(task.entityId(), task.callback());
        int settings = count(task.deadline(), task.timeout(), task.retry());
        return NODE
                + memory(task.payload())
                + characters(task)
                + wideCharacters(task)
                + TEXT * texts
                + SETTING * settings
                + KEY * count(task.uniqueKey())
                + ORIGIN * count(task.origin());
    }

    private static long memory(@Nullable Payload payload) {
        if (payload == null) {
            return 0;
        }
        long bytes = PAYLOAD + payload.size();
        return bytes < REGION / 2 ? bytes : (bytes + REGION - 1) / REGION * REGION;
    }

    private static int count(@Nullable Object... values) {
        int there = 0;
        for (Object value : values) {
            there += value == null ? 0 : 1;
        }
        return there;
    }

    static long claim(List<ClaimRequest> requests) {
        long bytes = MOVE;
        for (ClaimRequest request : requests) {
            bytes += MOVE * request.max();
        }
        return bytes;
    }

    static long change(Change change, int tasks) {
        long bytes = tasks(tasks);
        if (change instanceof Change.Expire expire) {
            for (Next.Finish end : expire.ends().values()) {
                bytes += newTasks(end.spawned());
            }
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
