package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.When;
import io.millrace.spi.Change;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.Records;
import io.millrace.spi.WakeUpListener;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store that pushes says when something is ready; one that does not stays silent. */
abstract class WakeUpContract extends StoreGroup {
    private static final String RECORDS = "(records)";

    private final BlockingQueue<String> signals = new LinkedBlockingQueue<>();

    @BeforeEach
    final void listen() {
        store.onWakeUp(new WakeUpListener() {
            @Override
            public void ready(String topic) {
                signals.add(topic);
            }

            @Override
            public void recordsChanged() {
                signals.add(RECORDS);
            }
        });
    }

    @Test
    void a_task_that_comes_in_ready_is_told() {
        add();

        assertTold(TOPIC);
    }

    @Test
    void each_topic_of_a_call_is_told() {
        enqueue(EnqueueRequest.of(task(OTHER).build(), task("third").build()));

        assertTold(OTHER, "third");
    }

    @Test
    void a_spawned_task_is_told() {
        LeasedTask leased = running(worker());
        signals.clear();

        apply(Reports.spawning(leased.lease(), task(OTHER).build()));

        assertTold(OTHER);
    }

    @Test
    void a_released_task_is_told() {
        UUID waiting = add(task(OTHER).waitFor(1));
        LeasedTask leased = running(worker());
        signals.clear();

        apply(Reports.arriving(leased.lease(), waiting));

        assertTold(OTHER);
    }

    @Test
    void a_requeued_task_is_told() {
        LeasedTask leased = running(worker(), task(OTHER));
        signals.clear();

        apply(Reports.requeue(leased.lease(), Next.Reason.RELEASE, Duration.ZERO));

        assertTold(OTHER);
    }

    @Test
    void a_task_retried_by_hand_is_told() {
        UUID id = finished(task(OTHER));
        signals.clear();

        change(new Change.Retry(), id);

        assertTold(OTHER);
    }

    @Test
    void a_task_brought_forward_by_hand_is_told() {
        UUID id = add(task(OTHER).delay(MINUTE));
        signals.clear();

        change(new Change.Reschedule(When.NOW), id);

        assertTold(OTHER);
    }

    @Test
    void a_changed_record_is_told() {
        store.records().put("key", "value", Records.ABSENT);

        assertTold(RECORDS);
    }

    @Test
    void a_removed_record_is_told() {
        store.records().put("key", "value", Records.ABSENT);
        assertTold(RECORDS);
        signals.clear();

        store.records().remove("key", store.records().get("key").orElseThrow().version());

        assertTold(RECORDS);
    }

    /** Signals may be late, come in any order, and be mixed with others. */
    private void assertTold(String... expected) {
        Optional<Duration> patience = fixture.wakeUpsWithin();
        if (patience.isEmpty()) {
            assertThat(signals).as("the store is said to be silent").isEmpty();
            return;
        }
        Set<String> missing = new HashSet<>(Set.of(expected));
        while (!missing.isEmpty()) {
            String signal = nextSignal(patience.get());
            assertThat(signal).as("signals for %s", missing).isNotNull();
            missing.remove(signal);
        }
    }

    private @Nullable String nextSignal(Duration patience) {
        try {
            return signals.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
