package io.millrace.internal.engine;

import io.millrace.Event.BatchDone;
import io.millrace.Event.BatchDone.Call;
import io.millrace.internal.Events;
import io.millrace.spi.EngineClock;
import io.millrace.spi.TaskStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;

/**
 * What all parts of an engine share.
 *
 * @param executor makes calls that may wait, and must have a thread for each
 */
record Node(
        TaskStore store,
        Topics topics,
        Events events,
        Alarm alarm,
        WaitingList waiting,
        HandedOut handedOut,
        Finishes finishes,
        EngineClock clock,
        Executor executor) {

    static Node over(TaskStore store, Events events, EngineClock clock, Executor executor) {
        WaitingList waiting = new WaitingList();
        return new Node(
                store,
                new Topics(store.records()),
                events,
                new Alarm(clock, store::now, waiting::signal),
                waiting,
                new HandedOut(store),
                new Finishes(store, executor),
                clock,
                executor);
    }

    /**
     * A batcher in front of a call of the store, which observers see.
     *
     * @param tasks how many tasks a request and its answer are about
     */
    <Q, R> Batcher<Q, R> batcher(
            Call call,
            int largest,
            ToIntFunction<Q> weigher,
            ToIntBiFunction<Q, R> tasks,
            Function<List<Q>, List<R>> process) {
        return new Batcher<>(largest, weigher, executor, timed(call, tasks, process));
    }

    private <Q, R> Function<List<Q>, List<R>> timed(
            Call call, ToIntBiFunction<Q, R> tasks, Function<List<Q>, List<R>> process) {
        return requests -> {
            if (!events.wanted()) {
                return process.apply(requests);
            }
            long start = System.nanoTime();
            List<R> results = process.apply(requests);
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            int size = 0;
            for (int i = 0; i < results.size(); i++) {
                size += tasks.applyAsInt(requests.get(i), results.get(i));
            }
            BatchDone done = new BatchDone(call, size, took);
            events.tell(() -> done);
            return results;
        };
    }
}
