package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Attempt;
import io.millrace.Enqueued;
import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.StoreUnavailableException;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.testkit.client.MillraceFixture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The request arrives, the answer does not. */
class LostAnswersTest {
    private final TestServer server = new TestServer("heap:");
    private final CuttingProxy proxy;
    private final Millrace client;

    LostAnswersTest() throws IOException {
        proxy = new CuttingProxy(server.port());
        client = Millrace.open(proxy.url(), MillraceFixture.quick().build());
    }

    @AfterEach
    void close() throws IOException {
        proxy.cut(number -> false);
        client.closeNow();
        proxy.close();
        server.close();
    }

    private UUID enqueue(String topic) {
        return client.enqueue(NewTask.builder(topic).build()).id();
    }

    @Test
    void every_task_is_enqueued_once() throws Exception {
        proxy.cut(number -> number % 3 == 1);
        List<CompletableFuture<List<Enqueued>>> answers = new ArrayList<>();
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            NewTask task = NewTask.builder("t").build();
            ids.add(task.id());
            answers.add(client.enqueueAsync(List.of(task)));
        }

        for (CompletableFuture<List<Enqueued>> answer : answers) {
            assertThat(answer.get(60, TimeUnit.SECONDS)).hasSize(1);
        }
        assertThat(proxy.cuts()).isPositive();
        assertThat(server.millrace().stream(TaskQuery.ALL)).extracting(Task::id).containsExactlyElementsOf(ids);
    }

    @Test
    void every_outcome_is_applied_once() throws Exception {
        List<NewTask> tasks = IntStream.range(0, 60)
                .mapToObj(i -> NewTask.builder("t").build())
                .toList();
        client.handle("t", (payload, context) -> {});
        // claims, reports and pings alike; after a while the line is good again
        proxy.cut(number -> number < 40 && number % 4 == 0);
        var unused = server.millrace().enqueue(tasks);

        for (NewTask task : tasks) {
            Task ended = server.millrace().finished(task.id()).get(60, TimeUnit.SECONDS);
            assertThat(ended.state()).isEqualTo(TaskState.SUCCEEDED);
            assertThat(ended.attempts())
                    .extracting(Attempt::outcome)
                    .containsOnlyOnce(Outcome.SUCCEEDED)
                    .doesNotContain(Outcome.FAILED, Outcome.LOST);
        }
    }

    @Test
    void a_task_whose_cancelling_was_not_answered_is_cancelled() {
        UUID id = enqueue("t");
        proxy.cut(number -> number == 1);

        client.cancel(id);

        assertThat(proxy.cuts()).isEqualTo(1);
        assertThat(server.millrace().find(id).orElseThrow().state()).isEqualTo(TaskState.CANCELLED);
    }

    @Test
    void a_task_whose_deletion_was_not_answered_is_deleted() {
        UUID id = enqueue("t");
        proxy.cut(number -> number == 1);

        client.delete(id);

        assertThat(server.millrace().find(id)).isEmpty();
    }

    @Test
    void what_must_not_be_done_twice_is_not_sent_again() {
        UUID id = enqueue("t");
        client.cancel(id);
        proxy.cut(number -> number == 1);

        assertThatThrownBy(() -> client.retry(id)).isInstanceOf(StoreUnavailableException.class);
        assertThat(server.millrace().find(id).orElseThrow().state()).isEqualTo(TaskState.READY);
    }

    @Test
    void looks_are_repeated() throws Exception {
        UUID id = enqueue("t");
        proxy.cut(number -> number % 2 == 1);

        assertThat(client.find(id)).isPresent();
        assertThat(client.stream(TaskQuery.ALL)).hasSize(1);
        CompletableFuture<Task> finished = client.finished(id);
        server.millrace().cancel(id);
        assertThat(finished.get(60, TimeUnit.SECONDS).state()).isEqualTo(TaskState.CANCELLED);
    }

    @Test
    void callers_at_the_same_time_share_a_request() throws Exception {
        proxy.hold();
        List<CompletableFuture<List<Enqueued>>> answers = IntStream.range(0, 500)
                .mapToObj(i -> client.enqueueAsync(List.of(NewTask.builder("t").build())))
                .toList();
        proxy.release();

        for (CompletableFuture<List<Enqueued>> answer : answers) {
            assertThat(answer.get(60, TimeUnit.SECONDS)).hasSize(1);
        }
        assertThat(proxy.enqueues()).isEqualTo(2);
    }
}
