package io.millrace.embedded;

import static io.millrace.embedded.TestLogs.bytes;
import static io.millrace.embedded.TestLogs.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.StoreUnavailableException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupCommitTest {
    private static final int THREADS = 64;
    private static final int EACH = 100;

    @TempDir
    Path directory;

    private final FaultyDisk disk = new FaultyDisk();
    private final ReentrantLock outer = new ReentrantLock();

    @Test
    void nothing_is_missing_and_the_order_is_kept() throws Exception {
        List<String> order = new ArrayList<>();
        try (SegmentedLog log = open(directory, TestLogs.settings(disk).withSegmentBytes(64 << 10))) {
            inThreads(thread -> {
                for (int i = 0; i < EACH; i++) {
                    log.awaitDurable(append(log, order, "thread " + thread + " frame " + i));
                }
            });
        }
        assertThat(order).hasSize(THREADS * EACH);
        assertThat(TestLogs.read(directory)).isEqualTo(order);
    }

    @Test
    void waiting_threads_share_forces() throws Exception {
        try (SegmentedLog log = open(directory, TestLogs.settings(disk).withSegmentBytes(16 << 20))) {
            int before = disk.forces.get();
            inThreads(thread -> {
                for (int i = 0; i < EACH; i++) {
                    log.awaitDurable(append(log, new ArrayList<>(), "frame"));
                }
            });
            assertThat(disk.forces.get() - before).isLessThan(THREADS * EACH / 4);
        }
    }

    @Test
    void written_and_durable_waiters_get_what_they_wait_for() throws Exception {
        try (SegmentedLog log = open(directory, TestLogs.settings(disk).withSegmentBytes(64 << 10))) {
            inThreads(thread -> {
                for (int i = 0; i < EACH; i++) {
                    long number = append(log, new ArrayList<>(), "frame");
                    if ((thread + i) % 3 == 0) {
                        log.awaitWritten(number);
                    } else if ((thread + i) % 3 == 1) {
                        log.writeSoon(number);
                    } else {
                        log.awaitDurable(number);
                    }
                }
            });
        }
        assertThat(TestLogs.read(directory)).hasSize(THREADS * EACH);
    }

    @Test
    void what_has_to_be_written_soon_waits_for_nobody_and_does_not_stay_behind() throws Exception {
        CountDownLatch forcing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(1);
        try (SegmentedLog log = open(directory, TestLogs.settings(disk))) {
            long first = log.append(bytes("first"));
            disk.beforeForce = () -> {
                forcing.countDown();
                await(goOn);
            };
            Future<?> leader = threads.submit(() -> log.awaitDurable(first));
            assertThat(forcing.await(10, TimeUnit.SECONDS)).isTrue();
            int before = disk.writes.get();

            log.writeSoon(log.append(bytes("second")));

            assertThat(disk.writes).hasValue(before);
            goOn.countDown();
            leader.get();
            assertThat(disk.writes).hasValue(before + 1);
            log.writeSoon(log.append(bytes("third")));
            assertThat(disk.writes).hasValue(before + 2);
        }
        threads.shutdown();
        assertThat(TestLogs.read(directory)).containsExactly("first", "second", "third");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void nobody_is_told_durable_after_a_failed_force() throws Exception {
        AtomicLong durable = new AtomicLong();
        SegmentedLog log = open(directory, TestLogs.settings(disk).withSegmentBytes(64 << 10));
        AtomicLong before = new AtomicLong();
        disk.beforeForce = () -> {
            if (disk.forces.get() > 20 && !disk.failsForce) {
                before.set(durable.get());
                disk.failsForce = true;
            }
        };
        List<Future<Void>> results = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        for (int thread = 0; thread < THREADS; thread++) {
            results.add(threads.submit(() -> {
                while (true) {
                    long number = append(log, new ArrayList<>(), "frame");
                    log.awaitDurable(number);
                    durable.accumulateAndGet(number, Math::max);
                }
            }));
        }
        for (Future<Void> result : results) {
            assertThatThrownBy(result::get)
                    .hasCauseInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(".log")
                    .hasMessageContaining("Input/output error");
        }
        threads.shutdown();
        // the last commit before the failure may have been told while the failing one began
        assertThat(durable.get()).isLessThan(log.lastNumber()).isLessThanOrEqualTo(before.get() + THREADS);
        disk.failsForce = false;
        assertThatThrownBy(() -> log.append(bytes("late"))).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> log.awaitDurable(log.lastNumber())).isInstanceOf(StoreUnavailableException.class);
        log.close();
    }

    @Test
    void a_torn_write_breaks_the_log_and_is_dropped_when_it_is_opened_again() {
        SegmentedLog log = open(directory, TestLogs.settings(disk));
        TestLogs.append(log, "first");
        disk.tearsWrite = true;
        assertThatThrownBy(() -> TestLogs.append(log, "second".repeat(20)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("00000001.log")
                .hasRootCauseMessage("Input/output error");
        disk.tearsWrite = false;
        assertThatThrownBy(() -> TestLogs.append(log, "third")).isInstanceOf(StoreUnavailableException.class);
        log.close();
        assertThat(TestLogs.read(directory)).containsExactly("first");
    }

    private long append(SegmentedLog log, List<String> order, String frame) {
        outer.lock();
        try {
            order.add(frame);
            return log.append(bytes(frame));
        } finally {
            outer.unlock();
        }
    }

    private interface Work {
        void run(int thread);
    }

    private static void inThreads(Work work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Callable<Void>> calls = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            calls.add(() -> {
                work.run(thread);
                return null;
            });
        }
        for (Future<Void> done : threads.invokeAll(calls)) {
            done.get();
        }
        threads.shutdown();
    }
}
