package io.millrace.internal.lifecycle;

import static io.millrace.TaskState.FAILED;
import static io.millrace.TaskState.SUCCEEDED;
import static io.millrace.TaskState.TIMED_OUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.NewTask;
import io.millrace.OnTimeout;
import io.millrace.Retry;
import io.millrace.TopicPolicy;
import io.millrace.spi.Completion;
import io.millrace.spi.Ending;
import io.millrace.spi.Next;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks on their whole way, attempt by attempt. */
class RetryScheduleTest {
    private static final Ending FAILURE = new Ending.Failed("broken", false);
    private static final Ending STOP = new Ending.Failed("hopeless", true);
    private static final Ending TIMEOUT = new Ending.TimedOut("too slow");
    private static final Ending LOSS = new Ending.Lost("gone");
    private static final Ending RELEASE = new Ending.Released(true);
    private static final Ending SNOOZE = new Ending.Snoozed(Duration.ofSeconds(3));

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 7, 100})
    void m_retries_are_m_plus_1_attempts(int max) {
        Walk walk = walk(retries(max)).untilFinal(FAILURE);
        assertThat(walk.attempts()).isEqualTo(max + 1);
        assertThat(walk.retries()).isEqualTo(max);
        assertThat(walk.state()).isEqualTo(FAILED);
    }

    @Test
    void by_default_attempts_come_after_c_then_2c_then_4c() {
        assertThat(walk(retries(5)).untilFinal(FAILURE).starts()).isEqualTo(seconds(0, 20, 60, 140, 300, 620));
    }

    @Test
    void the_base_is_settable_on_topic_and_task() {
        TopicPolicy topic = TopicPolicy.builder()
                .retry(Retry.exponential(Duration.ofSeconds(1)).max(3))
                .build();
        assertThat(walk(topic).untilFinal(FAILURE).starts()).isEqualTo(seconds(0, 1, 3, 7));

        NewTask own = NewTask.builder("email")
                .retry(Retry.constant(Duration.ofSeconds(5)).max(2))
                .build();
        assertThat(new Walk(own, topic).untilFinal(FAILURE).starts()).isEqualTo(seconds(0, 5, 10));
    }

    @Test
    void a_task_can_do_without_the_retries_of_its_topic() {
        NewTask own = NewTask.builder("email").retry(Retry.DEFAULT).build();
        assertThat(new Walk(own, retries(9)).untilFinal(FAILURE).attempts()).isEqualTo(1);
    }

    @Test
    void stop_ends_the_retries_at_once() {
        Walk walk = walk(retries(5));
        walk.attempt(FAILURE);
        walk.attempt(STOP);
        assertThat(walk.state()).isEqualTo(FAILED);
        assertThat(walk.attempts()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 50})
    void the_nth_loss_makes_a_task_poison(int limit) {
        Walk walk = walk(TopicPolicy.builder().lossLimit(limit).build()).untilFinal(LOSS);
        assertThat(walk.attempts()).isEqualTo(limit);
        assertThat(walk.state()).isEqualTo(FAILED);
        assertThat(walk.starts()).containsOnly(Duration.ZERO);
    }

    @Test
    void the_fifth_loss_makes_a_task_poison_by_default() {
        assertThat(walk(TopicPolicy.DEFAULT).untilFinal(LOSS).attempts()).isEqualTo(5);
    }

    @Test
    void a_dead_letter_of_a_poisonous_task_says_so() {
        Walk walk = walk(TopicPolicy.builder().lossLimit(2).deadLetter("dead").build());
        walk.attempt(LOSS);
        Completion last = walk.attempt(LOSS);
        assertThat(((Next.Finish) last.next()).spawned())
                .singleElement()
                .satisfies(letter ->
                        assertThat(letter.origin().error()).isEqualTo("poison: 2 workers were lost over it; gone"));
    }

    @Test
    void losses_use_up_no_retries_and_retries_no_losses() {
        Walk walk = walk(
                TopicPolicy.builder().retry(Retry.DEFAULT.max(2)).lossLimit(3).build());
        for (Ending ending : List.of(LOSS, FAILURE, LOSS, FAILURE)) {
            walk.attempt(ending);
        }
        assertThat(walk.isOver()).isFalse();
        assertThat(walk.retries()).isEqualTo(2);
        assertThat(walk.losses()).isEqualTo(2);
        assertThat(walk.starts()).isEqualTo(seconds(0, 0, 20, 20));
        walk.attempt(LOSS);
        assertThat(walk.state()).isEqualTo(FAILED);
    }

    @Test
    void a_task_that_overran_is_not_run_again_by_itself() {
        Walk walk = walk(retries(5)).untilFinal(TIMEOUT);
        assertThat(walk.attempts()).isEqualTo(1);
        assertThat(walk.state()).isEqualTo(TIMED_OUT);
    }

    @Test
    void where_the_topic_says_so_an_overrun_is_retried_like_a_failure() {
        TopicPolicy policy = TopicPolicy.builder()
                .onTimeout(OnTimeout.RETRY)
                .retry(Retry.DEFAULT.max(2))
                .build();
        Walk walk = walk(policy).untilFinal(TIMEOUT);
        assertThat(walk.starts()).isEqualTo(seconds(0, 20, 60));
        assertThat(walk.state()).isEqualTo(TIMED_OUT);

        Walk mixed = walk(policy);
        mixed.attempt(TIMEOUT);
        mixed.attempt(FAILURE);
        mixed.attempt(FAILURE);
        assertThat(mixed.state()).isEqualTo(FAILED);
    }

    @Test
    void a_snooze_uses_no_retry_and_leaves_the_schedule_alone() {
        Walk walk = walk(retries(2));
        for (Ending ending : List.of(SNOOZE, FAILURE, SNOOZE, SNOOZE, FAILURE)) {
            walk.attempt(ending);
        }
        assertThat(walk.retries()).isEqualTo(2);
        assertThat(walk.starts()).isEqualTo(seconds(0, 3, 23, 26, 29));
        assertThat(walk.untilFinal(FAILURE).attempts()).isEqualTo(6);
    }

    @Test
    void a_release_counts_nothing() {
        Walk walk = walk(
                TopicPolicy.builder().retry(Retry.DEFAULT.max(1)).lossLimit(2).build());
        for (int i = 0; i < 1_000; i++) {
            walk.attempt(RELEASE);
        }
        assertThat(walk.retries()).isZero();
        assertThat(walk.losses()).isZero();
        walk.attempt(FAILURE);
        walk.attempt(LOSS);
        assertThat(walk.isOver()).isFalse();
        assertThat(walk.starts()).containsOnly(Duration.ZERO, Duration.ofSeconds(20));
    }

    @Test
    void a_success_ends_it_at_any_time() {
        Walk walk = walk(retries(3));
        for (Ending ending : List.of(FAILURE, LOSS, SNOOZE, RELEASE, FAILURE, Ending.Succeeded.PLAIN)) {
            walk.attempt(ending);
        }
        assertThat(walk.state()).isEqualTo(SUCCEEDED);
    }

    private static TopicPolicy retries(int max) {
        return TopicPolicy.builder().retry(Retry.DEFAULT.max(max)).build();
    }

    private static Walk walk(TopicPolicy policy) {
        return new Walk(NewTask.builder("email").build(), policy);
    }

    private static List<Duration> seconds(long... seconds) {
        return Arrays.stream(seconds).mapToObj(Duration::ofSeconds).toList();
    }
}
