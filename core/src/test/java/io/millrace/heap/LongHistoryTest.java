package io.millrace.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Attempt;
import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.internal.engine.HandClock;
import io.millrace.spi.EnqueueRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Journals of earlier versions have histories of up to 1,000 attempts, whatever their errors' length. */
class LongHistoryTest {
    private static final int KEPT_BEFORE = 1_000;

    private final HandClock clock = new HandClock();
    private final StepsInMemory steps = new StepsInMemory();
    private final HeapStore store = new HeapRestore(steps, clock, Long.MAX_VALUE).finish();

    private static List<Attempt> attempts(int first, int last, String error) {
        List<Attempt> attempts = new ArrayList<>();
        for (int number = first; number <= last; number++) {
            attempts.add(new Attempt(number, new UUID(1, 1), Instant.EPOCH, Instant.EPOCH, Outcome.FAILED, error));
        }
        return attempts;
    }

    private Task restoredFrom(List<Attempt> written) {
        NewTask task = NewTask.builder("t").build();
        store.enqueue(List.of(EnqueueRequest.of(task)));
        TaskNode node = store.table().find(task.id());
        node.attempts = written.size();
        node.keep(written);
        store.journaling().carriedOver(node);
        store.journaling().flush();
        return steps.restored(clock, Long.MAX_VALUE)
                .list(TaskQuery.ALL, null, 10)
                .items()
                .get(0);
    }

    @Test
    void more_attempts_than_are_kept_are_cut_when_they_are_read() {
        Task task = restoredFrom(attempts(1, KEPT_BEFORE, "e"));

        assertThat(task.attempts()).isEqualTo(attempts(KEPT_BEFORE - Task.ATTEMPTS_KEPT + 1, KEPT_BEFORE, "e"));
        assertThat(task.attemptsDropped()).isEqualTo(KEPT_BEFORE - Task.ATTEMPTS_KEPT);
        assertThat(task.tally().attempts()).isEqualTo(KEPT_BEFORE);
    }

    @Test
    void longer_errors_than_are_kept_are_cut_when_they_are_read() {
        String error = "x".repeat(Limits.ERROR_LENGTH);
        int fit = Task.ERRORS_KEPT / Limits.ERROR_LENGTH;

        assertThat(restoredFrom(attempts(1, 20, error)).attempts()).isEqualTo(attempts(20 - fit + 1, 20, error));
    }
}
