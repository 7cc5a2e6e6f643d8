package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.CompletionResult.Status;
import io.millrace.spi.Lease;
import io.millrace.spi.Next;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Follows the ends of attempts. */
record ModelCompletion(Model model, ModelEnqueue enqueue) {
    void check(List<Completion> completions, List<CompletionResult> results) {
        assertThat(results).hasSameSizeAs(completions);
        for (int i = 0; i < completions.size(); i++) {
            check(completions.get(i), results.get(i));
        }
    }

    private void check(Completion completion, CompletionResult result) {
        ModelTask task = model.find(completion.lease().task());
        if (task == null || !isGood(completion.lease(), task)) {
            checkRefusal(completion, task, result);
            return;
        }
        assertThat(result.status()).as("%s", completion).isEqualTo(Status.APPLIED);
        Next next = task.running().cancelRequested ? completion.ifCancelled() : completion.next();
        if (completion.isAttempt()) {
            task.endAttempt(completion.lease(), completion.outcome(), completion.error(), model.now);
        } else {
            task.endLease(completion.lease(), completion.outcome());
        }
        if (next instanceof Next.Requeue requeue) {
            requeue(task, requeue, result);
        } else {
            finish(task, (Next.Finish) next, result);
        }
    }

    private boolean isGood(Lease lease, ModelTask task) {
        return task.running != null
                && task.running.lease.equals(lease)
                && !task.running.givenUp
                && model.isAlive(lease.worker());
    }

    /** A report repeated very late, or by a worker that is gone, may be taken for either. */
    private void checkRefusal(Completion completion, @Nullable ModelTask task, CompletionResult result) {
        if (task != null && task.lastReport != null && task.lastReport.lease().equals(completion.lease())) {
            boolean same = task.lastReport.outcome() == completion.outcome();
            boolean certain =
                    task.running == null && model.isAlive(completion.lease().worker());
            if (same && certain) {
                assertThat(result).as("%s", completion).isEqualTo(CompletionResult.REPEATED);
                return;
            }
            if (same) {
                assertThat(result).isIn(CompletionResult.REPEATED, CompletionResult.LEASE_LOST);
                return;
            }
        }
        boolean forgotten = task == null || task.leases.contains(completion.lease());
        if (forgotten) {
            assertThat(result).isIn(CompletionResult.REPEATED, CompletionResult.LEASE_LOST);
        } else {
            assertThat(result).as("%s", completion).isEqualTo(CompletionResult.LEASE_LOST);
        }
    }

    private void requeue(ModelTask task, Next.Requeue requeue, CompletionResult result) {
        task.requeue(model.now.plus(requeue.delay()), model.now);
        task.retries += requeue.reason() == Next.Reason.RETRY ? 1 : 0;
        task.losses += requeue.reason() == Next.Reason.LOSS ? 1 : 0;
        assertThat(result).isEqualTo(CompletionResult.applied(task.state(model.now), List.of()));
    }

    private void finish(ModelTask task, Next.Finish finish, CompletionResult result) {
        task.finish(finish.state(), finish.result(), finish.retention(), model.now);
        model.dropIfNotKept(task);
        finish.spawned().forEach(enqueue::spawn);
        List<UUID> released = new ArrayList<>();
        for (UUID id : finish.arrivals()) {
            ModelTask waiting = model.find(id);
            if (waiting != null && waiting.arrive(model.now)) {
                released.add(id);
            }
        }
        assertThat(result.state()).isEqualTo(finish.state());
        assertThat(result.released()).containsExactlyInAnyOrderElementsOf(released);
    }
}
