package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.DeadLetterRingException;
import io.millrace.Enqueued;
import io.millrace.Event;
import io.millrace.NewTask;
import io.millrace.StopException;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.WrongStateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Dead letters, redrives, and tasks past their deadline. */
class DeadLetterTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private final Bed bed = new Bed();

    @AfterEach
    void close() {
        bed.close();
    }

    private void set(String topic, TopicPolicy.Builder policy) {
        bed.millrace.topics().setPolicy(topic, policy.build());
    }

    private static TopicPolicy.Builder deadLetter(String topic) {
        return TopicPolicy.builder().deadLetter(topic);
    }

    private List<Task> tasksOf(String topic) {
        return bed.millrace.stream(TaskQuery.ALL.topic(topic)).toList();
    }

    @Test
    void dead_letter_topics_that_lead_back_are_refused() {
        set("a", deadLetter("b"));
        set("b", deadLetter("c"));

        assertThatThrownBy(() -> set("c", deadLetter("a")))
                .isInstanceOf(DeadLetterRingException.class)
                .hasMessageContaining("c → a → b → c");
        assertThatThrownBy(() -> set("b", deadLetter("a"))).isInstanceOf(DeadLetterRingException.class);
        assertThatThrownBy(() -> set("d", deadLetter("d"))).isInstanceOf(DeadLetterRingException.class);
        set("d", deadLetter("a"));
        assertThat(bed.millrace.topics().get("c").policy()).isEqualTo(TopicPolicy.DEFAULT);
        assertThat(bed.millrace.topics().get("b").policy().deadLetter()).isEqualTo("c");
    }

    @Test
    void a_redrive_goes_on_past_any_number_of_tasks_that_it_cannot_move() throws Exception {
        set("a", deadLetter("dead"));
        List<NewTask> others = new ArrayList<>();
        for (int i = 0; i < 1_200; i++) {
            others.add(NewTask.builder("dead").build());
        }
        bed.millrace.enqueue(others);
        AtomicBoolean mended = new AtomicBoolean();
        bed.millrace.handle("a", (payload, context) -> {
            if (!mended.get()) {
                throw new StopException("no luck");
            }
        });
        List<UUID> ids = List.of(bed.enqueue("a"), bed.enqueue("a"), bed.enqueue("a"));
        bed.millrace.drain();
        assertThat(tasksOf("dead")).hasSize(1_203);
        mended.set(true);

        assertThat(bed.millrace.topics().redrive("dead")).isEqualTo(3);

        assertThat(tasksOf("dead")).hasSize(1_200).allSatisfy(task -> {
            assertThat(task.state()).isEqualTo(TaskState.READY);
            assertThat(task.tally().attempts()).isZero();
        });
        bed.millrace.drain();
        assertThat(bed.millrace.stream(TaskQuery.ALL.topic("a").state(TaskState.SUCCEEDED)))
                .hasSize(3);
        for (UUID id : ids) {
            assertThat(bed.get(id).redriven()).isTrue();
            assertThatThrownBy(() -> bed.millrace.retry(id))
                    .isInstanceOf(WrongStateException.class)
                    .hasMessageContaining("redriven");
        }
        assertThat(bed.millrace.retryAll(TaskQuery.ALL.topic("a").state(TaskState.FAILED)))
                .isZero();
    }

    @Test
    void a_redrive_that_takes_long_uses_up_neither_time_nor_attempts_of_what_stays() throws Exception {
        set("a", deadLetter("dead"));
        bed.millrace.handle("a", (payload, context) -> {
            throw new StopException("no luck");
        });
        for (int i = 0; i < 3; i++) {
            bed.enqueue(NewTask.builder("a").timeout(Duration.ofSeconds(1)));
        }
        bed.millrace.drain();

        long redriven = bed.millrace.local().redrive("dead", topic -> {
            bed.advance(Duration.ofSeconds(10));
            return false;
        });

        assertThat(redriven).isZero();
        bed.advance(Duration.ofMinutes(1));
        assertThat(tasksOf("dead")).hasSize(3).allSatisfy(task -> {
            assertThat(task.state()).isEqualTo(TaskState.READY);
            assertThat(task.tally().attempts()).isZero();
        });
    }

    @Test
    void a_letter_whose_original_was_retried_stays() throws Exception {
        set("a", deadLetter("dead"));
        AtomicInteger runs = new AtomicInteger();
        bed.millrace.handle("a", (payload, context) -> {
            if (runs.incrementAndGet() == 1) {
                throw new StopException("no luck");
            }
        });
        UUID id = bed.enqueue("a");
        bed.millrace.drain();
        bed.millrace.topics().pause("a");
        bed.millrace.retry(id);

        assertThat(bed.millrace.topics().redrive("dead")).isZero();
        bed.millrace.topics().resume("a");
        bed.millrace.drain();

        assertThat(runs).hasValue(2);
        assertThat(bed.get(id).redriven()).isFalse();
        assertThat(tasksOf("dead")).hasSize(1);
    }

    @Test
    void a_redrive_whose_original_is_gone_moves_its_letter() throws Exception {
        set("a", deadLetter("dead"));
        AtomicBoolean mended = new AtomicBoolean();
        bed.millrace.handle("a", (payload, context) -> {
            if (!mended.get()) {
                throw new StopException("no luck");
            }
        });
        UUID id = bed.enqueue("a");
        bed.millrace.drain();
        bed.millrace.delete(id);
        mended.set(true);

        assertThat(bed.millrace.topics().redrive("dead")).isEqualTo(1);
    }

    @Test
    void a_duplicate_by_key_in_an_array_uses_up_no_room() {
        set("full", deadLetter("dead").capacity(2));
        bed.enqueue(NewTask.builder("full").uniqueKey("k"));
        NewTask duplicate = NewTask.builder("full").uniqueKey("k").build();
        NewTask fits = NewTask.builder("full").build();
        NewTask leaks = NewTask.builder("full").build();

        List<Enqueued> answers = bed.millrace.enqueue(List.of(duplicate, fits, leaks));

        assertThat(answers.get(0).duplicate()).isTrue();
        assertThat(answers.get(1).leakedTo()).isNull();
        assertThat(answers.get(2).leakedTo()).isEqualTo("dead");
        assertThat(tasksOf("full")).extracting(Task::id).contains(fits.id()).hasSize(2);
        assertThat(tasksOf("dead")).hasSize(1);
    }

    @Test
    void an_expired_task_leaves_a_letter_where_the_policy_says_so() throws Exception {
        set("a", deadLetter("dead").deadLetterOn(Set.of(TaskState.EXPIRED)));
        UUID id = bed.enqueue(NewTask.builder("a").deadline(MINUTE));
        bed.advance(MINUTE.plusSeconds(1));
        bed.millrace.handle("a", (payload, context) -> {});

        assertThat(bed.finished(id).state()).isEqualTo(TaskState.EXPIRED);

        Task letter = tasksOf("dead").get(0);
        assertThat(letter.given().origin().id()).isEqualTo(id);
        assertThat(letter.given().origin().error()).contains("deadline");
        assertThat(bed.get(id).attempts()).isEmpty();
        assertThat(bed.events.await(Event.TaskExpired.class, 1)).hasSize(1);
    }

    @Test
    void an_expired_task_leaves_no_letter_by_default() throws Exception {
        set("a", deadLetter("dead"));
        UUID id = bed.enqueue(NewTask.builder("a").deadline(MINUTE));
        bed.advance(MINUTE.plusSeconds(1));
        bed.millrace.handle("a", (payload, context) -> {});

        assertThat(bed.finished(id).state()).isEqualTo(TaskState.EXPIRED);
        assertThat(tasksOf("dead")).isEmpty();
    }

    @Test
    void a_task_past_its_deadline_keeps_neither_its_key_nor_its_room() {
        set("a", deadLetter("dead").capacity(1).deadLetterOn(Set.of(TaskState.EXPIRED)));
        UUID first = bed.enqueue(NewTask.builder("a").uniqueKey("k").deadline(MINUTE));
        bed.advance(MINUTE.plusSeconds(1));

        Enqueued second = bed.millrace.enqueue(
                NewTask.builder("a").uniqueKey("k").deadline(MINUTE).build());

        assertThat(second.duplicate()).isFalse();
        assertThat(second.leakedTo()).isNull();
        assertThat(bed.get(first).state()).isEqualTo(TaskState.EXPIRED);
        bed.advance(MINUTE.plusSeconds(1));
        Enqueued third = bed.millrace.enqueue(NewTask.builder("a").build());
        assertThat(third.leakedTo()).isNull();
        assertThat(bed.get(second.id()).state()).isEqualTo(TaskState.EXPIRED);
        assertThat(tasksOf("dead")).hasSize(2);
    }
}
