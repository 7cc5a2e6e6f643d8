package io.millrace.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.Worker;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who works, and how to make it stop. */
abstract class WorkersContract extends MillraceGroup {
    @Test
    void without_handlers_nobody_works() {
        assertThat(millrace.workers().list()).isEmpty();
    }

    @Test
    void a_worker_tells_what_it_serves_and_how_much_it_runs() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        millrace.handle("t", (payload, context) -> end.await());
        UUID id = enqueue("t");
        eventually(() -> state(id) == TaskState.RUNNING);

        assertThat(millrace.workers().list()).singleElement().satisfies(worker -> {
            assertThat(worker.name()).isEqualTo("millrace");
            assertThat(worker.topics()).containsExactly("t");
            assertThat(worker.status()).isEqualTo(Worker.Status.ACTIVE);
            assertThat(worker.running()).isEqualTo(1);
        });
        end.countDown();
        finished(id);
    }

    @Test
    void a_worker_told_to_stop_finishes_leaves_and_takes_nothing_more() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        millrace.handle("t", (payload, context) -> {
            started.countDown();
            end.await();
        });
        UUID running = enqueue("t");
        assertThat(started.await(SECONDS, TimeUnit.SECONDS)).isTrue();
        UUID worker = millrace.workers().list().get(0).id();
        CompletableFuture<UUID> stopped = millrace.stopped();

        assertThat(millrace.workers().stop(worker)).isTrue();
        UUID next = enqueue("t");
        assertThat(stopped).isNotDone();
        end.countDown();

        assertThat(stopped.get(SECONDS, TimeUnit.SECONDS)).isEqualTo(worker);

        assertThat(finished(running).state()).isEqualTo(TaskState.SUCCEEDED);
        eventually(() -> millrace.workers().list().isEmpty());
        assertThat(state(next)).isEqualTo(TaskState.READY);
    }

    @Test
    void a_worker_that_is_not_there_cannot_be_stopped() {
        assertThat(millrace.workers().stop(UUID.randomUUID())).isFalse();
    }

    private void enqueueMany(int count) {
        var unused = millrace.enqueue(
                IntStream.range(0, count).mapToObj(i -> task("t")).toList());
    }

    /** So many have run; of the others, nobody ever saw anything. */
    private void assertRan(int expected, AtomicInteger runs, int enqueued) throws Exception {
        assertThat(runs).hasValue(expected);
        eventually(() -> millrace.workers().list().isEmpty());
        List<Task> untouched =
                millrace.stream(TaskQuery.ALL.state(TaskState.READY)).toList();
        assertThat(untouched).hasSize(enqueued - expected).allSatisfy(task -> {
            assertThat(task.tally().attempts()).isZero();
            assertThat(task.attempts()).isEmpty();
        });
        assertThat(millrace.count(TaskQuery.ALL.state(TaskState.SUCCEEDED)))
                .containsExactly(new TaskCount("t", TaskState.SUCCEEDED, expected));
    }

    @Test
    void a_worker_leaves_after_its_last_task() throws Exception {
        reopen(MillraceFixture.quick().workers(16).maxTasks(100));
        AtomicInteger runs = new AtomicInteger();
        enqueueMany(300);

        millrace.handle("t", (payload, context) -> runs.incrementAndGet());
        millrace.stopped().get(SECONDS, TimeUnit.SECONDS);

        assertRan(100, runs, 300);
    }

    @Test
    void a_worker_finishes_its_last_tasks_before_it_leaves() throws Exception {
        reopen(MillraceFixture.quick().workers(4).maxTasks(3));
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch started = new CountDownLatch(3);
        CountDownLatch end = new CountDownLatch(1);
        millrace.handle("t", (payload, context) -> {
            runs.incrementAndGet();
            started.countDown();
            end.await();
        });
        enqueueMany(10);
        assertThat(started.await(SECONDS, TimeUnit.SECONDS)).isTrue();

        assertThat(millrace.stopped()).isNotDone();
        assertThat(millrace.workers().list()).hasSize(1);
        end.countDown();
        millrace.stopped().get(SECONDS, TimeUnit.SECONDS);

        assertRan(3, runs, 10);
    }

    @Test
    void a_drain_ends_with_the_last_task() throws Exception {
        reopen(MillraceFixture.quick().workers(16).maxTasks(50));
        AtomicInteger runs = new AtomicInteger();
        enqueueMany(200);

        millrace.handle("t", (payload, context) -> runs.incrementAndGet());
        var unused = millrace.drain();

        assertThat(runs).hasValue(50);
        millrace.stopped().get(SECONDS, TimeUnit.SECONDS);
        assertRan(50, runs, 200);
    }

    @Test
    void a_drain_with_fewer_tasks_than_the_worker_may_take_ends_all_the_same() throws Exception {
        reopen(MillraceFixture.quick().maxTasks(50));
        AtomicInteger runs = new AtomicInteger();
        enqueueMany(20);

        millrace.handle("t", (payload, context) -> runs.incrementAndGet());
        var unused = millrace.drain();

        assertThat(runs).hasValue(20);
        assertThat(millrace.stopped()).isNotDone();
        assertThat(millrace.workers().list()).hasSize(1);
    }
}
