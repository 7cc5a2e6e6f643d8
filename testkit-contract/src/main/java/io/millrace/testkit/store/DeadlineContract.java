package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Retention;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A task that was not taken in time ends as EXPIRED. */
abstract class DeadlineContract extends StoreGroup {
    private static final Duration TOO_LONG = MINUTE.plusSeconds(1);

    @Test
    void a_task_whose_deadline_has_passed_expires_instead_of_running() {
        UUID id = add(task().deadline(MINUTE));
        advance(TOO_LONG);

        ClaimResult result = claim(worker(), 1);

        assertThat(result.tasks()).isEmpty();
        assertThat(result.expired()).containsExactly(read(id));
        assertThat(read(id).state()).isEqualTo(TaskState.EXPIRED);
        assertThat(read(id).attempts()).isEmpty();
        assertThat(read(id).tally().attempts()).isZero();
    }

    @Test
    void a_task_within_its_deadline_runs() {
        UUID id = add(task().deadline(MINUTE));
        advance(MINUTE.minusSeconds(1));

        assertThat(ids(claim(worker(), 1))).containsExactly(id);
    }

    @Test
    void a_running_task_is_past_its_deadline_with_no_harm() {
        LeasedTask leased = running(worker(), task().deadline(MINUTE));
        advance(TOO_LONG);

        succeed(leased);
    }

    @Test
    void those_behind_an_expired_task_are_given_in_its_place() {
        add(task().deadline(MINUTE));
        add(task().deadline(MINUTE));
        UUID next = add();
        advance(TOO_LONG);

        ClaimResult result = claim(worker(), 1);

        assertThat(ids(result)).containsExactly(next);
        assertThat(result.expired()).hasSize(2);
    }

    @Test
    void a_retry_past_the_deadline_expires() {
        UUID worker = worker();
        LeasedTask leased = running(worker, task().deadline(MINUTE));
        apply(Reports.requeue(leased.lease(), Next.Reason.RETRY, TOO_LONG));
        advance(TOO_LONG);

        Task expired = onlyOne(claim(worker, 1).expired());

        assertThat(expired.state()).isEqualTo(TaskState.EXPIRED);
        assertThat(expired.attempts()).hasSize(1);
    }

    @Test
    void an_expired_task_is_kept_as_the_policy_says() {
        Retention retention = new Retention(MINUTE, Duration.ofHours(3));
        TopicPolicy policy = TopicPolicy.builder().retention(retention).build();
        UUID id = add(task().deadline(MINUTE));
        advance(TOO_LONG);

        claim(worker(), 1, from(TOPIC, policy));

        assertThat(read(id).moments().finished()).isEqualTo(now());
        assertThat(read(id).moments().removal()).isEqualTo(now().plus(Duration.ofHours(3)));
    }

    @Test
    void an_expired_tasks_own_retention_comes_before_the_policys() {
        UUID id = add(task().deadline(MINUTE).retention(new Retention(null, Duration.ofHours(5))));
        advance(TOO_LONG);

        claim(worker(), 1);

        assertThat(read(id).moments().removal()).isEqualTo(now().plus(Duration.ofHours(5)));
    }

    @Test
    void an_expired_task_that_is_not_kept_is_reported_and_gone() {
        UUID id = add(task().deadline(MINUTE).retention(new Retention(null, Duration.ZERO)));
        advance(TOO_LONG);

        List<Task> expired = claim(worker(), 1).expired();

        assertThat(expired).extracting(Task::id).containsExactly(id);
        assertThat(expired).extracting(Task::state).containsExactly(TaskState.EXPIRED);
        assertThat(find(id)).isEmpty();
    }

    @Test
    void a_task_expires_only_once() {
        add(task().deadline(MINUTE));
        advance(TOO_LONG);
        UUID worker = worker();

        assertThat(claim(worker, 1).expired()).hasSize(1);
        assertThat(claim(worker, 1).expired()).isEmpty();
    }
}
