package io.millrace.queue;

import static io.millrace.queue.Background.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Schedule;
import io.millrace.Staffing;
import io.millrace.WorkQueue;
import io.millrace.WorkQueueBuilder;
import io.millrace.internal.engine.HandClock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a range of a schedule changes in a queue: the fewest and the most workers, and the factors. The day begins. */
class ScheduledWorkersTest {
    private static final Duration TICK = Duration.ofSeconds(1);
    private final HandClock clock = new HandClock();
    private final Gate gate = new Gate();
    private WorkQueue<String> queue;

    @AfterEach
    void close() {
        queue.closeNow();
        assertThat(clock.pending()).isEmpty();
    }

    private WorkQueueBuilder<String> builder(String range, Staffing staffing) {
        return WorkQueue.<String>builder()
                .capacity(100)
                .clock(clock)
                .sleepInterval(Duration.ofHours(10))
                .schedule(Schedule.in(ZoneOffset.UTC).range(range, staffing))
                .handler(gate);
    }

    private void advanceTo(String time) {
        clock.advance(Duration.between(clock.instant(), Instant.parse("2030-01-01T" + time + "Z")));
    }

    private void put(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            queue.put("item");
        }
    }

    private void assertWorkers(int active, int sleeping, int stopped) {
        assertThat(queue.workers()).isEqualTo(new WorkQueue.Workers(active, sleeping, stopped));
    }

    @Test
    void the_fewest_of_a_range_are_there_from_its_start_to_its_end() {
        queue = builder("01:00-02:00", Staffing.between(3, 5)).workers(1, 2).build();
        assertWorkers(1, 0, 4);
        advanceTo("00:59:59.999");
        assertWorkers(1, 0, 4);
        advanceTo("01:00:00");
        assertWorkers(3, 0, 2);
        advanceTo("01:59:59.999");
        assertWorkers(3, 0, 2);
        advanceTo("02:00:00");
        assertThat(queue.workers().active()).as("the most outside of the range").isEqualTo(2);
        clock.advance(TICK);
        assertThat(queue.workers().active()).as("nothing to do").isEqualTo(1);
    }

    @Test
    void a_range_in_which_the_queue_is_built_counts_from_the_start() {
        queue = builder("*-01:00", Staffing.fixed(4)).workers(1).build();
        assertWorkers(4, 0, 0);
        advanceTo("01:00:00");
        assertWorkers(1, 3, 0);
    }

    @Test
    void a_full_queue_gets_as_many_workers_as_the_range_allows() throws Exception {
        queue = builder("01:00-02:00", Staffing.between(1, 3)).workers(1).build();
        put(1);
        gate.awaitBegun(1);
        put(100);
        assertThat(queue.offer("no room")).isFalse();
        clock.advance(TICK.multipliedBy(3));
        assertWorkers(1, 0, 2);
        advanceTo("01:00:00");
        assertWorkers(2, 0, 1);
        gate.awaitBegun(2);
        clock.advance(TICK);
        assertWorkers(3, 0, 0);
        gate.awaitBegun(3);
        clock.advance(TICK.multipliedBy(3));
        assertWorkers(3, 0, 0);
    }

    @Test
    void a_put_that_finds_no_room_grows_the_pool_by_the_most_of_the_range() throws Exception {
        queue = builder(
                        "01:00-02:00",
                        Staffing.between(1, 2).wakeUpFactor(0.999999).sleepFactor(0))
                .capacity(1)
                .workers(1)
                .build();
        put(1);
        gate.awaitBegun(1);
        put(1);
        assertThat(queue.offer("no room")).isFalse();
        assertWorkers(1, 0, 1);
        advanceTo("01:00:00");
        assertWorkers(2, 0, 0);
        gate.awaitBegun(2);
        put(1);
        assertThat(queue.offer("no room")).isFalse();
        assertWorkers(2, 0, 0);
    }

    @Test
    void a_range_has_factors_of_its_own() throws Exception {
        Staffing early = Staffing.between(1, 4).sleepFactor(0.1).wakeUpFactor(0.3);
        queue = builder("01:00-02:00", early).workers(1, 4).calibrateEvery(TICK).build();
        put(1);
        gate.awaitBegun(1);
        put(40);
        advanceTo("00:59:59.999");
        assertWorkers(1, 0, 3);
        advanceTo("01:00:00");
        assertWorkers(2, 0, 2);
        gate.awaitBegun(2);
        clock.advance(TICK);
        assertWorkers(3, 0, 1);
        gate.awaitBegun(3);
        clock.advance(TICK);
        assertWorkers(4, 0, 0);
        gate.awaitBegun(4);
        advanceTo("01:59:59.999");
        assertThat(queue.workers().active())
                .as("37 % is not below the sleep factor")
                .isEqualTo(4);
        advanceTo("02:00:00");
        assertThat(queue.workers().active())
                .as("37 % is below that of the queue")
                .isEqualTo(2);
    }

    @Test
    void a_range_without_factors_keeps_those_of_the_queue() throws Exception {
        queue = builder("01:00-02:00", Staffing.between(1, 4))
                .workers(1)
                .sleepFactor(0.1)
                .wakeUpFactor(0.3)
                .calibrateEvery(TICK)
                .build();
        put(1);
        gate.awaitBegun(1);
        put(40);
        advanceTo("01:00:00");
        assertThat(queue.workers().active()).isEqualTo(2);
        gate.awaitBegun(2);
        clock.advance(TICK);
        assertThat(queue.workers().active())
                .as("39 % is above the wake-up factor of the queue")
                .isEqualTo(3);
        gate.awaitBegun(3);
        clock.advance(TICK);
        gate.awaitBegun(4);
        clock.advance(TICK.multipliedBy(3));
        assertThat(queue.workers().active())
                .as("37 % is not below the sleep factor of the queue")
                .isEqualTo(4);
    }

    @Test
    void a_range_with_one_factor_keeps_the_other_of_the_queue() throws Exception {
        queue = builder("01:00-02:00", Staffing.between(1, 4).wakeUpFactor(0.3))
                .workers(1, 2)
                .sleepFactor(0.1)
                .wakeUpFactor(0.9)
                .calibrateEvery(TICK)
                .build();
        put(1);
        gate.awaitBegun(1);
        put(40);
        advanceTo("00:59:59.999");
        assertWorkers(1, 0, 3);
        advanceTo("01:00:00");
        assertThat(queue.workers().active()).isEqualTo(2);
        gate.awaitBegun(2);
        clock.advance(TICK);
        assertThat(queue.workers().active()).isEqualTo(3);
    }

    @Test
    void a_range_with_more_workers_that_begins_while_all_are_busy_starts_them_at_once() throws Exception {
        queue = builder("01:00-02:00", Staffing.fixed(4))
                .workers(2)
                .calibrateEvery(Duration.ofHours(5))
                .build();
        put(10);
        gate.awaitBegun(2);
        assertThat(queue.size()).isEqualTo(8);
        advanceTo("01:00:00");
        assertWorkers(4, 0, 0);
        gate.awaitBegun(4);
        assertThat(queue.size()).isEqualTo(6);
    }

    @Test
    void a_range_with_fewer_workers_that_begins_while_all_are_busy_lets_them_finish() throws Exception {
        AtomicReference<Gate> current = new AtomicReference<>(gate);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        queue = builder("01:00-02:00", Staffing.fixed(1))
                .workers(3)
                .calibrateEvery(Duration.ofHours(5))
                .handler(item -> {
                    threads.add(Thread.currentThread());
                    current.get().handle(item);
                })
                .build();
        put(6);
        gate.awaitBegun(3);
        advanceTo("01:00:00");
        assertWorkers(1, 2, 0);
        Gate next = new Gate();
        current.set(next);
        gate.open();
        gate.awaitHandled(3);
        next.awaitBegun(1);
        until(() -> threads.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING));
        assertThat(next.begun()).as("only one goes on").hasSize(1);
        assertThat(queue.size()).isEqualTo(2);
        advanceTo("02:00:00");
        assertWorkers(3, 0, 0);
        next.awaitBegun(3);
        assertThat(threads).as("the sleepers are back").hasSize(3);
        next.open();
        queue.close();
        assertThat(next.handled()).hasSize(3);
        assertThat(queue.totals()).isEqualTo(new WorkQueue.Totals(0, 0, 0, 0));
    }
}
