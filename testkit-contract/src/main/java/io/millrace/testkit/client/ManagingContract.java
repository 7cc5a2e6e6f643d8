package io.millrace.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.NewTask;
import io.millrace.Task;
import io.millrace.TaskNotFoundException;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.When;
import io.millrace.WrongStateException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Cancelling, retrying, rescheduling and deleting. */
abstract class ManagingContract extends MillraceGroup {
    @Test
    void a_cancelled_task_is_final() throws Exception {
        UUID id = enqueue("t");

        millrace.cancel(id);

        assertThat(state(id)).isEqualTo(TaskState.CANCELLED);
        assertThat(finished(id).state()).isEqualTo(TaskState.CANCELLED);
        assertThatThrownBy(() -> millrace.cancel(id))
                .isInstanceOf(WrongStateException.class)
                .hasMessage(new WrongStateException(id, "cancelled", "it is CANCELLED").getMessage());
    }

    @Test
    void a_final_task_can_be_retried_and_its_attempts_go_on() throws Exception {
        millrace.handle("t", (payload, context) -> {
            if (context.attempt() == 1) {
                throw new IllegalStateException("at first");
            }
        });
        UUID id = enqueue("t");
        assertThat(finished(id).state()).isEqualTo(TaskState.FAILED);

        millrace.retry(id);

        Task task = finished(id);
        assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
        assertThat(task.attempts()).hasSize(2);
    }

    @Test
    void a_pending_task_cannot_be_retried() {
        UUID id = enqueue("t");

        assertThatThrownBy(() -> millrace.retry(id)).isInstanceOf(WrongStateException.class);
    }

    @Test
    void a_task_can_be_given_another_time() {
        UUID id = enqueue("t");
        Instant later = Instant.parse("2100-01-01T00:00:00Z");

        millrace.reschedule(id, When.at(later));
        assertThat(state(id)).isEqualTo(TaskState.SCHEDULED);
        assertThat(get(id).moments().due()).isEqualTo(later);
        millrace.reschedule(id, When.after(Duration.ZERO));
        assertThat(millrace.count(TaskQuery.ALL.state(TaskState.READY))).hasSize(1);
        millrace.cancel(id);
        assertThatThrownBy(() -> millrace.reschedule(id, When.at(later))).isInstanceOf(WrongStateException.class);
    }

    @Test
    void a_deleted_task_is_gone_and_its_id_free() {
        NewTask task = task("t");
        var first = millrace.enqueue(task);

        millrace.delete(task.id());

        assertThat(millrace.find(task.id())).isEmpty();
        assertThat(millrace.enqueue(task)).isEqualTo(first);
    }

    @Test
    void a_running_task_is_not_deleted() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        millrace.handle("t", (payload, context) -> {
            started.countDown();
            end.await();
        });
        UUID id = enqueue("t");
        assertThat(started.await(SECONDS, TimeUnit.SECONDS)).isTrue();

        assertThatThrownBy(() -> millrace.delete(id)).isInstanceOf(WrongStateException.class);
        end.countDown();
        assertThat(finished(id).state()).isEqualTo(TaskState.SUCCEEDED);
    }

    @Test
    void nothing_can_be_done_to_a_task_that_is_not_there() {
        UUID id = UUID.randomUUID();
        notThere(id, millrace::cancel);
        notThere(id, millrace::retry);
        notThere(id, millrace::delete);
        notThere(id, any -> millrace.reschedule(any, When.NOW));
    }

    private static void notThere(UUID id, Consumer<UUID> change) {
        assertThatThrownBy(() -> change.accept(id))
                .isInstanceOf(TaskNotFoundException.class)
                .hasMessage(new TaskNotFoundException(id).getMessage());
    }

    @Test
    void all_that_match_can_be_changed() {
        UUID one = enqueue(NewTask.builder("t").entityId("e"));
        UUID two = enqueue(NewTask.builder("t").entityId("e").delay(LONG));
        UUID other = enqueue("t");
        TaskQuery query = TaskQuery.ALL.entityId("e");

        assertThat(millrace.cancelAll(query)).isEqualTo(2);
        assertThat(millrace.cancelAll(query)).isZero();
        assertThat(state(one)).isEqualTo(TaskState.CANCELLED);
        assertThat(millrace.retryAll(query)).isEqualTo(2);
        assertThat(state(two)).isEqualTo(TaskState.READY);
        assertThat(millrace.deleteAll(query)).isEqualTo(2);
        assertThat(millrace.stream(TaskQuery.ALL)).extracting(Task::id).containsExactly(other);
    }
}
