package io.millrace.queue;

import static io.millrace.queue.Background.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.ItemHandler;
import io.millrace.WorkQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Handlers that are put together from others. */
class HandlersTest {
    private final Queue<String> seen = new ConcurrentLinkedQueue<>();

    private ItemHandler<String> note(String name) {
        return item -> seen.add(name + " " + item);
    }

    private static ItemHandler<Object> fail(String message) {
        return item -> {
            throw new IllegalArgumentException(message);
        };
    }

    @Test
    void missing_parts_are_refused() {
        String required = "it is required";
        ItemHandler<String> missing = null;
        List<ItemHandler<String>> withMissing = Arrays.asList(note("a"), missing);
        List.of(
                        new Refusal(() -> ItemHandler.transit(null), "transit", "null", required),
                        new Refusal(() -> ItemHandler.chain(note("a"), missing), "chain", "null", required),
                        new Refusal(() -> ItemHandler.chain((ItemHandler<String>[]) null), "chain", "null", required),
                        new Refusal(() -> ItemHandler.asyncChain(missing, note("a")), "asyncChain", "null", required),
                        new Refusal(
                                () -> ItemHandler.asyncChain((ItemHandler<String>[]) null),
                                "asyncChain",
                                "null",
                                required),
                        new Refusal(
                                () -> ItemHandler.asyncChain(Runnable::run, withMissing),
                                "asyncChain",
                                "null",
                                required),
                        new Refusal(() -> ItemHandler.asyncChain(Runnable::run, null), "asyncChain", "null", required),
                        new Refusal(
                                () -> ItemHandler.asyncChain(null, List.of(note("a"))), "executor", "null", required))
                .forEach(Refusal::check);
    }

    @Test
    void transit_passes_on_and_what_the_next_throws_is_a_failure() throws Exception {
        ItemHandler<String> transit = ItemHandler.transit(item -> {
            seen.add(item);
            throw new IllegalStateException("full");
        });
        assertThatThrownBy(() -> transit.handle("item")).hasMessage("full");
        assertThat(seen).containsExactly("item");
    }

    @Test
    void transit_waits_for_room_in_the_next_queue() throws Exception {
        Gate gate = new Gate();
        try (WorkQueue<String> next = WorkQueue.<String>builder()
                        .capacity(1)
                        .workers(1)
                        .handler(gate)
                        .build();
                WorkQueue<String> first = WorkQueue.<String>builder()
                        .capacity(10)
                        .workers(1)
                        .handler(ItemHandler.transit(next))
                        .build()) {
            for (int i = 1; i <= 5; i++) {
                first.put("item " + i);
            }
            gate.awaitBegun(1);
            until(() -> next.size() == 1 && first.size() == 2);
            gate.open();
            gate.awaitHandled(5);
            assertThat(gate.handled()).containsExactly("item 1", "item 2", "item 3", "item 4", "item 5");
        }
    }

    @Test
    void a_chain_runs_in_order_and_stops_at_the_first_failure() throws Exception {
        ItemHandler.<String>chain(note("a"), note("b"), note("c")).handle("good");
        assertThat(seen).containsExactly("a good", "b good", "c good");
        seen.clear();
        assertThatThrownBy(() -> ItemHandler.chain(note("a"), fail("first"), note("b"), fail("second"))
                        .handle("bad"))
                .hasMessage("first");
        assertThat(seen).containsExactly("a bad");
        ItemHandler.<String>chain().handle("nothing to do");
    }

    @Test
    void the_parts_of_a_chain_are_fixed_when_it_is_made() throws Exception {
        @SuppressWarnings({"unchecked", "rawtypes"}) // there is no other array of them
        ItemHandler<String>[] parts = new ItemHandler[] {note("a")};
        ItemHandler<String> chain = ItemHandler.chain(parts);
        ItemHandler<String> async = ItemHandler.asyncChain(parts);
        List<ItemHandler<String>> list = new ArrayList<>(List.of(note("a")));
        ItemHandler<String> given = ItemHandler.asyncChain(Runnable::run, list);
        parts[0] = note("b");
        list.clear();
        chain.handle("1");
        async.handle("2");
        given.handle("3");
        assertThat(seen).containsExactly("a 1", "a 2", "a 3");
    }

    @Test
    void the_parts_of_an_async_chain_run_at_once() throws Exception {
        CyclicBarrier all = new CyclicBarrier(3);
        ItemHandler<String> meet = item -> {
            all.await();
            seen.add(Thread.currentThread().getName());
        };
        assertThat(Background.doing(() ->
                                ItemHandler.<String>asyncChain(meet, meet, meet).handle("item"))
                        .get())
                .isTrue();
        assertThat(seen).hasSize(3).doesNotContain("test-background");
    }

    @Test
    void an_async_chain_waits_for_all_and_fails_with_the_first_failure_in_their_order() throws Exception {
        CountDownLatch secondFailed = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        ItemHandler<String> chain = ItemHandler.asyncChain(
                item -> {
                    secondFailed.await();
                    throw new IllegalArgumentException("first in order");
                },
                item -> {
                    secondFailed.countDown();
                    throw new LinkageError("first in time");
                },
                item -> {
                    go.await();
                    seen.add("last");
                });
        Background<Boolean> running = Background.doing(() -> chain.handle("item"));
        secondFailed.await();
        running.awaitBlocked();
        assertThat(running.task().isDone()).as("one part is not done").isFalse();
        go.countDown();
        assertThatThrownBy(running::get).hasRootCauseMessage("first in order");
        assertThat(seen).containsExactly("last");
    }

    @Test
    void checked_exceptions_and_errors_of_an_async_chain_come_out_as_they_are() {
        Exception checked = new Exception("checked");
        Error error = new LinkageError("error");
        assertThatThrownBy(() -> ItemHandler.<String>asyncChain(item -> {
                            throw checked;
                        })
                        .handle("item"))
                .isSameAs(checked);
        assertThatThrownBy(() -> ItemHandler.<String>asyncChain(item -> {
                            throw error;
                        })
                        .handle("item"))
                .isSameAs(error);
    }

    /** Notes when it is interrupted. */
    private ItemHandler<String> endless(String name, CountDownLatch begun) {
        return item -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                seen.add(name + " interrupted");
            }
        };
    }

    @Test
    void who_is_interrupted_cancels_all_parts() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(1)
                .workers(1)
                .handler(ItemHandler.asyncChain(endless("a", begun), endless("b", begun)))
                .build();
        queue.put("item");
        begun.await();
        assertThat(queue.closeNow()).containsExactly("item");
        until(() -> seen.size() == 2);
        assertThat(seen).containsExactlyInAnyOrder("a interrupted", "b interrupted");
    }

    @Test
    void parts_that_run_are_cancelled_if_the_executor_takes_no_more() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Queue<Background<Boolean>> started = new ConcurrentLinkedQueue<>();
        ItemHandler<String> chain = ItemHandler.asyncChain(
                action -> {
                    if (!started.isEmpty()) {
                        throw new RejectedExecutionException("no more");
                    }
                    started.add(Background.doing(action::run));
                    until(() -> begun.getCount() == 0);
                },
                List.of(endless("a", begun), note("b")));
        assertThatThrownBy(() -> chain.handle("item")).isInstanceOf(RejectedExecutionException.class);
        started.element().get();
        until(() -> !seen.isEmpty());
        assertThat(seen).containsExactly("a interrupted");
    }
}
