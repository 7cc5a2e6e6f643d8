package io.millrace.queue;

import static io.millrace.queue.Background.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Event;
import io.millrace.Schedule;
import io.millrace.Staffing;
import io.millrace.WorkQueue;
import io.millrace.WorkQueueBuilder;
import io.millrace.internal.engine.HandClock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BalancingTest {
    private static final Duration TICK = Duration.ofSeconds(1);
    private final HandClock clock = new HandClock();
    private final Gate gate = new Gate();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private WorkQueue<String> queue;

    @AfterEach
    void close() {
        queue.closeNow();
        assertThat(clock.pending()).isEmpty();
    }

    private WorkQueueBuilder<String> builder() {
        return WorkQueue.<String>builder()
                .capacity(100)
                .clock(clock)
                .observer(events::add)
                .handler(item -> {
                    threads.add(Thread.currentThread());
                    gate.handle(item);
                });
    }

    private void put(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            queue.put("item");
        }
    }

    private int active() {
        return queue.workers().active();
    }

    @Test
    void one_more_works_with_every_calibration_above_the_wake_up_factor_up_to_the_most() throws Exception {
        queue = builder().workers(2, 4).build();
        assertThat(queue.workers()).isEqualTo(new WorkQueue.Workers(2, 0, 2));
        put(2);
        gate.awaitBegun(2);
        put(75);
        clock.advance(TICK);
        assertThat(active()).as("not above the factor").isEqualTo(2);
        put(20);
        clock.advance(TICK.minusMillis(1));
        assertThat(active()).isEqualTo(2);
        clock.advance(Duration.ofMillis(1));
        assertThat(active()).isEqualTo(3);
        gate.awaitBegun(3);
        clock.advance(TICK);
        assertThat(active()).isEqualTo(4);
        clock.advance(TICK.multipliedBy(5));
        assertThat(queue.workers()).isEqualTo(new WorkQueue.Workers(4, 0, 0));
        gate.awaitBegun(4);
        assertThat(events)
                .contains(new Event.WorkerStarted("work-queue", 2), new Event.WorkersChanged("work-queue", 4, 0, 0));
    }

    private void growTo(int workers) throws Exception {
        while (queue.workers().active() < workers) {
            while (queue.offer("item")) {
                // until it is full
            }
            clock.advance(TICK);
        }
        gate.awaitBegun(workers);
    }

    @Test
    void half_of_the_spare_workers_go_to_sleep_below_the_sleep_factor_and_end_after_a_while() throws Exception {
        queue = builder().workers(1, 8).sleepInterval(TICK.multipliedBy(3)).build();
        growTo(8);
        gate.open();
        until(() -> queue.size() == 0);
        clock.advance(TICK);
        assertThat(queue.workers()).isEqualTo(new WorkQueue.Workers(4, 4, 0));
        clock.advance(TICK);
        assertThat(queue.workers()).isEqualTo(new WorkQueue.Workers(2, 6, 0));
        clock.advance(TICK);
        assertThat(queue.workers()).isEqualTo(new WorkQueue.Workers(1, 7, 0));
        clock.advance(TICK);
        assertThat(queue.workers()).isEqualTo(new WorkQueue.Workers(1, 3, 4));
        clock.advance(TICK.multipliedBy(10));
        assertThat(queue.workers()).isEqualTo(new WorkQueue.Workers(1, 0, 7));
        until(() -> threads.stream().distinct().filter(Thread::isAlive).count() == 1);
    }

    @Test
    void so_many_sleep_at_once_as_is_said() throws Exception {
        queue = builder()
                .workers(1, 4)
                .sleepAtOnce(2)
                .sleepInterval(Duration.ofHours(1))
                .build();
        growTo(4);
        gate.open();
        until(() -> queue.size() == 0);
        clock.advance(TICK);
        assertThat(queue.workers()).isEqualTo(new WorkQueue.Workers(2, 2, 0));
        clock.advance(TICK);
        assertThat(queue.workers()).isEqualTo(new WorkQueue.Workers(1, 3, 0));
    }

    @Test
    void a_sleeper_wakes_rather_than_a_new_worker_starts() throws Exception {
        AtomicReference<Gate> current = new AtomicReference<>(gate);
        queue = builder()
                .workers(1, 3)
                .sleepInterval(Duration.ofHours(1))
                .handler(item -> current.get().handle(item))
                .build();
        put(1);
        gate.awaitBegun(1);
        put(90);
        clock.advance(TICK);
        assertThat(queue.workers()).isEqualTo(new WorkQueue.Workers(2, 0, 1));
        gate.open();
        gate.awaitHandled(91);
        clock.advance(TICK);
        assertThat(queue.workers()).isEqualTo(new WorkQueue.Workers(1, 1, 1));
        Gate second = new Gate();
        current.set(second);
        put(1);
        second.awaitBegun(1);
        put(90);
        clock.advance(TICK);
        assertThat(queue.workers()).isEqualTo(new WorkQueue.Workers(2, 0, 1));
        second.awaitBegun(2);
        assertThat(events).filteredOn(Event.WorkerStarted.class::isInstance).hasSize(2);
        assertThat(events).filteredOn(Event.WorkerWoken.class::isInstance).hasSize(1);
    }

    @Test
    void a_put_that_finds_no_room_calibrates_at_once() throws Exception {
        queue = builder().capacity(1).workers(1, 3).build();
        put(1);
        gate.awaitBegun(1);
        put(1);
        assertThat(queue.offer("no room")).isFalse();
        assertThat(active()).isEqualTo(2);
        gate.awaitBegun(2);
        put(2);
        assertThat(active()).isEqualTo(3);
    }

    @Test
    void forced_calibration_waits_for_as_many_puts_as_are_said() throws Exception {
        queue = builder().capacity(1).workers(1, 3).forceCalibrationAt(3).build();
        put(1);
        gate.awaitBegun(1);
        put(1);
        assertThat(queue.offer("no room")).isFalse();
        assertThat(queue.offer("no room")).isFalse();
        assertThat(active()).isEqualTo(1);
        assertThat(queue.offer("no room")).isFalse();
        assertThat(active()).isEqualTo(2);
    }

    @Test
    void sleeping_workers_take_nothing() throws Exception {
        queue = builder().workers(1, 3).sleepInterval(Duration.ofHours(1)).build();
        growTo(3);
        gate.open();
        until(() -> queue.size() == 0);
        clock.advance(TICK.multipliedBy(3));
        assertThat(queue.workers()).isEqualTo(new WorkQueue.Workers(1, 2, 0));
        threads.clear();
        put(50);
        until(() -> threads.size() == 50);
        assertThat(threads.stream().distinct()).hasSize(1);
    }

    @Test
    void a_schedule_changes_the_number_of_workers_to_the_moment() {
        queue = builder()
                .workers(1)
                .calibrateEvery(Duration.ofHours(5))
                .schedule(Schedule.in(ZoneOffset.UTC)
                        .range("01:00-02:00", Staffing.fixed(3))
                        .range("02:00-03:00:00.500", Staffing.fixed(2)))
                .build();
        assertThat(queue.workers()).isEqualTo(new WorkQueue.Workers(1, 0, 2));
        advanceTo("2030-01-01T00:59:59.999Z");
        assertThat(active()).isEqualTo(1);
        advanceTo("2030-01-01T01:00:00Z");
        assertThat(active()).isEqualTo(3);
        advanceTo("2030-01-01T01:59:59.999Z");
        assertThat(active()).isEqualTo(3);
        advanceTo("2030-01-01T02:00:00Z");
        assertThat(active()).isEqualTo(2);
        advanceTo("2030-01-01T03:00:00.499Z");
        assertThat(active()).isEqualTo(2);
        advanceTo("2030-01-01T03:00:00.500Z");
        assertThat(active()).isEqualTo(1);
    }

    @Test
    void a_range_in_the_hour_left_out_in_spring_begins_at_the_jump() {
        queue = builder()
                .workers(1)
                .calibrateEvery(Duration.ofDays(1))
                .schedule(Schedule.in(ZoneId.of("Europe/Berlin")).range("02:30-04:00", Staffing.fixed(2)))
                .build();
        advanceTo("2030-03-31T00:59:59.999Z");
        assertThat(active()).isEqualTo(1);
        advanceTo("2030-03-31T01:00:00Z");
        assertThat(active()).isEqualTo(2);
        advanceTo("2030-03-31T02:00:00Z");
        assertThat(active()).isEqualTo(1);
    }

    private void advanceTo(String moment) {
        clock.advance(Duration.between(clock.instant(), Instant.parse(moment)));
    }
}
