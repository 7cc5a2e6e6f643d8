package io.millrace.internal.engine;

import io.millrace.Event;
import io.millrace.Event.BatchDone.Call;
import io.millrace.MillraceOptions;
import io.millrace.TaskClient;
import io.millrace.TopicClient;
import io.millrace.WorkerClient;
import io.millrace.spi.Backend;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WakeUpListener;
import io.millrace.spi.WorkerProtocol;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node over a store. Any number of nodes can share a store; there is no leader, and every duty may run on all of
 * them at once.
 *
 * <pre>
 * producers ─▶ Producer   ─▶ [batcher] ─▶ store.enqueue
 * workers   ─▶ WorkerDesk ─▶ Dispatcher ─▶ [batcher] ─▶ store.claim
 *                         ─▶ Reporter   ─▶ [batcher] ─▶ store.complete
 * time      ─▶ Alarm (what is due), Reaper, Janitor, the regular scan
 * </pre>
 */
public final class Engine implements Backend {
    private static final int ENQUEUE_BATCH = 1_000;
    private static final int CLAIM_BATCH = 100;
    private static final int COMPLETE_BATCH = 1_000;

    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    private final TaskStore store;
    private final Events events;
    private final Topics topics;
    private final Alarm alarm;
    private final Reaper reaper;
    private final Finishes finishes;
    private final HandedOut handedOut;
    private final WaitingList waiting = new WaitingList();
    private final DeadLetterOffice deadLetters;
    private final WorkerDesk desk;
    private final TaskOperations taskOperations;
    private final TopicOperations topicOperations;
    private final WorkerOperations workerOperations;
    private final List<Duty> duties;

    /** @param executor makes calls that may wait, and must have a thread for each */
    public Engine(TaskStore store, MillraceOptions options, Events events, Executor executor) {
        this.store = store;
        this.events = events;
        topics = new Topics(store.records());
        alarm = new Alarm(options.clock(), store::now, waiting::signal);
        finishes = new Finishes(store, executor);
        handedOut = new HandedOut(store);
        Batcher<Completion, CompletionResult> completions =
                new Batcher<>(COMPLETE_BATCH, executor, timed(Call.COMPLETE, store::complete));
        Reporter reporter = new Reporter(store, topics, events, handedOut, waiting, alarm, finishes, completions);
        Batcher<ClaimRequest, ClaimResult> claims =
                new Batcher<>(CLAIM_BATCH, executor, timed(Call.CLAIM, store::claim));
        Dispatcher dispatcher = new Dispatcher(
                store,
                topics,
                events,
                options.clock(),
                alarm,
                waiting,
                handedOut,
                finishes,
                claims,
                reporter::giveBack);
        reaper = new Reaper(store, reporter, events, this::leaseLost, this::heldByOffice);
        deadLetters = new DeadLetterOffice(store, topics, reporter, events, reaper::self);
        Batcher<EnqueueRequest, EnqueueResult> enqueues = new Batcher<>(
                ENQUEUE_BATCH, request -> request.tasks().size(), executor, timed(Call.ENQUEUE, store::enqueue));
        Producer producer = new Producer(store, topics, events, alarm, deadLetters, enqueues, options.payloadLimit());
        desk = new WorkerDesk(store, dispatcher, reporter, producer, events, reaper::run, options.workerExpiry());
        taskOperations = new TaskOperations(
                store, topics, producer, finishes, new Explainer(store, topics), events, alarm, desk::cancelRequested);
        topicOperations = new TopicOperations(store, topics, deadLetters, waiting, events);
        workerOperations = new WorkerOperations(store, events);
        store.onWakeUp(new WakeUpListener() {
            @Override
            public void ready(String topic) {
                try {
                    waiting.signal(topic);
                } catch (RuntimeException e) {
                    // the store's change is made; a lost signal is found by the scan
                    log.warn("Nobody could be told that topic {} has tasks; the next scan will", topic, e);
                }
            }

            @Override
            public void recordsChanged() {
                executor.execute(() -> {
                    topics.refresh();
                    waiting.signalAll();
                });
            }
        });
        Janitor janitor = new Janitor(store, events);
        duties = List.of(
                new Duty("The reaper", options.reapEvery(), options.clock(), executor, reaper::run),
                new Duty("The janitor", options.cleanEvery(), options.clock(), executor, janitor::run),
                new Duty("The regular scan", options.scanEvery(), options.clock(), executor, this::scan));
    }

    private Set<UUID> heldByOffice() {
        return deadLetters.held();
    }

    private void leaseLost(UUID worker, UUID task) {
        desk.lost(worker, task);
    }

    /** Covers signals that were lost, or that the store cannot send. */
    private void scan() {
        topics.refresh();
        handedOut.forgetOld(store.now());
        desk.forgetGone();
        finishes.scan();
        waiting.signalAll();
    }

    private <Q, R> Function<List<Q>, List<R>> timed(Call call, Function<List<Q>, List<R>> process) {
        if (!events.wanted()) {
            return process;
        }
        return requests -> {
            long start = System.nanoTime();
            List<R> results = process.apply(requests);
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            events.tell(() -> new Event.BatchDone(call, requests.size(), took));
            return results;
        };
    }

    @Override
    public TaskClient tasks() {
        return taskOperations;
    }

    @Override
    public TopicClient topics() {
        return topicOperations;
    }

    @Override
    public WorkerClient workers() {
        return workerOperations;
    }

    @Override
    public WorkerProtocol protocol() {
        return desk;
    }

    @Override
    public void close() {
        duties.forEach(Duty::close);
        alarm.close();
        try {
            reaper.close();
        } catch (RuntimeException e) {
            log.warn("The engine could not say that it leaves; it will expire", e);
        } finally {
            store.close();
        }
    }
}
