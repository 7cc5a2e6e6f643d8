package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Backoff;
import io.millrace.Jitter;
import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.Origin;
import io.millrace.Payload;
import io.millrace.Retention;
import io.millrace.Retry;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.spi.EnqueueRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How a task comes in: its first state, and that nothing of it is lost. */
abstract class EnqueueContract extends StoreGroup {
    @Test
    void a_task_is_ready_at_once() {
        Task task = read(add());

        assertThat(task.state()).isEqualTo(TaskState.READY);
        assertThat(task.moments()).isEqualTo(new Task.Moments(now(), now(), null, null, null));
        assertThat(task.tally()).isEqualTo(new Task.Tally(0, 0, 0, 0));
        assertThat(task.attempts()).isEmpty();
        assertThat(task.progress()).isNull();
        assertThat(task.result()).isNull();
    }

    @Test
    void a_delay_counts_from_the_time_of_the_store() {
        Task task = read(add(task().delay(MINUTE)));

        assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(task.moments().due()).isEqualTo(now().plus(MINUTE));
    }

    @Test
    void a_task_for_a_later_moment_is_scheduled() {
        Instant moment = now().plus(MINUTE);

        Task task = read(add(task().runAt(moment)));

        assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(task.moments().due()).isEqualTo(moment);
    }

    @Test
    void a_moment_in_the_past_means_now() {
        UUID before = add();

        UUID late = add(task().runAt(now().minus(MINUTE)));

        assertThat(read(late).state()).isEqualTo(TaskState.READY);
        assertThat(ids(claim(worker(), 2))).containsExactly(before, late);
    }

    @Test
    void a_task_with_missing_arrivals_waits() {
        Task task = read(add(task().waitFor(3)));

        assertThat(task.state()).isEqualTo(TaskState.WAITING);
        assertThat(task.tally().waitingFor()).isEqualTo(3);
        assertThat(claim(worker(), 1).tasks()).isEmpty();
    }

    @Test
    void a_scheduled_task_is_ready_when_it_is_due_with_no_call_in_between() {
        UUID id = add(task().delay(MINUTE));

        advance(MINUTE);

        assertThat(read(id).state()).isEqualTo(TaskState.READY);
        assertThat(store.count(TaskQuery.ALL)).containsExactly(new TaskCount(TOPIC, TaskState.READY, 1));
        assertThat(listed(TaskQuery.ALL.state(TaskState.READY))).containsExactly(id);
        assertThat(listed(TaskQuery.ALL.state(TaskState.SCHEDULED))).isEmpty();
    }

    @Test
    void every_field_comes_back_as_given() {
        NewTask given = everythingSet().payload(Payload.json("{\"a\":[1,2]}")).build();

        add(given.toBuilder());

        assertThat(read(given.id()).given()).usingRecursiveComparison().isEqualTo(given);
    }

    @Test
    void what_was_not_set_stays_unset() {
        NewTask given = NewTask.builder(TOPIC).build();

        add(given.toBuilder());

        assertThat(read(given.id()).given()).usingRecursiveComparison().isEqualTo(given);
    }

    @Test
    void a_payload_may_be_any_bytes() {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }

        Task task = read(add(task().payload(Payload.bytes(bytes))));

        assertThat(task.payload()).isEqualTo(Payload.bytes(bytes));
        assertThat(task.payload().isJson()).isFalse();
    }

    @Test
    void a_payload_of_the_largest_size_is_kept() {
        Payload large = Payload.bytes(new byte[Limits.PAYLOAD_BYTES]);

        assertThat(read(add(task().payload(large))).payload()).isEqualTo(large);
    }

    @Test
    void text_of_every_kind_is_kept() {
        String text = "ß é 漢字 🙂 ' \" \\ % _ \t\n; -- $1 {} \u007f";

        NewTask given = task().payload(Payload.json("\"" + text + "\""))
                .entityId(text)
                .scope(text, "plain", text)
                .uniqueKey(text)
                .build();
        add(given.toBuilder());

        assertThat(read(given.id()).given()).isEqualTo(given);
    }

    @Test
    void fields_of_the_greatest_length_are_kept() {
        String longest = "é".repeat(Limits.TAG_LENGTH);
        NewTask given = task("t".repeat(Limits.TOPIC_LENGTH))
                .entityId(longest)
                .uniqueKey(longest)
                .scope(Collections.nCopies(Limits.SCOPE_TAGS, longest))
                .callback("https://example.org/" + "c".repeat(Limits.CALLBACK_LENGTH - 20))
                .build();

        add(given.toBuilder());

        assertThat(read(given.id()).given()).isEqualTo(given);
    }

    @Test
    void a_deadline_counts_from_the_enqueue() {
        Instant enqueued = now();
        UUID id = add(task().deadline(MINUTE));

        advance(MINUTE.dividedBy(2));

        assertThat(read(id).moments().deadline()).isEqualTo(enqueued.plus(MINUTE));
    }

    @Test
    void a_deadline_may_be_a_moment() {
        Instant moment = now().plus(MINUTE);

        assertThat(read(add(task().deadline(moment))).moments().deadline()).isEqualTo(moment);
    }

    @Test
    void topics_differ_in_case() {
        UUID small = add(task("mail"));
        UUID large = add(task("MAIL"));

        assertThat(ids(claim(worker(), 2, from("MAIL")))).containsExactly(large);
        assertThat(ids(claim(worker(), 2, from("mail")))).containsExactly(small);
    }

    @Test
    void results_come_in_the_order_of_the_requests() {
        List<NewTask> tasks = List.of(task().build(), task(OTHER).build(), task().build());

        var results = store.enqueue(List.of(
                EnqueueRequest.of(tasks.get(0), tasks.get(1)), EnqueueRequest.of(), EnqueueRequest.of(tasks.get(2))));

        assertThat(results)
                .containsExactly(storedAsNew(tasks.get(0), tasks.get(1)), storedAsNew(), storedAsNew(tasks.get(2)));
    }

    @Test
    void an_empty_call_is_answered_with_nothing() {
        assertThat(store.enqueue(List.of())).isEmpty();
        assertThat(store.count(TaskQuery.ALL)).isEmpty();
    }

    private NewTask.Builder everythingSet() {
        Retry retry = new Retry(7, Backoff.FIBONACCI, Duration.ofMillis(1_500), Duration.ofHours(1), Jitter.HALF);
        return task().entityId("entity")
                .scope("tenant", "path", "correlation")
                .priority(-7)
                .delay(Duration.ofMillis(90_001))
                .deadline(Duration.ofHours(2))
                .timeout(Duration.ofSeconds(77))
                .retry(retry)
                .uniqueKey("key")
                .callback("https://example.org/hook?a=b")
                .retention(new Retention(Duration.ofMinutes(3), Duration.ZERO))
                .waitFor(2)
                .origin(new Origin(OTHER, UUID.randomUUID(), "poison", "their key"));
    }
}
