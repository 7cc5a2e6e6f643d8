package io.millrace.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Enqueued;
import io.millrace.InvalidValueException;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.Retention;
import io.millrace.Retry;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicFullException;
import io.millrace.TopicPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Enqueueing. */
abstract class ProducingContract extends MillraceGroup {
    @Test
    void everything_given_is_kept() {
        Instant runAt = Instant.parse("2100-01-02T03:04:05Z");
        NewTask given = NewTask.builder("mail@2/eu")
                .payload(Payload.json("{\"to\": [\"ä\", 1.50]}"))
                .entityId("order-7")
                .scope("acme", "/room 1", "c&d=e")
                .priority(-5)
                .runAt(runAt)
                .timeout(Duration.ofSeconds(90))
                .retry(Retry.DEFAULT.max(3))
                .uniqueKey("k")
                .retention(new Retention(Duration.ofDays(2), null))
                .build();

        Enqueued enqueued = millrace.enqueue(given);

        assertThat(enqueued).isEqualTo(new Enqueued(given.id(), false, null));
        Task task = get(given.id());
        assertThat(task.given()).isEqualTo(given);
        assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(task.moments().due()).isEqualTo(runAt);
    }

    @Test
    void a_callback_is_refused_since_nobody_would_call_it() {
        NewTask good = task("t");
        NewTask bad = NewTask.builder("t").callback("https://example.org/done").build();

        assertThatThrownBy(() -> millrace.enqueue(List.of(good, bad)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("callback: ")
                .hasMessageContaining("https://example.org/done")
                .hasMessageContaining("push is not available yet");
        assertThatThrownBy(() -> millrace.enqueueAsync(List.of(bad)).get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(InvalidValueException.class);
        assertThat(millrace.find(good.id())).isEmpty();
    }

    @Test
    void bytes_stay_bytes_and_nothing_stays_nothing() {
        byte[] bytes = {0, (byte) 0xff, 13, 10};
        UUID raw = enqueue(NewTask.builder("t").payload(Payload.bytes(bytes)));
        UUID empty = enqueue("t");

        assertThat(get(raw).payload()).isEqualTo(Payload.bytes(bytes));
        assertThat(get(empty).payload()).isEqualTo(Payload.EMPTY);
    }

    @Test
    void many_are_answered_in_their_order() {
        List<NewTask> tasks =
                IntStream.range(0, 500).mapToObj(i -> task("t" + i % 3)).toList();

        List<Enqueued> answers = millrace.enqueue(tasks);

        assertThat(answers)
                .extracting(Enqueued::id)
                .containsExactlyElementsOf(tasks.stream().map(NewTask::id).toList());
        assertThat(millrace.stream(TaskQuery.ALL)).hasSize(500);
    }

    @Test
    void the_same_id_again_is_a_duplicate() {
        NewTask first = NewTask.builder("t").payload(text("first")).build();
        NewTask second =
                NewTask.builder("t").id(first.id()).payload(text("second")).build();
        NewTask other = task("t");
        var unused = millrace.enqueue(first);

        assertThat(millrace.enqueue(List.of(other, second)))
                .containsExactly(new Enqueued(other.id(), false, null), new Enqueued(first.id(), true, null));
        assertThat(get(first.id()).payload()).isEqualTo(text("first"));
    }

    @Test
    void a_unique_key_holds_while_its_task_is_pending() {
        UUID first = enqueue(NewTask.builder("t").uniqueKey("k"));
        NewTask second = NewTask.builder("t").uniqueKey("k").build();

        assertThat(millrace.enqueue(second)).isEqualTo(new Enqueued(first, true, null));
        assertThat(millrace.find(second.id())).isEmpty();
        millrace.cancel(first);
        assertThat(millrace.enqueue(second)).isEqualTo(new Enqueued(second.id(), false, null));
    }

    @Test
    void a_delayed_task_waits() {
        UUID id = enqueue(NewTask.builder("t").delay(LONG));

        Task task = get(id);
        assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(Duration.between(task.moments().created(), task.moments().due()))
                .isEqualTo(LONG);
    }

    @Test
    void a_delayed_task_runs_when_it_is_due() throws Exception {
        millrace.handle("t", (payload, context) -> {});

        Task task = finished(enqueue(NewTask.builder("t").delay(Duration.ofMillis(300))));

        assertThat(task.attempts().get(0).startedAt())
                .isAfterOrEqualTo(task.moments().created().plusMillis(300));
    }

    @Test
    void lower_priorities_run_first() throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        millrace.topics().setPolicy("t", TopicPolicy.builder().concurrency(1).build());
        List<UUID> ids = new ArrayList<>();
        for (int priority : new int[] {200, 100, -1}) {
            ids.add(enqueue(NewTask.builder("t").priority(priority).payload(text("p" + priority))));
        }
        millrace.handle("t", (payload, context) -> order.add(payload.text()));

        for (UUID id : ids) {
            finished(id);
        }
        assertThat(order).containsExactly("\"p-1\"", "\"p100\"", "\"p200\"");
    }

    @Test
    void concurrent_callers_get_their_own_answers() throws Exception {
        List<NewTask> tasks = IntStream.range(0, 300).mapToObj(i -> task("t")).toList();
        List<CompletableFuture<List<Enqueued>>> answers = new ArrayList<>();
        for (NewTask task : tasks) {
            answers.add(millrace.enqueueAsync(List.of(task, task("u"))));
        }

        for (int i = 0; i < tasks.size(); i++) {
            List<Enqueued> answer = answers.get(i).get(SECONDS, TimeUnit.SECONDS);
            assertThat(answer).hasSize(2);
            assertThat(answer.get(0)).isEqualTo(new Enqueued(tasks.get(i).id(), false, null));
        }
        assertThat(millrace.stream(TaskQuery.ALL)).hasSize(600);
    }

    @Test
    void a_full_topic_takes_all_of_a_call_or_nothing() {
        millrace.topics().setPolicy("small", TopicPolicy.builder().capacity(3).build());
        var unused = millrace.enqueue(List.of(task("small"), task("small")));

        assertThatThrownBy(() -> millrace.enqueue(List.of(task("other"), task("small"), task("small"))))
                .isInstanceOfSatisfying(
                        TopicFullException.class, e -> assertThat(e.topic()).isEqualTo("small"))
                .hasMessage(new TopicFullException("small", 3).getMessage());
        assertThat(millrace.count(TaskQuery.ALL))
                .singleElement()
                .satisfies(count -> assertThat(count.count()).isEqualTo(2));
    }

    @Test
    void one_callers_full_topic_does_not_fail_another() throws Exception {
        millrace.topics().setPolicy("small", TopicPolicy.builder().capacity(5).build());
        List<CompletableFuture<List<Enqueued>>> small = new ArrayList<>();
        List<CompletableFuture<List<Enqueued>>> large = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            small.add(millrace.enqueueAsync(List.of(task("small"))));
            large.add(millrace.enqueueAsync(List.of(task("large"))));
        }

        for (CompletableFuture<List<Enqueued>> each : large) {
            assertThat(each.get(SECONDS, TimeUnit.SECONDS)).hasSize(1);
        }
        int full = 0;
        for (CompletableFuture<List<Enqueued>> each : small) {
            try {
                var unused = each.get(SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                assertThat(e.getCause()).isInstanceOf(TopicFullException.class);
                full++;
            }
        }
        assertThat(full).isEqualTo(15);
    }

    @Test
    void a_full_topic_with_a_dead_letter_topic_leaks() {
        millrace.topics()
                .setPolicy(
                        "small",
                        TopicPolicy.builder().capacity(1).deadLetter("dead").build());
        NewTask leaking = task("small");
        NewTask first = task("small");

        List<Enqueued> answers = millrace.enqueue(List.of(first, leaking));

        assertThat(answers.get(0)).isEqualTo(new Enqueued(first.id(), false, null));
        assertThat(answers.get(1).leakedTo()).isEqualTo("dead");
        Task letter = get(answers.get(1).id());
        assertThat(letter.topic()).isEqualTo("dead");
        assertThat(letter.given().origin()).isNotNull().satisfies(origin -> {
            assertThat(origin.topic()).isEqualTo("small");
            assertThat(origin.id()).isEqualTo(leaking.id());
        });
    }
}
