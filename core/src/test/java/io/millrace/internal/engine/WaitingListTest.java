package io.millrace.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WaitingListTest {
    private final WaitingList list = new WaitingList();
    private final List<String> woken = new ArrayList<>();

    private WaitingList.Waiter waiter(String name, String... topics) {
        return new WaitingList.Waiter(Set.of(topics)) {
            @Override
            void wake() {
                woken.add(name);
            }
        };
    }

    private WaitingList.Waiter parked(String name, String... topics) {
        WaitingList.Waiter waiter = waiter(name, topics);
        assertThat(list.park(waiter, list.version())).isTrue();
        return waiter;
    }

    @Test
    void a_signal_wakes_the_one_who_has_waited_longest() {
        parked("first", "email");
        parked("second", "email");
        list.signal("email");
        assertThat(woken).containsExactly("first");
        list.signal("email");
        assertThat(woken).containsExactly("first", "second");
        list.signal("email");
        assertThat(woken).hasSize(2);
    }

    @Test
    void a_signal_wakes_nobody_who_waits_for_other_topics() {
        parked("post", "post");
        list.signal("email");
        assertThat(woken).isEmpty();
    }

    @Test
    void who_waits_for_several_topics_is_woken_by_any_but_once() {
        parked("both", "email", "post");
        parked("post", "post");
        list.signal("post");
        list.signal("email");
        list.signal("post");
        assertThat(woken).containsExactly("both", "post");
    }

    @Test
    void who_waits_for_all_topics_stands_in_line_with_the_others() {
        parked("email-1", "email");
        parked("any-1");
        parked("email-2", "email");
        parked("any-2");
        list.signal("email");
        list.signal("email");
        list.signal("email");
        list.signal("never seen before");
        assertThat(woken).containsExactly("email-1", "any-1", "email-2", "any-2");
    }

    @Test
    void who_parks_again_stands_at_the_end() {
        WaitingList.Waiter first = parked("first", "email");
        parked("second", "email");
        list.signal("email");
        assertThat(list.park(first, list.version())).isTrue();
        list.signal("email");
        list.signal("email");
        assertThat(woken).containsExactly("first", "second", "first");
    }

    @Test
    void signal_all_wakes_one_of_each_topic() {
        parked("email-1", "email");
        parked("email-2", "email");
        parked("post-1", "post");
        parked("any-1");
        parked("any-2");
        list.signalAll();
        assertThat(woken).containsExactlyInAnyOrder("email-1", "post-1", "any-1");
        list.signalAll();
        assertThat(woken).containsExactlyInAnyOrder("email-1", "post-1", "any-1", "email-2", "any-2");
    }

    @Test
    void signal_all_wakes_nobody_twice() {
        parked("both", "email", "post");
        list.signalAll();
        list.signalAll();
        assertThat(woken).containsExactly("both");
    }

    @Test
    void a_signal_between_look_and_park_is_not_lost() {
        long seen = list.version();
        list.signal("email");
        assertThat(list.park(waiter("email", "email"), seen)).isFalse();
        assertThat(list.park(waiter("both", "post", "email"), seen)).isFalse();
        assertThat(list.park(waiter("any"), seen)).isFalse();
        assertThat(list.park(waiter("post", "post"), seen)).as("not its topic").isTrue();
        assertThat(list.park(waiter("late", "email"), list.version())).isTrue();
    }

    @Test
    void a_signal_to_all_between_look_and_park_is_not_lost() {
        long seen = list.version();
        list.signalAll();
        assertThat(list.park(waiter("email", "email"), seen)).isFalse();
        assertThat(list.park(waiter("any"), seen)).isFalse();
    }

    @Test
    void a_signal_is_remembered_beyond_later_ones() {
        long seen = list.version();
        list.signal("email");
        list.signalAll();
        list.signal("post");
        assertThat(list.park(waiter("email", "email"), seen)).isFalse();
        long later = list.version();
        list.signal("other");
        assertThat(list.park(waiter("email", "email"), later)).isTrue();
    }

    @Test
    void a_signal_that_woke_someone_else_still_keeps_who_looked_before_from_sleep() {
        parked("sleeper", "email");
        long seen = list.version();
        list.signal("email");
        assertThat(woken).containsExactly("sleeper");
        assertThat(list.park(waiter("looker", "email"), seen)).isFalse();
    }

    @Test
    void who_was_refused_is_not_in_the_list() {
        long seen = list.version();
        list.signal("email");
        list.park(waiter("refused", "email"), seen);
        list.signal("email");
        assertThat(woken).isEmpty();
    }

    @Test
    void who_leaves_is_not_woken() {
        WaitingList.Waiter email = parked("email", "email", "post");
        WaitingList.Waiter any = parked("any");
        parked("next", "email");
        list.remove(email);
        list.remove(any);
        list.remove(any);
        list.remove(waiter("never parked", "email", "other"));
        list.signal("email");
        list.signal("post");
        list.signalAll();
        assertThat(woken).containsExactly("next");
    }

    /** One piece of work per signal, taken by whoever looks: if a signal were lost, a piece would be left over. */
    @Test
    void with_many_threads_no_signal_is_lost() throws Exception {
        int workers = 4;
        int pieces = 20_000;
        AtomicInteger ready = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(workers);
        try {
            List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                futures.add(pool.submit(() -> work(ready, taken, pieces)));
            }
            for (int i = 0; i < pieces; i++) {
                ready.incrementAndGet();
                list.signal("email");
            }
            for (Future<?> future : futures) {
                future.get(20, TimeUnit.SECONDS);
            }
            assertThat(taken).hasValue(pieces);
        } finally {
            pool.shutdownNow();
        }
    }

    private Void work(AtomicInteger ready, AtomicInteger taken, int pieces) throws InterruptedException {
        Semaphore awake = new Semaphore(0);
        WaitingList.Waiter self = new WaitingList.Waiter(Set.of("email")) {
            @Override
            void wake() {
                awake.release();
            }
        };
        for (long seen = list.version(); taken.get() < pieces; seen = list.version()) {
            if (ready.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                if (taken.incrementAndGet() == pieces) {
                    // the work is done: everybody may go
                    for (int i = 0; i < 100; i++) {
                        list.signal("email");
                    }
                }
            } else if (list.park(self, seen)) {
                awake.acquire();
            }
        }
        return null;
    }
}
