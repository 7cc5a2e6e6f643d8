package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.Attempt;
import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.StoreUnavailableException;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.testkit.client.MillraceFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server goes and comes again. */
class RestartTest {
    private static final int PRODUCERS = 4;
    private static final int EACH = 150;

    @Test
    void in_the_middle_of_load_nothing_is_lost_or_applied_twice(@TempDir Path directory) throws Exception {
        ExecutorService producers = Executors.newFixedThreadPool(PRODUCERS);
        AtomicInteger handled = new AtomicInteger();
        try (TestServer server = new TestServer("embedded:" + directory);
                Millrace client =
                        Millrace.open(server.url(), MillraceFixture.quick().build())) {
            client.handle("t", (payload, context) -> handled.incrementAndGet());
            List<Future<List<UUID>>> produced = new ArrayList<>();
            for (int i = 0; i < PRODUCERS; i++) {
                produced.add(producers.submit(() -> produce(client, handled)));
            }
            for (int restart = 1; restart <= 2; restart++) {
                int soFar = restart * PRODUCERS * EACH / 4;
                await().atMost(60, TimeUnit.SECONDS).until(() -> handled.get() >= soFar);
                server.stop();
                server.start();
            }

            List<UUID> ids = new ArrayList<>();
            for (Future<List<UUID>> each : produced) {
                ids.addAll(each.get(60, TimeUnit.SECONDS));
            }
            for (UUID id : ids) {
                Task task = client.finished(id).get(60, TimeUnit.SECONDS);
                assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
                assertThat(task.attempts()).extracting(Attempt::outcome).containsOnlyOnce(Outcome.SUCCEEDED);
            }
            assertThat(client.stream(TaskQuery.ALL)).extracting(Task::id).containsExactlyInAnyOrderElementsOf(ids);
        } finally {
            producers.shutdownNow();
        }
    }

    /** Stays a little ahead of the handlers, so that there is load whenever the server goes. */
    private static List<UUID> produce(Millrace client, AtomicInteger handled) {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < EACH; i++) {
            int ahead = PRODUCERS * (i - 20);
            await().pollInterval(Duration.ofMillis(2))
                    .atMost(60, TimeUnit.SECONDS)
                    .until(() -> handled.get() >= ahead);
            ids.add(client.enqueue(NewTask.builder("t").build()).id());
        }
        return ids;
    }

    @Test
    void a_worker_that_the_server_has_forgotten_registers_anew() throws Exception {
        try (TestServer server = new TestServer("heap:");
                Millrace client =
                        Millrace.open(server.url(), MillraceFixture.quick().build())) {
            client.handle("t", (payload, context) -> {});
            UUID before = client.workers().list().get(0).id();

            server.stop();
            server.start();

            UUID id = client.enqueue(NewTask.builder("t").build()).id();
            assertThat(client.finished(id).get(60, TimeUnit.SECONDS).state()).isEqualTo(TaskState.SUCCEEDED);
            assertThat(client.workers().list())
                    .singleElement()
                    .satisfies(worker -> assertThat(worker.id()).isNotEqualTo(before));
        }
    }

    @Test
    void calls_wait_for_a_server_that_comes_later() throws Exception {
        try (TestServer server = new TestServer("heap:");
                Millrace client =
                        Millrace.open(server.url(), MillraceFixture.quick().build())) {
            server.stop();
            CompletableFuture<?> enqueued =
                    client.enqueueAsync(List.of(NewTask.builder("t").build()));
            CompletableFuture<Millrace> opened = CompletableFuture.supplyAsync(
                    () -> Millrace.open(server.url(), MillraceFixture.quick().build()));
            server.start();

            assertThat(enqueued.get(60, TimeUnit.SECONDS)).isNotNull();
            opened.get(60, TimeUnit.SECONDS).close();
        }
    }

    @Test
    void patience_has_an_end() {
        TestServer server = new TestServer("heap:");
        try (Millrace client = Millrace.open(
                server.url(),
                MillraceFixture.quick().serverPatience(Duration.ofMillis(200)).build())) {
            server.close();

            assertThatThrownBy(() -> client.enqueue(NewTask.builder("t").build()))
                    .isInstanceOf(StoreUnavailableException.class);
            assertThatThrownBy(() -> client.find(UUID.randomUUID())).isInstanceOf(StoreUnavailableException.class);
            assertThatThrownBy(() -> client.handle("t", (payload, context) -> {}))
                    .isInstanceOf(StoreUnavailableException.class);
        }
        assertThatThrownBy(() -> Millrace.open(
                        server.url(),
                        MillraceFixture.quick()
                                .serverPatience(Duration.ofMillis(200))
                                .build()))
                .isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void running_handlers_go_on_while_the_server_is_away(@TempDir Path directory) throws Exception {
        CompletableFuture<Void> started = new CompletableFuture<>();
        CompletableFuture<Void> end = new CompletableFuture<>();
        try (TestServer server = new TestServer("embedded:" + directory);
                Millrace client =
                        Millrace.open(server.url(), MillraceFixture.quick().build())) {
            client.handle("t", (payload, context) -> {
                started.complete(null);
                end.get();
            });
            UUID id = client.enqueue(NewTask.builder("t").build()).id();
            started.get(60, TimeUnit.SECONDS);

            server.stop();
            end.complete(null);
            server.start();

            Task task = client.finished(id).get(60, TimeUnit.SECONDS);
            assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
            assertThat(task.attempts()).extracting(Attempt::outcome).containsOnlyOnce(Outcome.SUCCEEDED);
        }
    }
}
