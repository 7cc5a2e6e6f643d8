package io.millrace.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.InvalidValueException;
import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.TaskQuery;
import io.millrace.TopicPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Values that are not allowed: the same exception with the same field everywhere, and nothing changed. */
abstract class BadInputContract extends MillraceGroup {
    private static void refused(String field, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        InvalidValueException.class, e -> assertThat(e.field()).isEqualTo(field))
                .hasMessageStartingWith(field + ": ")
                .hasMessageContaining(" is not allowed; ");
    }

    @Test
    void too_few_or_too_many_tasks() {
        refused("tasks", () -> millrace.enqueue(List.of()));
        refused("tasks", () -> millrace.enqueue(Collections.nCopies(Limits.BATCH + 1, task("t"))));
    }

    @Test
    void a_payload_that_is_too_large() throws Exception {
        NewTask large = NewTask.builder("t")
                .payload(Payload.bytes(new byte[Limits.PAYLOAD_BYTES + 1]))
                .build();

        refused("payload", () -> millrace.enqueue(List.of(task("t"), large)));
        assertThat(failureOf(millrace.enqueueAsync(List.of(large)))).isInstanceOf(InvalidValueException.class);
        assertThat(millrace.stream(TaskQuery.ALL)).isEmpty();
    }

    @Test
    void a_payload_of_just_the_size_that_is_allowed_is_taken() {
        Payload payload = Payload.bytes(new byte[Limits.PAYLOAD_BYTES]);

        assertThat(get(enqueue(NewTask.builder("t").payload(payload))).payload())
                .isEqualTo(payload);
    }

    @Test
    void a_deadline_in_the_past() {
        NewTask late = NewTask.builder("t")
                .deadline(Instant.parse("2001-01-01T00:00:00Z"))
                .build();

        refused("deadline", () -> millrace.enqueue(late));
        refused("deadline", () -> millrace.enqueue(List.of(task("t"), late)));
        assertThat(millrace.stream(TaskQuery.ALL)).isEmpty();
    }

    @Test
    void one_callers_bad_task_does_not_fail_another() throws Exception {
        NewTask late = NewTask.builder("t")
                .deadline(Instant.parse("2001-01-01T00:00:00Z"))
                .build();
        List<CompletableFuture<?>> good = new ArrayList<>();
        List<CompletableFuture<?>> bad = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            good.add(millrace.enqueueAsync(List.of(task("t"))));
            bad.add(millrace.enqueueAsync(List.of(task("t"), late)));
        }

        for (CompletableFuture<?> each : bad) {
            assertThat(failureOf(each)).isInstanceOf(InvalidValueException.class);
        }
        CompletableFuture.allOf(good.toArray(new CompletableFuture<?>[0])).get(SECONDS, TimeUnit.SECONDS);
        assertThat(millrace.stream(TaskQuery.ALL)).hasSize(30);
    }

    @Test
    void names_of_topics() {
        refused("topic", () -> millrace.topics().get("no spaces"));
        refused("topic", () -> millrace.topics().pause(""));
        refused("topic", () -> millrace.topics().resume("ü"));
        refused("topic", () -> millrace.topics().redrive("a?b"));
        refused("topic", () -> millrace.topics().removePolicy("a#b"));
        refused("topic", () -> millrace.handle("a b", (payload, context) -> {}));
    }

    @Test
    void a_topic_that_is_its_own_dead_letter_topic() {
        TopicPolicy policy = TopicPolicy.builder().deadLetter("t").build();

        refused("deadLetter", () -> millrace.topics().setPolicy("t", policy));
    }

    @Test
    void pages() {
        refused("limit", () -> millrace.list(TaskQuery.ALL, null, 0));
        refused("limit", () -> millrace.list(TaskQuery.ALL, null, Limits.PAGE + 1));
        refused("cursor", () -> millrace.list(TaskQuery.ALL, "no cursor", 1));
    }

    @Test
    void changes_of_everything() {
        refused("query", () -> millrace.deleteAll(TaskQuery.ALL));
        refused("query", () -> millrace.cancelAll(TaskQuery.ALL));
        refused("query", () -> millrace.retryAll(TaskQuery.ALL));
    }

    @Test
    void a_second_handler_of_a_topic() {
        millrace.handle("t", (payload, context) -> {});

        refused("topic", () -> millrace.handle("t", (payload, context) -> {}));
    }

    @Test
    void a_result_that_is_too_large_fails_its_task_only() throws Exception {
        millrace.handle("t", (payload, context) -> {
            if (payload.size() > 0) {
                context.result(Payload.bytes(new byte[Limits.PAYLOAD_BYTES + 1]));
            }
        });
        var large = enqueue(NewTask.builder("t").payload(text("large")));
        var small = enqueue("t");

        assertThat(finished(large).lastError()).contains("cannot be kept");
        assertThat(finished(small).attempts()).hasSize(1);
    }
}
