package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.heap.HeapStore;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.testkit.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody corrects the clock: whether a worker lives and a task runs too long is a question of elapsed time. */
class ClockStepTest {
    private static final Duration EXPIRY = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final SettableClock clock = new SettableClock();

    private TaskStore open(boolean durable) {
        return durable ? TestStores.open(directory, clock, "") : new HeapStore(clock);
    }

    private static UUID mortal(TaskStore store) {
        return store.workers().register(Introduction.ANONYMOUS, EXPIRY);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_step_forward_kills_no_worker_and_ends_no_task(boolean durable) {
        try (TaskStore store = open(durable)) {
            TestStores.add(store, 10);
            UUID worker = mortal(store);
            LeasedTask leased = TestStores.claim(store, worker, 1).get(0);
            clock.advance(Duration.ofSeconds(5));

            clock.step(Duration.ofHours(1));

            assertThat(store.workers().renew(Heartbeat.of(worker)).worker().isAlive())
                    .isTrue();
            assertThat(store.claimExpired(TestStores.worker(store), 10)).isEmpty();
            Instant until = store.get(List.of(leased.task().id())).get(0).hold().until();
            assertThat(Duration.between(clock.instant(), until)).isEqualTo(Duration.ofSeconds(1_795));
            clock.advance(EXPIRY);
            assertThat(store.claimExpired(TestStores.worker(store), 10))
                    .extracting(OverdueLease::reason)
                    .containsExactly(OverdueLease.Reason.WORKER_LOST);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_step_neither_takes_nor_keeps_what_a_worker_does_not_know_of(boolean durable) {
        try (TaskStore store = open(durable)) {
            TestStores.add(store, 10);
            UUID worker = TestStores.worker(store);
            UUID task = TestStores.claim(store, worker, 1).get(0).task().id();
            Heartbeat holdsNothing = new Heartbeat(worker, Set.of(), Duration.ofSeconds(5), List.of());

            clock.step(Duration.ofSeconds(40));
            assertThat(store.workers().renew(holdsNothing).givenUp()).isZero();

            clock.step(Duration.ofHours(-1));
            clock.advance(Duration.ofSeconds(6));
            assertThat(store.workers().renew(holdsNothing).givenUp()).isEqualTo(1);
            assertThat(store.claimExpired(TestStores.worker(store), 10))
                    .extracting(overdue -> overdue.leased().task().id())
                    .containsExactly(task);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_step_back_hides_no_death_and_prolongs_no_time_to_run(boolean durable) {
        try (TaskStore store = open(durable)) {
            TestStores.add(store, 10);
            TestStores.add(store, 10);
            UUID mortal = mortal(store);
            UUID other = TestStores.worker(store);
            UUID lost = TestStores.claim(store, mortal, 1).get(0).task().id();
            UUID overrun = TestStores.claim(store, other, 1).get(0).task().id();

            clock.step(Duration.ofHours(-1));

            clock.advance(EXPIRY);
            assertThat(store.claimExpired(TestStores.worker(store), 10))
                    .extracting(overdue -> overdue.leased().task().id())
                    .containsExactly(lost);
            clock.advance(Duration.ofMinutes(30));
            store.workers().renew(Heartbeat.of(other));
            assertThat(store.claimExpired(TestStores.worker(store), 10))
                    .extracting(overdue -> overdue.leased().task().id())
                    .contains(overrun);
        }
    }
}
