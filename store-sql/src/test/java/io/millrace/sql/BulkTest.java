package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Retry;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many tasks at once, which some databases take in another way than few. */
class BulkTest {
    private static final int TASKS = 1_500;

    private static NewTask task(int i) {
        NewTask.Builder task = NewTask.builder("bulk-" + i % 3).priority(i % 2);
        return switch (i % 8) {
            case 0 -> task.payload(Payload.bytes(new byte[i])).build();
            case 1 -> task.payload(Payload.json("{\"wörd\":\"日本 \\\\ \\n\"}")).build();
            case 2 ->
                task.entityId("entität " + i).timeout(Duration.ofSeconds(i)).build();
            case 3 -> task.scope(List.of("a/b", "c\\d", "ü")).build();
            case 4 -> task.uniqueKey("key " + i).build();
            case 5 ->
                task.delay(Duration.ofHours(1)).deadline(Duration.ofHours(2)).build();
            case 6 -> task.retry(Retry.constant(Duration.ofSeconds(3)).max(7)).build();
            default -> task.waitFor(2).build();
        };
    }

    private static List<NewTask> tasks() {
        List<NewTask> tasks = new ArrayList<>();
        for (int i = 0; i < TASKS; i++) {
            tasks.add(task(i));
        }
        // more than is sent at once
        tasks.add(NewTask.builder("bulk-0")
                .payload(Payload.bytes(new byte[200_000]))
                .build());
        return tasks;
    }

    private static List<EnqueueResult.Item> enqueue(TaskStore store, List<NewTask> tasks) {
        EnqueueResult result =
                store.enqueue(List.of(new EnqueueRequest(tasks, Map.of()))).get(0);
        return ((EnqueueResult.Stored) result).items();
    }

    private static long count(TaskStore store) {
        return store.count(TaskQuery.ALL).stream().mapToLong(TaskCount::count).sum();
    }

    @ParameterizedTest
    @EnumSource
    void all_that_tasks_were_given_is_kept(DatabaseProduct product) {
        try (TestDatabase database = product.newDatabase();
                TaskStore store = SqlProvider.openBy(null, database.url())) {
            List<NewTask> tasks = tasks();
            assertThat(enqueue(store, tasks)).noneMatch(EnqueueResult.Item::duplicate);

            Map<UUID, NewTask> found = new HashMap<>();
            for (Task task : store.get(tasks.stream().map(NewTask::id).toList())) {
                found.put(task.id(), task.given());
            }
            assertThat(tasks)
                    .allSatisfy(task -> assertThat(found.get(task.id())).isEqualTo(task));
            assertThat(count(store)).isEqualTo(tasks.size());
        }
    }

    @ParameterizedTest
    @EnumSource
    void what_is_there_already_is_not_taken_again(DatabaseProduct product) {
        try (TestDatabase database = product.newDatabase();
                TaskStore store = SqlProvider.openBy(null, database.url())) {
            List<NewTask> known = tasks();
            enqueue(store, known);
            List<NewTask> both = new ArrayList<>(
                    tasks().stream().filter(task -> task.uniqueKey() == null).toList());
            int fresh = both.size();
            both.addAll(known);

            List<EnqueueResult.Item> items = enqueue(store, both);
            assertThat(items.subList(0, fresh)).noneMatch(EnqueueResult.Item::duplicate);
            assertThat(items.subList(fresh, items.size())).allMatch(EnqueueResult.Item::duplicate);
            assertThat(count(store)).isEqualTo(both.size());
        }
    }

    @ParameterizedTest
    @EnumSource
    void more_bytes_than_a_packet_holds_are_taken(DatabaseProduct product) {
        try (TestDatabase database = product.newDatabase();
                TaskStore store = SqlProvider.openBy(null, database.url())) {
            List<NewTask> tasks = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                byte[] bytes = new byte[100_000];
                Arrays.fill(bytes, (byte) i);
                tasks.add(NewTask.builder("t").payload(Payload.bytes(bytes)).build());
            }
            enqueue(store, tasks);

            for (NewTask task : tasks) {
                assertThat(store.get(List.of(task.id())))
                        .singleElement()
                        .satisfies(found -> assertThat(found.given()).isEqualTo(task));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void many_results_are_kept(DatabaseProduct product) {
        int count = 700;
        try (TestDatabase database = product.newDatabase();
                TaskStore store = SqlProvider.openBy(null, database.url())) {
            UUID worker = store.workers().register(Introduction.ANONYMOUS, Duration.ofDays(1));
            for (int i = 0; i < count; i++) {
                enqueue(store, List.of(NewTask.builder("t").build()));
            }
            FromTopic from = new FromTopic("t", count, TopicPolicy.DEFAULT);
            List<LeasedTask> leased = store.claim(List.of(new ClaimRequest(worker, List.of(from), count)))
                    .get(0)
                    .tasks();
            assertThat(leased).hasSize(count);
            assertThat(store.complete(leased.stream().map(BulkTest::success).toList()))
                    .allMatch(result -> result.status() == CompletionResult.Status.APPLIED);
            assertThat(store.get(leased.stream().map(task -> task.task().id()).toList()))
                    .hasSize(count)
                    .allSatisfy(task -> assertThat(task.result()).isEqualTo(result(task.id())));
        }
    }

    private static Payload result(UUID task) {
        return Payload.json("\"" + task + "\"");
    }

    private static Completion success(LeasedTask leased) {
        Payload result = result(leased.task().id());
        Next next = new Next.Finish(TaskState.SUCCEEDED, Duration.ofDays(1), result, List.of(), List.of());
        return new Completion(leased.lease(), Outcome.SUCCEEDED, null, next, next);
    }
}
