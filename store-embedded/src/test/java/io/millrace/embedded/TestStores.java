package io.millrace.embedded;

import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Page;
import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.EngineClock;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the tests of the embedded store share. */
final class TestStores {
    static final String TOPIC = "topic";
    static final Duration KEPT = Duration.ofDays(1);
    static final Duration FOREVER = Duration.ofDays(300);

    private TestStores() {}

    static TaskStore open(Path directory, EngineClock clock, String settings) {
        return new EmbeddedProvider().open("embedded:" + directory + settings, clock);
    }

    static TaskStore open(Path directory, EngineClock clock, String settings, Disk disk) {
        return EmbeddedProvider.open(EmbeddedUrl.parse("embedded:" + directory + settings), clock, disk);
    }

    static NewTask task(int bytes) {
        return NewTask.builder(TOPIC).payload(Payload.bytes(new byte[bytes])).build();
    }

    /** Enqueues a task with a payload of so many bytes, and returns its id. */
    static UUID add(TaskStore store, int bytes) {
        return add(store, task(bytes));
    }

    static UUID add(TaskStore store, NewTask task) {
        EnqueueResult result = store.enqueue(List.of(EnqueueRequest.of(task))).get(0);
        return ((EnqueueResult.Stored) result).items().get(0).id();
    }

    static UUID worker(TaskStore store) {
        return store.workers().register(Introduction.ANONYMOUS, FOREVER);
    }

    static List<LeasedTask> claim(TaskStore store, UUID worker, int max) {
        var from = new ClaimRequest.FromTopic(TOPIC, max, TopicPolicy.DEFAULT);
        return store.claim(List.of(new ClaimRequest(worker, List.of(from), max)))
                .get(0)
                .tasks();
    }

    static Completion success(Lease lease, @Nullable Payload result, Duration retention) {
        Next next = new Next.Finish(TaskState.SUCCEEDED, retention, result, List.of(), List.of());
        return new Completion(lease, Outcome.SUCCEEDED, null, next, next);
    }

    static CompletionResult succeed(TaskStore store, Lease lease) {
        return store.complete(List.of(success(lease, null, KEPT))).get(0);
    }

    /** Tasks that come and go at once, until the log has that many bytes more in front of it. */
    static void churn(TaskStore store, long bytes) {
        UUID worker = worker(store);
        for (long done = 0; done < bytes; done += 1_000) {
            add(
                    store,
                    NewTask.builder("churn")
                            .payload(Payload.bytes(new byte[1_000]))
                            .build());
            var from = new ClaimRequest.FromTopic("churn", 1, TopicPolicy.DEFAULT);
            var leased = store.claim(List.of(new ClaimRequest(worker, List.of(from), 1)))
                    .get(0)
                    .tasks();
            store.complete(List.of(success(leased.get(0).lease(), null, Duration.ZERO)));
        }
        store.workers().leave(worker);
    }

    static List<Task> all(TaskStore store) {
        List<Task> tasks = new ArrayList<>();
        String cursor = null;
        do {
            Page<Task> page = store.list(TaskQuery.ALL, cursor, 500);
            tasks.addAll(page.items());
            cursor = page.next();
        } while (cursor != null);
        return tasks;
    }

    static List<UUID> ids(TaskStore store) {
        return all(store).stream().map(Task::id).toList();
    }

    /** How many segment files there are, those that are prepared included. */
    static int segments(Path directory) {
        try {
            return FoundSegment.list(directory, new RealDisk()).size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static long bytes(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
