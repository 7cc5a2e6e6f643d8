package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Enqueued;
import io.millrace.Event;
import io.millrace.Event.TaskChanged.Kind;
import io.millrace.InvalidValueException;
import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.TaskNotFoundException;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.When;
import io.millrace.WrongStateException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Enqueueing, looking and managing, as users do it. */
class ManagementTest {
    private final Bed bed = new Bed();

    @AfterEach
    void close() {
        bed.close();
    }

    @Test
    void the_same_id_again_is_a_duplicate_and_not_an_error() {
        NewTask task = NewTask.builder("a").build();

        assertThat(bed.millrace.enqueue(task).duplicate()).isFalse();
        Enqueued again = bed.millrace.enqueue(task);

        assertThat(again).isEqualTo(new Enqueued(task.id(), true, null));
        assertThat(bed.events.all(Event.TaskDuplicate.class)).hasSize(1);
    }

    @Test
    void tasks_are_enqueued_without_waiting_too() {
        CompletableFuture<List<Enqueued>> answer = bed.millrace.enqueueAsync(
                List.of(NewTask.builder("a").build(), NewTask.builder("b").build()));

        assertThat(answer.join()).hasSize(2);
        assertThat(bed.millrace.count(TaskQuery.ALL)).hasSize(2);
        assertThat(bed.millrace.enqueueAsync(List.of())).isCompletedExceptionally();
    }

    @Test
    void a_task_may_start_in_a_far_future() {
        try (Millrace millrace = Millrace.open("heap:")) {
            millrace.handle("a", (payload, context) -> {});
            NewTask far = NewTask.builder("a")
                    .runAt(Instant.parse("9999-01-01T00:00:00Z"))
                    .build();

            millrace.enqueue(far);

            assertThat(millrace.find(far.id()).orElseThrow().state()).isEqualTo(TaskState.SCHEDULED);
            assertThat(millrace.why(far.id()).orElseThrow()).contains("9999-01-01");
        }
    }

    @Test
    void what_is_missing_is_refused_by_name() {
        assertThatThrownBy(() -> bed.millrace.enqueue((NewTask) null)).hasMessageContaining("task: null");
        assertThatThrownBy(() -> bed.millrace.topics().setPolicy("a", null)).hasMessageContaining("policy: null");
        assertThatThrownBy(() -> Millrace.open("heap:", null)).hasMessageContaining("options: null");
        assertThatThrownBy(() -> TaskQuery.ALL.states(null)).hasMessageContaining("states: null");
    }

    @Test
    void a_stream_shows_every_task_page_by_page() {
        List<NewTask> batch = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            batch.add(NewTask.builder(i % 2 == 0 ? "even" : "odd").build());
        }
        bed.millrace.enqueue(batch);

        assertThat(bed.millrace.stream(TaskQuery.ALL.topic("even")).map(task -> task.id()))
                .containsExactlyElementsOf(batch.stream()
                        .filter(task -> task.topic().equals("even"))
                        .map(NewTask::id)
                        .toList());
        assertThatThrownBy(() -> bed.millrace.list(TaskQuery.ALL, "nonsense", 10))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("cursor");
        assertThatThrownBy(() -> bed.millrace.list(TaskQuery.ALL, null, 0)).hasMessageContaining("limit");
        assertThatThrownBy(() -> bed.millrace.list(TaskQuery.ALL, null, 1_001)).hasMessageContaining("limit");
    }

    @Test
    void each_change_is_allowed_in_its_states_only_and_says_so() throws Exception {
        UUID id = bed.enqueue("a");
        assertThatThrownBy(() -> bed.millrace.retry(id))
                .isInstanceOf(WrongStateException.class)
                .hasMessageContaining("READY");

        bed.millrace.reschedule(id, When.after(Duration.ofHours(1)));
        assertThat(bed.get(id).state()).isEqualTo(TaskState.SCHEDULED);
        bed.millrace.cancel(id);
        assertThat(bed.finished(id).state()).isEqualTo(TaskState.CANCELLED);
        assertThatThrownBy(() -> bed.millrace.cancel(id)).isInstanceOf(WrongStateException.class);
        assertThatThrownBy(() -> bed.millrace.reschedule(id, When.NOW)).isInstanceOf(WrongStateException.class);
        bed.millrace.retry(id);
        assertThat(bed.get(id).state()).isEqualTo(TaskState.READY);
        bed.millrace.delete(id);
        assertThatThrownBy(() -> bed.millrace.delete(id)).isInstanceOf(TaskNotFoundException.class);

        assertThat(bed.events.all(Event.TaskChanged.class))
                .extracting(Event.TaskChanged::kind)
                .containsExactly(Kind.RESCHEDULED, Kind.CANCELLED, Kind.RETRIED, Kind.DELETED);
    }

    @Test
    void a_task_that_is_awaited_and_deleted_is_reported_as_missing() {
        UUID id = bed.enqueue("a");
        CompletableFuture<?> finished = bed.millrace.finished(id);
        assertThat(finished).isNotDone();

        bed.millrace.delete(id);

        assertThatThrownBy(finished::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(TaskNotFoundException.class);
        assertThat(bed.millrace.finished(UUID.randomUUID())).isCompletedExceptionally();
    }

    @Test
    void changes_of_many_tasks_need_a_filter() {
        for (int i = 0; i < 2_345; i++) {
            bed.enqueue(NewTask.builder("a").scope("acme", "room" + i % 2));
        }

        assertThatThrownBy(() -> bed.millrace.deleteAll(TaskQuery.ALL)).hasMessageContaining("filter");
        assertThat(bed.millrace.cancelAll(TaskQuery.ALL.scope("acme", "room1"))).isEqualTo(1_172);
        assertThat(bed.millrace.retryAll(TaskQuery.ALL.state(TaskState.CANCELLED)))
                .isEqualTo(1_172);
        assertThat(bed.millrace.deleteAll(TaskQuery.ALL.scope("acme"))).isEqualTo(2_345);
        assertThat(bed.millrace.count(TaskQuery.ALL)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "with space", "ü", "a\nb"})
    void a_bad_topic_is_refused_at_the_call_and_nothing_is_enqueued(String topic) {
        assertThatThrownBy(() -> bed.millrace.enqueue(topic, Payload.EMPTY))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("topic: ");
        assertThat(bed.millrace.count(TaskQuery.ALL)).isEmpty();
    }

    @Test
    void bad_input_is_refused_at_the_call_and_nothing_of_the_call_is_enqueued() {
        NewTask good = NewTask.builder("a").build();
        List<NewTask> bad = List.of(
                NewTask.builder("a")
                        .payload(Payload.bytes(new byte[(1 << 20) + 1]))
                        .build(),
                NewTask.builder("a")
                        .deadline(Instant.parse("2029-12-31T23:59:59Z"))
                        .build(),
                NewTask.builder("a")
                        .delay(Duration.ofHours(2))
                        .deadline(Instant.parse("2030-01-01T01:00:00Z"))
                        .build());
        for (NewTask task : bad) {
            assertThatThrownBy(() -> bed.millrace.enqueue(List.of(good, task)))
                    .isInstanceOf(InvalidValueException.class);
        }
        assertThatThrownBy(() -> bed.millrace.enqueue(List.of())).hasMessageContaining("tasks: 0");
        assertThatThrownBy(() -> bed.millrace.enqueue(Collections.nCopies(10_001, good)))
                .hasMessageContaining("tasks: 10001");
        assertThatThrownBy(() -> NewTask.builder(null)).hasMessageContaining("topic: null");
        assertThatThrownBy(() -> NewTask.builder("x".repeat(201))).hasMessageContaining("201 characters");
        assertThatThrownBy(() -> NewTask.builder("a").delay(Duration.ofSeconds(-1)))
                .hasMessageContaining("delay");
        assertThat(bed.millrace.count(TaskQuery.ALL)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap:x", "nothing:", "", "jdbc:unknown://x"})
    void an_unknown_store_is_refused_with_the_url(String url) {
        assertThatThrownBy(() -> Millrace.open(url))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("url: \"" + url + "\"");
    }

    @Test
    void typed_payloads_without_a_codec_are_refused_with_what_to_do() {
        assertThatThrownBy(() -> bed.millrace.enqueue("a", List.of(1))).hasMessageContaining("millrace-json");
    }
}
