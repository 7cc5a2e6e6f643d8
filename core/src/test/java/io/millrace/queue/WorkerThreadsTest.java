package io.millrace.queue;

import static io.millrace.queue.Background.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Event;
import io.millrace.Retry;
import io.millrace.WorkQueue;
import io.millrace.WorkQueueBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerThreadsTest {
    private static final int FIRST_WITH_VIRTUAL = 21;
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final Queue<String> target = new ConcurrentLinkedQueue<>();
    private WorkQueue<String> queue;

    @AfterEach
    void close() {
        if (queue != null) {
            queue.closeNow();
        }
    }

    /** Items that contain "error" cost their thread. */
    private WorkQueueBuilder<String> builder() {
        return WorkQueue.<String>builder()
                .name("post office")
                .capacity(10)
                .workers(1)
                .observer(events::add)
                .handler(item -> {
                    threads.add(Thread.currentThread());
                    if (item.contains("error")) {
                        throw new LinkageError(item);
                    }
                });
    }

    private List<Event.WorkerThreadReplaced> replaced() {
        return events.stream()
                .filter(Event.WorkerThreadReplaced.class::isInstance)
                .map(Event.WorkerThreadReplaced.class::cast)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void workers_are_daemons_named_after_their_queue_and_end_with_it(boolean virtual) throws Exception {
        int workers = 3;
        CyclicBarrier all = new CyclicBarrier(workers);
        queue = builder()
                .workers(workers)
                .virtualThreads(virtual)
                .handler(item -> {
                    threads.add(Thread.currentThread());
                    all.await();
                })
                .build();
        for (int i = 0; i < workers; i++) {
            queue.put("item");
        }
        until(() -> threads.size() == workers);
        assertThat(threads).doesNotHaveDuplicates().allSatisfy(thread -> {
            assertThat(thread.isDaemon()).isTrue();
            assertThat(thread.getName()).startsWith("post office-");
            assertThat(isVirtual(thread)).isEqualTo(virtual && Runtime.version().feature() >= FIRST_WITH_VIRTUAL);
        });
        assertThat(threads).extracting(Thread::getName).doesNotHaveDuplicates();
        queue.close();
        until(() -> threads.stream().noneMatch(Thread::isAlive));
    }

    private static boolean isVirtual(Thread thread) throws ReflectiveOperationException {
        return Runtime.version().feature() >= FIRST_WITH_VIRTUAL
                && (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
    }

    @Test
    void an_error_costs_the_thread_and_not_the_queue() throws Exception {
        queue = builder().deadLetter(target::add).build();
        queue.put("error");
        queue.put("next");
        until(() -> threads.size() == 2);
        until(() -> replaced().size() == 1);
        assertThat(replaced().get(0).cause()).isInstanceOf(LinkageError.class).hasMessage("error");
        Thread first = threads.remove();
        Thread second = threads.remove();
        assertThat(replaced().get(0).thread()).isEqualTo(first.getName());
        assertThat(second).isNotSameAs(first);
        assertThat(second.getName()).startsWith("post office-");
        assertThat(second.isDaemon()).isTrue();
        until(() -> !first.isAlive());
        assertThat(target).containsExactly("error");
        assertThat(queue.totals()).isEqualTo(new WorkQueue.Totals(0, 1, 0, 0));
        assertThat(queue.workers()).isEqualTo(new WorkQueue.Workers(1, 0, 0));
    }

    @Test
    void an_error_is_tried_again_like_any_other_failure() throws Exception {
        queue = builder().retry(Retry.constant(Duration.ZERO).max(2)).build();
        queue.put("error");
        until(() -> queue.totals().failed() == 1);
        until(() -> replaced().size() == 3);
        assertThat(threads).hasSize(3).doesNotHaveDuplicates();
        assertThat(events).filteredOn(Event.ItemRetried.class::isInstance).hasSize(2);
    }

    @Test
    void what_the_lost_thread_had_taken_and_not_begun_is_run_in_order() throws Exception {
        int count = 20_000;
        Queue<Integer> handled = new ConcurrentLinkedQueue<>();
        AtomicInteger next = new AtomicInteger();
        try (WorkQueue<Integer> quick = WorkQueue.<Integer>builder()
                .capacity(count)
                .workers(1)
                .handler(item -> {
                    handled.add(item);
                    next.incrementAndGet();
                    if (item % 5_000 == 4_321) {
                        throw new LinkageError("now and then");
                    }
                })
                .build()) {
            for (int i = 0; i < count; i++) {
                quick.put(i);
            }
            until(() -> next.get() == count);
            assertThat(quick.totals().failed()).isEqualTo(4);
        }
        assertThat(List.copyOf(handled)).hasSize(count).isSorted();
    }

    @Test
    void an_interrupt_flag_that_a_handler_leaves_does_not_reach_the_next_item() throws Exception {
        Queue<Boolean> flags = new ConcurrentLinkedQueue<>();
        AtomicBoolean fail = new AtomicBoolean();
        queue = builder()
                .handler(item -> {
                    flags.add(Thread.currentThread().isInterrupted());
                    Thread.currentThread().interrupt();
                    if (fail.getAndSet(!fail.get())) {
                        throw new IllegalArgumentException("fails");
                    }
                })
                .build();
        for (int i = 0; i < 6; i++) {
            queue.put("item");
        }
        until(() -> flags.size() == 6);
        assertThat(flags).containsOnly(false);
    }

    @Test
    void a_worker_whose_flag_was_left_set_still_waits_for_work() throws Exception {
        queue = builder()
                .handler(item -> {
                    threads.add(Thread.currentThread());
                    Thread.currentThread().interrupt();
                })
                .build();
        queue.put("first");
        until(() -> threads.size() == 1);
        until(() -> threads.element().getState() == Thread.State.WAITING);
        queue.put("second");
        until(() -> threads.size() == 2);
        assertThat(threads.stream().distinct()).hasSize(1);
    }
}
