package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Attempt;
import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.spi.Change;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a task when an attempt has ended. */
abstract class CompletionContract extends StoreGroup {
    @ParameterizedTest
    @EnumSource(names = {"SUCCEEDED", "FAILED", "TIMED_OUT", "CANCELLED"})
    void a_task_can_end_as(TaskState state) {
        LeasedTask leased = running(worker());
        advance(MINUTE);

        CompletionResult result = complete(Reports.end(leased.lease(), state, Duration.ofHours(4)));

        Task task = read(leased.task().id());
        assertThat(result).isEqualTo(CompletionResult.applied(state, List.of()));
        assertThat(task.state()).isEqualTo(state);
        assertThat(task.moments().finished()).isEqualTo(now());
        assertThat(task.moments().removal()).isEqualTo(now().plus(Duration.ofHours(4)));
    }

    @Test
    void the_result_is_kept() {
        LeasedTask leased = running(worker());
        Payload result = Payload.json("{\"sum\":42}");

        apply(Reports.success(leased.lease(), result));

        assertThat(read(leased.task().id()).result()).isEqualTo(result);
    }

    @Test
    void a_task_without_retention_is_gone_at_once() {
        LeasedTask leased = running(worker(), task().uniqueKey("key"));

        CompletionResult result = complete(Reports.end(leased.lease(), TaskState.SUCCEEDED, Duration.ZERO));

        assertThat(result.state()).isEqualTo(TaskState.SUCCEEDED);
        assertThat(find(leased.task().id())).isEmpty();
        add(task().id(leased.task().id()).uniqueKey("key"));
    }

    @Test
    void a_requeue_without_delay_makes_the_task_ready() {
        LeasedTask leased = running(worker());

        CompletionResult result = complete(Reports.requeue(leased.lease(), Next.Reason.RETRY, Duration.ZERO));

        assertThat(result).isEqualTo(CompletionResult.applied(TaskState.READY, List.of()));
        assertThat(read(leased.task().id()).state()).isEqualTo(TaskState.READY);
    }

    @Test
    void a_requeue_with_delay_makes_the_task_wait_for_its_time() {
        LeasedTask leased = running(worker());
        advance(MINUTE);

        CompletionResult result = complete(Reports.requeue(leased.lease(), Next.Reason.SNOOZE, MINUTE));

        UUID id = leased.task().id();
        assertThat(result).isEqualTo(CompletionResult.applied(TaskState.SCHEDULED, List.of()));
        assertThat(read(id).state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(read(id).moments().due()).isEqualTo(now().plus(MINUTE));
        advance(MINUTE);
        assertThat(ids(claim(worker(), 1, from(leased.task().topic())))).containsExactly(id);
    }

    @ParameterizedTest
    @CsvSource({"RETRY, 1, 0", "LOSS, 0, 1", "SNOOZE, 0, 0", "RELEASE, 0, 0"})
    void a_requeue_is_counted_as_what_it_is(Next.Reason reason, int retries, int losses) {
        UUID worker = worker();
        LeasedTask first = running(worker, task());
        apply(Reports.requeue(first.lease(), reason, Duration.ZERO));
        apply(Reports.requeue(claimOne(worker).lease(), reason, Duration.ZERO));

        assertThat(read(first.task().id()).tally()).isEqualTo(new Task.Tally(2, 2 * retries, 2 * losses, 0));
    }

    @Test
    void a_lease_given_up_before_the_start_is_no_attempt() {
        UUID worker = worker();
        LeasedTask first = running(worker, task());
        Completion report = Reports.notStarted(first.lease());

        CompletionResult result = complete(report);

        Task task = read(first.task().id());
        assertThat(result.state()).isEqualTo(TaskState.READY);
        assertThat(task.tally()).isEqualTo(new Task.Tally(0, 0, 0, 0));
        assertThat(task.attempts()).isEmpty();
        assertThat(complete(report)).isEqualTo(CompletionResult.REPEATED);
        LeasedTask again = claimOne(worker);
        assertThat(again.lease().attempt()).isEqualTo(1);
        assertThat(again.lease().token()).isNotEqualTo(first.lease().token());
        assertThat(complete(Reports.success(first.lease()))).isEqualTo(CompletionResult.LEASE_LOST);
        assertThat(read(first.task().id()).state()).isEqualTo(TaskState.RUNNING);
        succeed(again);
        assertThat(read(first.task().id()).attempts()).hasSize(1);
    }

    @Test
    void a_later_lease_given_up_before_the_start_is_no_attempt_either() {
        UUID worker = worker();
        LeasedTask first = running(worker, task());
        apply(Reports.requeue(first.lease(), Next.Reason.RETRY, Duration.ZERO));

        apply(Reports.notStarted(claimOne(worker).lease()));

        Task task = read(first.task().id());
        assertThat(task.tally()).isEqualTo(new Task.Tally(1, 1, 0, 0));
        assertThat(task.attempts()).hasSize(1);
        assertThat(claimOne(worker).lease().attempt()).isEqualTo(2);
    }

    @Test
    void a_task_cancelled_before_the_start_had_no_attempt() {
        LeasedTask leased = running(worker(), task());
        change(new Change.Cancel(Map.of()), leased.task().id());

        apply(Reports.notStarted(leased.lease()));

        Task task = read(leased.task().id());
        assertThat(task.state()).isEqualTo(TaskState.CANCELLED);
        assertThat(task.tally().attempts()).isZero();
        assertThat(task.attempts()).isEmpty();
    }

    @Test
    void every_attempt_is_recorded() {
        UUID first = worker();
        UUID second = worker();
        UUID id = add();
        var start = now();
        LeasedTask leased = claimOne(first);
        advance(MINUTE);
        var end = now();
        apply(Reports.requeue(leased.lease(), Next.Reason.RETRY, Duration.ZERO));
        advance(MINUTE);
        var restart = now();
        LeasedTask again = claimOne(second);
        advance(MINUTE);
        succeed(again);

        assertThat(read(id).attempts())
                .containsExactly(
                        new Attempt(1, first, start, end, Outcome.FAILED, Reports.ERROR),
                        new Attempt(2, second, restart, now(), Outcome.SUCCEEDED, null));
    }

    @Test
    void a_claimed_task_knows_its_earlier_attempts() {
        UUID worker = worker();
        apply(Reports.requeue(running(worker, task()).lease(), Next.Reason.RETRY, Duration.ZERO));

        assertThat(claimOne(worker).task().attempts()).hasSize(1);
    }

    @Test
    void an_error_of_the_greatest_length_is_kept() {
        LeasedTask leased = running(worker());
        String error = "é".repeat(Limits.ERROR_LENGTH);

        apply(Reports.failure(leased.lease(), error));

        assertThat(read(leased.task().id()).lastError()).isEqualTo(error);
    }

    @Test
    void of_very_many_attempts_the_last_are_kept() {
        UUID worker = worker();
        UUID id = add();
        int extra = 3;
        for (int i = 0; i < Task.ATTEMPTS_KEPT + extra; i++) {
            apply(Reports.requeue(claimOne(worker).lease(), Next.Reason.SNOOZE, Duration.ZERO));
        }

        List<Attempt> attempts = read(id).attempts();

        assertThat(attempts).hasSize(Task.ATTEMPTS_KEPT);
        assertThat(attempts.get(0).number()).isEqualTo(extra + 1);
        assertThat(read(id).attemptsDropped()).isEqualTo(extra);
        assertThat(read(id).tally().attempts()).isEqualTo(Task.ATTEMPTS_KEPT + extra);
    }

    @Test
    void of_many_long_errors_the_last_are_kept() {
        UUID worker = worker();
        UUID id = add();
        int fit = Task.ERRORS_KEPT / Limits.ERROR_LENGTH;
        int ended = 2 * fit + 1;
        for (int i = 1; i <= ended; i++) {
            LeasedTask leased = claimOne(worker);
            assertThat(leased.task().attempts()).as("as the worker sees it").hasSize(Math.min(i - 1, fit));
            apply(Reports.retry(leased.lease(), longError(i)));
        }

        Task task = read(id);

        assertThat(task.attempts())
                .extracting(Attempt::number)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(ended - fit + 1, ended).boxed().toList());
        assertThat(task.attempts())
                .allSatisfy(attempt -> assertThat(attempt.error()).isEqualTo(longError(attempt.number())));
        assertThat(task.attemptsDropped()).isEqualTo(ended - fit);
        assertThat(task.tally().attempts()).isEqualTo(ended);
    }

    /** One of the greatest length, and none like another. */
    private static String longError(int number) {
        return (number + "é").repeat(Limits.ERROR_LENGTH).substring(0, Limits.ERROR_LENGTH);
    }

    @Test
    void the_error_that_ends_a_task_takes_the_place_of_older_ones() {
        UUID worker = worker();
        UUID id = add();
        int fit = Task.ERRORS_KEPT / Limits.ERROR_LENGTH;
        for (int i = 1; i <= fit; i++) {
            apply(Reports.retry(claimOne(worker).lease(), longError(i)));
        }
        assertThat(read(id).attemptsDropped()).isZero();

        apply(Reports.failure(claimOne(worker).lease(), longError(fit + 1)));

        assertThat(read(id).lastError()).isEqualTo(longError(fit + 1));
        assertThat(read(id).attempts()).hasSize(fit);
        assertThat(read(id).attemptsDropped()).isEqualTo(1);
    }

    @Test
    void many_short_errors_push_out_a_long_one() {
        UUID worker = worker();
        UUID id = add();
        int length = 1_000;
        int fit = (Task.ERRORS_KEPT - Limits.ERROR_LENGTH) / length;
        apply(Reports.retry(claimOne(worker).lease(), longError(1)));
        for (int i = 0; i < fit; i++) {
            apply(Reports.retry(claimOne(worker).lease(), "x".repeat(length)));
        }
        assertThat(read(id).attemptsDropped()).isZero();

        apply(Reports.retry(claimOne(worker).lease(), "x".repeat(length)));

        assertThat(read(id).attemptsDropped()).isEqualTo(1);
        assertThat(read(id).attempts()).hasSize(fit + 1);
    }

    @Test
    void spawned_tasks_come_in_with_the_completion() {
        LeasedTask leased = running(worker());
        NewTask ready = task().priority(3).build();
        NewTask later = task(OTHER).delay(MINUTE).build();
        NewTask waiting = task().waitFor(2).build();

        apply(Reports.spawning(leased.lease(), ready, later, waiting));

        assertThat(read(ready.id()).given()).isEqualTo(ready);
        assertThat(read(ready.id()).state()).isEqualTo(TaskState.READY);
        assertThat(read(later.id()).state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(read(later.id()).moments().due()).isEqualTo(now().plus(MINUTE));
        assertThat(read(waiting.id()).state()).isEqualTo(TaskState.WAITING);
        assertThat(ids(claim(worker(), 2))).containsExactly(ready.id());
    }

    @Test
    void spawned_duplicates_stay_out() {
        LeasedTask leased = running(worker());
        UUID known = add(task().uniqueKey("key"));
        NewTask fresh = task().uniqueKey("other key").build();

        apply(Reports.spawning(
                leased.lease(),
                task(OTHER).id(known).build(),
                task().uniqueKey("key").build(),
                fresh,
                fresh,
                task().uniqueKey("other key").build()));

        assertThat(ids(claim(worker(), 10, from(TOPIC), from(OTHER)))).containsExactly(known, fresh.id());
    }

    @Test
    void a_task_can_spawn_its_successor_with_its_own_key() {
        LeasedTask leased = running(worker(), task().uniqueKey("key"));
        NewTask successor = task().uniqueKey("key").build();

        apply(Reports.spawning(leased.lease(), successor));

        assertThat(find(successor.id())).isPresent();
    }

    @Test
    void results_come_in_the_order_of_the_completions() {
        UUID worker = worker();
        LeasedTask first = running(worker);
        LeasedTask second = running(worker);
        LeasedTask third = running(worker);

        List<CompletionResult> results = store.complete(List.of(
                Reports.failure(second.lease()),
                Reports.success(first.lease()),
                Reports.requeue(third.lease(), Next.Reason.SNOOZE, MINUTE)));

        assertThat(results)
                .extracting(CompletionResult::state)
                .containsExactly(TaskState.FAILED, TaskState.SUCCEEDED, TaskState.SCHEDULED);
    }

    @Test
    void without_a_request_to_stop_the_plain_next_is_taken() {
        LeasedTask leased = running(worker());
        Completion completion = Reports.requeue(leased.lease(), Next.Reason.RETRY, MINUTE);

        assertThat(complete(completion).state()).isEqualTo(TaskState.SCHEDULED);
    }

    @Test
    void no_completions_have_no_results() {
        assertThat(store.complete(List.of())).isEmpty();
    }
}
