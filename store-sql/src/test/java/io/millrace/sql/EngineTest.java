package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.Retry;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Millrace as users see it, over a database. */
class EngineTest {
    private static final int TASKS = 2_000;
    private static final MillraceOptions OPTIONS = MillraceOptions.builder()
            .workers(4)
            .scanEvery(Duration.ofMillis(200))
            .closeTimeout(Duration.ofSeconds(5))
            .build();

    private static Task finished(Millrace millrace, UUID id) throws Exception {
        return millrace.finished(id).get(20, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource
    void tasks_are_delayed_retried_spawned_and_answered(DatabaseProduct product) throws Exception {
        try (TestDatabase database = product.newDatabase();
                Millrace millrace = Millrace.open(database.url(), OPTIONS)) {
            NewTask child = NewTask.builder("child").waitFor(1).build();
            millrace.handle("child", (payload, context) -> context.result(Payload.json("\"child\"")));
            millrace.handle("parent", (payload, context) -> {
                if (context.attempt() < 3) {
                    throw new IllegalStateException("not yet");
                }
                context.result(payload);
                context.spawn(child);
                context.arriveAt(child.id());
            });
            NewTask parent = NewTask.builder("parent")
                    .payload(Payload.json("{\"a\":1}"))
                    .delay(Duration.ofMillis(300))
                    .retry(Retry.constant(Duration.ofMillis(50)).max(5))
                    .build();
            millrace.enqueue(parent);

            Task done = finished(millrace, parent.id());
            assertThat(done.state()).isEqualTo(TaskState.SUCCEEDED);
            assertThat(done.result()).isEqualTo(Payload.json("{\"a\":1}"));
            assertThat(done.tally().attempts()).isEqualTo(3);
            assertThat(done.moments().due()).isAfter(done.moments().created());
            assertThat(finished(millrace, child.id()).result()).isEqualTo(Payload.json("\"child\""));
        }
    }

    @ParameterizedTest
    @EnumSource
    void tasks_are_cancelled_and_failures_become_dead_letters(DatabaseProduct product) throws Exception {
        try (TestDatabase database = product.newDatabase();
                Millrace millrace = Millrace.open(database.url(), OPTIONS)) {
            millrace.topics()
                    .setPolicy("bad", TopicPolicy.builder().deadLetter("dead").build());
            NewTask later = NewTask.builder("bad").delay(Duration.ofHours(1)).build();
            NewTask bad = NewTask.builder("bad").build();
            millrace.enqueue(List.of(later, bad));
            millrace.cancel(later.id());
            millrace.handle("bad", (payload, context) -> {
                throw new IllegalStateException("broken");
            });

            assertThat(finished(millrace, later.id()).state()).isEqualTo(TaskState.CANCELLED);
            assertThat(finished(millrace, bad.id()).state()).isEqualTo(TaskState.FAILED);
            assertThat(millrace.list(TaskQuery.ALL.topic("dead"), null, 10).items())
                    .singleElement()
                    .satisfies(letter -> assertThat(letter.given().origin()).isNotNull());
        }
    }

    @ParameterizedTest
    @EnumSource
    void two_nodes_share_the_work_and_run_each_task_once(DatabaseProduct product) {
        Map<UUID, Integer> runs = new ConcurrentHashMap<>();
        Map<String, Integer> byNode = new ConcurrentHashMap<>();
        try (TestDatabase database = product.newDatabase();
                Millrace one = Millrace.open(database.url(), OPTIONS);
                Millrace other = Millrace.open(database.url(), OPTIONS)) {
            Map.of("one", one, "other", other)
                    .forEach((name, node) -> node.handle("shared", (payload, context) -> {
                        runs.merge(context.task().id(), 1, Integer::sum);
                        byNode.merge(name, 1, Integer::sum);
                    }));
            List<UUID> ids = new ArrayList<>();
            for (int i = 0; i < TASKS; i += 50) {
                List<NewTask> some = new ArrayList<>();
                for (int j = 0; j < 50; j++) {
                    some.add(NewTask.builder("shared").priority(j % 3).build());
                }
                (i % 100 == 0 ? one : other).enqueue(some).forEach(enqueued -> ids.add(enqueued.id()));
            }
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> one.count(TaskQuery.ALL.pending()).isEmpty());

            assertThat(runs.keySet()).containsExactlyInAnyOrderElementsOf(ids);
            assertThat(runs.values()).containsOnly(1);
            assertThat(byNode).containsOnlyKeys("one", "other");
            assertThat(one.count(TaskQuery.ALL.state(TaskState.SUCCEEDED)))
                    .singleElement()
                    .satisfies(count -> assertThat(count.count()).isEqualTo(TASKS));
        }
    }
}
