package io.millrace;

import io.millrace.internal.Events;
import io.millrace.internal.engine.Engine;
import io.millrace.internal.worker.EmbeddedWorker;
import io.millrace.spi.Backend;
import io.millrace.spi.BackendProvider;
import io.millrace.spi.LocalBackend;
import io.millrace.spi.StoreProvider;
import io.millrace.spi.TaskStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The door to Millrace: enqueue tasks, and handle them.
 *
 * <pre>{@code
 * try (var millrace = Millrace.open("heap:")) {
 *     millrace.handle("email", Email.class, (email, context) -> mailer.send(email));
 *     millrace.enqueue("email", new Email("a@example.org"));
 *     millrace.drain();
 * }
 * }</pre>
 *
 * The URL chooses the store. All methods may be called from any thread. Worker threads are daemons: they do not keep a
 * process alive.
 */
public final class Millrace implements TaskClient, AutoCloseable {
    private final Backend backend;
    private final TaskClient tasks;
    private final MillraceOptions options;
    private final EmbeddedWorker worker;
    private final Runnable closeThreads;
    private @Nullable Codec codec;
    private boolean closing;
    private volatile boolean closed;

    /** What it stands on, made when it is known who hears of events and who makes calls that wait. */
    private interface Foundation {
        Backend build(Events events, Executor executor);
    }

    private Millrace(MillraceOptions options, boolean mayBlock, Foundation foundation) {
        this.options = options;
        Executor executor = Runnable::run;
        Runnable closing = () -> {};
        if (mayBlock) {
            ExecutorService pool = Executors.newCachedThreadPool(Millrace::daemon);
            executor = pool;
            closing = pool::shutdown;
        }
        closeThreads = closing;
        Events events = new Events(options.observers());
        backend = foundation.build(events, executor);
        tasks = backend.tasks();
        worker = new EmbeddedWorker(backend.protocol(), backend.workers(), options, events, executor, this::codec);
    }

    private static Thread daemon(Runnable action) {
        Thread thread = new Thread(action, "millrace-io");
        thread.setDaemon(true);
        return thread;
    }

    /** Opens with default settings; throws like {@link #open(String, MillraceOptions)}. */
    public static Millrace open(String url) {
        return open(url, MillraceOptions.DEFAULT);
    }

    /**
     * Opens a store and starts an engine over it, or goes to a server elsewhere.
     *
     * @param url {@code heap:} for tasks in memory; other stores, and {@code http:}, come with their modules
     * @throws InvalidValueException if nothing on the class path knows the URL; the message names the missing module
     * @throws StoreUnavailableException if the store or the server cannot be reached
     */
    public static Millrace open(String url, MillraceOptions options) {
        Limits.present("url", url);
        Limits.present("options", options);
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
            if (provider.accepts(url)) {
                return over(provider.open(url, options.clock()), options);
            }
        }
        for (BackendProvider provider : ServiceLoader.load(BackendProvider.class)) {
            if (provider.accepts(url)) {
                return over(provider.open(url, options), options);
            }
        }
        throw UnknownUrl.refused(url);
    }

    private static Millrace over(TaskStore store, MillraceOptions options) {
        try {
            return new Millrace(
                    options, store.mayBlock(), (events, executor) -> new Engine(store, options, events, executor));
        } catch (RuntimeException | Error e) {
            store.close();
            throw e;
        }
    }

    private static Millrace over(Backend backend, MillraceOptions options) {
        try {
            return new Millrace(options, true, (events, executor) -> backend);
        } catch (RuntimeException | Error e) {
            backend.close();
            throw e;
        }
    }

    /**
     * Lets this process handle a topic's tasks from now on.
     *
     * @throws InvalidValueException if the topic's name is not allowed, or it has a handler already
     */
    public <T> void handle(String topic, Class<T> type, Handler<T> handler) {
        Limits.present("type", type);
        Limits.present("handler", handler);
        Codec decoder = codec();
        handle(topic, (payload, context) -> {
            T value;
            try {
                value = decoder.decode(payload, type);
            } catch (InvalidValueException e) {
                throw new StopException("the payload cannot be read, and no retry will change that", e);
            }
            handler.handle(value, context);
        });
    }

    /** The same for payloads as they are, without a codec. */
    public void handle(String topic, Handler<Payload> handler) {
        worker.handle(Set.of(Limits.present("topic", topic)), handler);
    }

    /**
     * The same for several topics at once: the first claim asks for all of them.
     *
     * @throws InvalidValueException if there is no topic, a name is not allowed, or one has a handler already; then none is
     *     handled
     */
    public void handle(Set<String> topics, Handler<Payload> handler) {
        Set<String> named = Set.copyOf(Limits.present("topics", topics));
        Limits.between("topics", named.size(), 1, Limits.WORKER_TOPICS);
        worker.handle(named, handler);
    }

    /**
     * Takes tasks in as part of a transaction of your own, on the database that Millrace was opened on: they are there once it
     * is committed, and never were if it is rolled back. They run a moment after the commit. If this throws, roll back.
     *
     * @throws InvalidValueException if a task has a unique key, which others would have to wait for, or if the connection
     *     commits by itself
     * @throws TopicFullException if a topic is full; nothing leaks to its dead-letter topic
     * @throws UnsupportedOperationException if the store is not in a database
     */
    public List<Enqueued> enqueueIn(Connection transaction, List<NewTask> newTasks) {
        return backend.enqueueIn(Limits.present("transaction", transaction), newTasks);
    }

    /** The same for one task. */
    public Enqueued enqueueIn(Connection transaction, NewTask task) {
        return enqueueIn(transaction, List.of(Limits.present("task", task))).get(0);
    }

    /**
     * Writes a copy of the store to a directory that is empty or missing, while work goes on: everything that was
     * acknowledged before the call. To use it, open it: {@code embedded:DIRECTORY}.
     *
     * @throws InvalidValueException if something is in the directory
     * @throws UnsupportedOperationException if the store has no such copy
     */
    public void backUp(Path directory) {
        backend.backUp(Limits.present("directory", directory));
    }

    /** A builder for a task whose payload is encoded by the codec; a {@link Payload} or bytes are taken as they are. */
    public NewTask.Builder task(String topic, Object payload) {
        return NewTask.builder(topic).payload(encoded(Limits.present("payload", payload)));
    }

    private Payload encoded(Object payload) {
        if (payload instanceof Payload raw) {
            return raw;
        }
        return payload instanceof byte[] bytes ? Payload.bytes(bytes) : codec().encode(payload);
    }

    /** Enqueues a task with this payload and no further settings; throws like {@link #enqueue(NewTask)}. */
    public Enqueued enqueue(String topic, Object payload) {
        return enqueue(task(topic, payload).build());
    }

    private synchronized Codec codec() {
        if (codec == null) {
            codec = options.codec();
        }
        if (codec == null) {
            codec = Codecs.onClassPath("MillraceOptions");
        }
        return codec;
    }

    /**
     * A topic as the place where an in-process {@link WorkQueue} leaks to, or passes items on to: each becomes a task.
     *
     * @throws InvalidValueException if the topic's name is not allowed
     */
    public <T> Enqueuer<T> enqueuer(String topic) {
        Limits.topic("topic", topic);
        return item -> {
            var unused = enqueue(topic, item);
        };
    }

    /**
     * Burst mode: runs all tasks of the handled topics that can run now, and returns when there are no more. What is
     * not due yet, paused or over a limit is left.
     *
     * @return how many attempts ended meanwhile
     * @throws IllegalStateException if a handler calls it, which would wait for itself
     */
    public long drain() throws InterruptedException {
        return worker.drain();
    }

    /** Policies, pauses and depths of topics. */
    public TopicClient topics() {
        return backend.topics();
    }

    /** Who works on what. */
    public WorkerClient workers() {
        return backend.workers();
    }

    /**
     * Tells when this process was told to stop working ({@link WorkerClient#stop}) or has taken its last task
     * ({@link MillraceOptions#maxTasks}), has finished what it ran and has left: the future gets the id that it had as a worker. Handlers run no more then; a program that does nothing else can end.
     */
    public CompletableFuture<UUID> stopped() {
        return worker.stopped();
    }

    /**
     * What a server over this Millrace needs; users do not.
     *
     * @throws UnsupportedOperationException if a server elsewhere keeps the tasks
     */
    public LocalBackend local() {
        if (backend instanceof LocalBackend local) {
            return local;
        }
        throw new UnsupportedOperationException("a server elsewhere keeps these tasks: ask that one");
    }

    /**
     * Closes gracefully, from a thread that is not a handler's: takes nothing more, hands back what was not started, and lets running handlers finish within
     * {@link MillraceOptions#closeTimeout}; then it interrupts them, and their tasks will run again.
     */
    @Override
    public void close() {
        worker.refuseCloseByHandler();
        close(options.closeTimeout());
    }

    /** Closes by force: running handlers are interrupted, and their tasks will run again. */
    public void closeNow() {
        close(Duration.ZERO);
    }

    private void close(Duration patience) {
        synchronized (this) {
            if (closing) {
                return;
            }
            closing = true;
        }
        try {
            worker.close(patience);
        } finally {
            // not before: handlers that finish may have something to enqueue
            closed = true;
            try {
                backend.close();
            } finally {
                closeThreads.run();
            }
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("this Millrace is closed; nothing was enqueued");
        }
    }

    @Override
    public List<Enqueued> enqueue(List<NewTask> newTasks) {
        checkOpen();
        return tasks.enqueue(newTasks);
    }

    @Override
    public CompletableFuture<List<Enqueued>> enqueueAsync(List<NewTask> newTasks) {
        checkOpen();
        return tasks.enqueueAsync(newTasks);
    }

    @Override
    public Optional<Task> find(UUID id) {
        return tasks.find(id);
    }

    @Override
    public Page<Task> list(TaskQuery query, @Nullable String cursor, int limit) {
        return tasks.list(query, cursor, limit);
    }

    @Override
    public Stream<Task> stream(TaskQuery query) {
        return tasks.stream(query);
    }

    @Override
    public List<TaskCount> count(TaskQuery query) {
        return tasks.count(query);
    }

    @Override
    public Optional<String> why(UUID id) {
        return tasks.why(id);
    }

    @Override
    public CompletableFuture<Task> finished(UUID id) {
        return tasks.finished(id);
    }

    @Override
    public void cancel(UUID id) {
        tasks.cancel(id);
    }

    @Override
    public void retry(UUID id) {
        tasks.retry(id);
    }

    @Override
    public void reschedule(UUID id, When runAt) {
        tasks.reschedule(id, runAt);
    }

    @Override
    public void delete(UUID id) {
        tasks.delete(id);
    }

    @Override
    public long deleteAll(TaskQuery query) {
        return tasks.deleteAll(query);
    }

    @Override
    public long cancelAll(TaskQuery query) {
        return tasks.cancelAll(query);
    }

    @Override
    public long retryAll(TaskQuery query) {
        return tasks.retryAll(query);
    }
}
