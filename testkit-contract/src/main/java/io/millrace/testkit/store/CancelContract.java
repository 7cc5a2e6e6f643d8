package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Retention;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult.Item;
import io.millrace.spi.ChangeResult.Status;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A task that is cancelled ends at once, or is told to stop. */
abstract class CancelContract extends StoreGroup {
    private static final Change CANCEL = new Change.Cancel(Map.of());

    @ParameterizedTest
    @EnumSource(names = {"WAITING", "SCHEDULED", "READY"})
    void a_cancelled_task_ends_at_once_if_it_was(TaskState state) {
        UUID id = pending(state, task());
        advance(Duration.ofSeconds(1));

        assertThat(change(CANCEL, id).items()).containsExactly(new Item(id, Status.CHANGED, TOPIC, state));

        assertThat(read(id).state()).isEqualTo(TaskState.CANCELLED);
        assertThat(read(id).moments().finished()).isEqualTo(now());
        advance(MINUTE);
        assertThat(claim(worker(), 1).tasks()).isEmpty();
    }

    @Test
    void a_cancelled_task_is_kept_as_its_topics_policy_says() {
        TopicPolicy policy = TopicPolicy.builder()
                .retention(new Retention(MINUTE, Duration.ofHours(3)))
                .build();
        UUID id = add();
        UUID other = add(task(OTHER));

        change(new Change.Cancel(Map.of(TOPIC, policy)), id, other);

        assertThat(read(id).moments().removal()).isEqualTo(now().plus(Duration.ofHours(3)));
        assertThat(read(other).moments().removal()).isEqualTo(now().plus(Duration.ofDays(7)));
    }

    @Test
    void a_cancelled_task_that_is_not_kept_is_gone() {
        UUID id = add(task().retention(new Retention(null, Duration.ZERO)));

        assertThat(changeOne(CANCEL, id)).isEqualTo(Status.CHANGED);

        assertThat(find(id)).isEmpty();
    }

    @Test
    void a_running_task_is_only_marked_to_stop() {
        LeasedTask leased = running(worker(), task());
        UUID id = leased.task().id();

        assertThat(change(CANCEL, id).items()).containsExactly(new Item(id, Status.CHANGED, TOPIC, TaskState.RUNNING));

        assertThat(read(id).state()).isEqualTo(TaskState.RUNNING);
        assertThat(hold(read(id)).cancelRequested()).isTrue();
    }

    @Test
    void a_task_marked_to_stop_ends_as_its_completion_says_for_that_case() {
        LeasedTask leased = running(worker(), task());
        change(CANCEL, leased.task().id());

        Completion completion = Reports.requeue(leased.lease(), Next.Reason.RETRY, MINUTE);

        assertThat(complete(completion).state()).isEqualTo(TaskState.CANCELLED);
        Task task = read(leased.task().id());
        assertThat(task.state()).isEqualTo(TaskState.CANCELLED);
        assertThat(task.moments().removal()).isEqualTo(now().plus(Reports.KEPT_IF_CANCELLED));
        assertThat(task.attempts()).hasSize(1);
        assertThat(complete(completion)).isEqualTo(CompletionResult.REPEATED);
    }

    @Test
    void a_task_that_succeeded_all_the_same_has_succeeded() {
        LeasedTask leased = running(worker(), task());
        change(CANCEL, leased.task().id());

        succeed(leased);

        assertThat(read(leased.task().id()).state()).isEqualTo(TaskState.SUCCEEDED);
    }

    @Test
    void a_final_task_cannot_be_cancelled() {
        UUID id = finished(task());
        Task before = read(id);

        assertThat(change(CANCEL, id).items())
                .containsExactly(new Item(id, Status.WRONG_STATE, TOPIC, TaskState.SUCCEEDED));

        assertThat(read(id)).isEqualTo(before);
    }
}
