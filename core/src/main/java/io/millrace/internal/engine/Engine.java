package io.millrace.internal.engine;

import io.millrace.Enqueued;
import io.millrace.Limits;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.Observer;
import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskClient;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.Topic;
import io.millrace.TopicClient;
import io.millrace.TopicPolicy;
import io.millrace.Worker;
import io.millrace.WorkerClient;
import io.millrace.internal.Duty;
import io.millrace.internal.Events;
import io.millrace.spi.LocalBackend;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WakeUpListener;
import io.millrace.spi.WorkerProtocol;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
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
public final class Engine implements LocalBackend {
    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    private final Node node;
    private final int payloadLimit;
    private final Duration workerExpiry;
    private final Producer producer;
    private final Reporter reporter;
    private final Reaper reaper;
    private final DeadLetterOffice deadLetters;
    private final WorkerDesk desk;
    private final TaskOperations taskOperations;
    private final TopicOperations topicOperations;
    private final WorkerOperations workerOperations;
    private final List<Duty> duties;

    /** @param executor makes calls that may wait, and must have a thread for each */
    public Engine(TaskStore store, MillraceOptions options, Events events, Executor executor) {
        node = Node.over(store, events, options.clock(), executor);
        reporter = new Reporter(node);
        Dispatcher dispatcher = new Dispatcher(node, reporter::giveBack, reporter::expire);
        reaper = new Reaper(node, reporter, this::leaseLost, this::heldByOffice);
        Expiry expiry = new Expiry(node);
        deadLetters = new DeadLetterOffice(node, reporter, expiry, reaper::self);
        payloadLimit = options.payloadLimit();
        workerExpiry = options.workerExpiry();
        producer = new Producer(node, deadLetters, expiry, options.payloadLimit());
        desk = new WorkerDesk(node, dispatcher, reporter, producer, reaper::run, options.workerExpiry());
        taskOperations = new TaskOperations(node, producer, desk::cancelRequested);
        topicOperations = new TopicOperations(node, deadLetters);
        workerOperations = new WorkerOperations(node);
        store.onWakeUp(new WakeUps());
        duties = List.of(
                duty("The reaper", options.reapEvery(), reaper::run),
                duty("The janitor", options.cleanEvery(), new Janitor(node)::run),
                duty("The regular scan", options.scanEvery(), this::scan));
        if (store.mayBlock()) {
            // a store that outlives its process may hold tasks of workers that died with the last one
            executor.execute(this::reapAtOnce);
        }
    }

    private void reapAtOnce() {
        try {
            reaper.run();
        } catch (RuntimeException e) {
            log.debug("Cannot look for tasks of dead workers yet; the reaper does so regularly", e);
        }
    }

    private Duty duty(String name, Duration every, Runnable action) {
        return new Duty(name, every, node.clock(), node.executor(), action);
    }

    private Set<UUID> heldByOffice() {
        return deadLetters.held();
    }

    private void leaseLost(UUID worker, UUID task) {
        desk.lost(worker, task);
    }

    /** Covers signals that were lost, or that the store cannot send. */
    private void scan() {
        node.topics().refresh();
        node.handedOut().forgetOld(node.store().now());
        desk.forgetGone();
        node.finishes().scan();
        node.waiting().signalAll();
    }

    /** What the store tells by itself. */
    private final class WakeUps implements WakeUpListener {
        @Override
        public void ready(String topic) {
            try {
                node.waiting().signal(topic);
            } catch (RuntimeException e) {
                // the store's change is made; a lost signal is found by the scan
                log.warn("Nobody could be told that topic {} has tasks; the next scan will", topic, e);
            }
        }

        @Override
        public void recordsChanged() {
            node.executor().execute(() -> {
                node.topics().refresh();
                node.waiting().signalAll();
            });
        }
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
    public List<Enqueued> enqueueIn(Connection transaction, List<NewTask> newTasks) {
        return producer.enqueueIn(transaction, newTasks);
    }

    @Override
    public CompletableFuture<List<Enqueued>> enqueue(List<NewTask> tasks) {
        return producer.enqueueDirectly(tasks);
    }

    @Override
    public Executor executor() {
        return node.executor();
    }

    @Override
    public Runnable observe(Observer observer) {
        return node.events().add(observer);
    }

    @Override
    public Page<Task> list(TaskQuery query, @Nullable String cursor, int limit, BooleanSupplier wanted) {
        Limits.between("limit", limit, 1, Limits.PAGE);
        return node.store().list(query, cursor, limit, wanted);
    }

    @Override
    public List<TaskCount> count(TaskQuery query, BooleanSupplier wanted) {
        return node.store().count(query, wanted);
    }

    @Override
    public Iterator<Topic> topics(String after, Predicate<String> names, BooleanSupplier wanted) {
        return topicOperations.list(after, names, wanted);
    }

    @Override
    public TopicPolicy policy(String topic) {
        return node.topics().policy(topic);
    }

    @Override
    public int payloadLimit() {
        return payloadLimit;
    }

    @Override
    public Duration workerExpiry() {
        return workerExpiry;
    }

    @Override
    public byte[] secret() {
        return StoreSecret.of(node.store().records());
    }

    @Override
    public @Nullable Worker worker(UUID id) {
        return node.store().workers().find(id);
    }

    @Override
    public Map<UUID, String> topicsOf(Collection<UUID> ids) {
        return node.handedOut().topicsOf(ids);
    }

    @Override
    public long redrive(String deadLetterTopic, Predicate<String> origins) {
        return deadLetters.redrive(Limits.topic("topic", deadLetterTopic), origins);
    }

    @Override
    public void checkReady() {
        node.store().checkReady();
    }

    @Override
    public Instant now() {
        return node.store().now();
    }

    @Override
    public void backUp(Path directory) {
        node.store().backUp(directory);
    }

    @Override
    public void close() {
        duties.forEach(Duty::close);
        reporter.close();
        node.alarm().close();
        try {
            node.finishes().scan();
            reaper.close();
        } catch (RuntimeException e) {
            log.warn("The engine could not say that it leaves; it will expire", e);
        } finally {
            node.finishes().close();
            node.store().close();
        }
    }
}
