package io.millrace.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TaskState;
import io.millrace.Worker;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
}
