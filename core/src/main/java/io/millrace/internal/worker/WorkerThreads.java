package io.millrace.internal.worker;

import io.millrace.Event;
import io.millrace.internal.engine.Events;
import java.lang.reflect.InvocationTargetException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A set number of threads that all do the same; one that dies of an error is replaced. */
final class WorkerThreads {
    private static final Logger log = LoggerFactory.getLogger(WorkerThreads.class);

    private final Runnable loop;
    private final Events events;
    private final ThreadFactory factory;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    WorkerThreads(String name, boolean virtual, Events events, Runnable loop) {
        this.loop = loop;
        this.events = events;
        this.factory = virtual && Runtime.version().feature() >= 21 ? virtual(name + "-") : platform(name + "-");
    }

    void start(int count) {
        for (int i = 0; i < count; i++) {
            startOne();
        }
    }

    private void startOne() {
        Thread thread = factory.newThread(this::run);
        threads.add(thread);
        thread.start();
    }

    private void run() {
        try {
            loop.run();
        } catch (Throwable e) {
            String name = Thread.currentThread().getName();
            log.error("Worker thread {} died; another takes its place", name, e);
            events.tell(() -> new Event.WorkerThreadReplaced(name, e));
            if (!closed) {
                startOne();
            }
        } finally {
            threads.remove(Thread.currentThread());
        }
    }

    boolean isOneOf(Thread thread) {
        return threads.contains(thread);
    }

    /** Ends the threads as soon as they wait or sleep. */
    void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
    }

    private static ThreadFactory platform(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return loop -> {
            Thread thread = new Thread(loop, prefix + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** {@code Thread.ofVirtual().name(prefix, 0).factory()}, for sources that must compile on 17. */
    private static ThreadFactory virtual(String prefix) {
        try {
            Class<?> builder = Class.forName("java.lang.Thread$Builder");
            Object unnamed = Thread.class.getMethod("ofVirtual").invoke(null);
            Object named = builder.getMethod("name", String.class, long.class).invoke(unnamed, prefix, 0L);
            return (ThreadFactory) builder.getMethod("factory").invoke(named);
        } catch (ClassNotFoundException
                | NoSuchMethodException
                | IllegalAccessException
                | InvocationTargetException e) {
            log.warn("This JDK has no virtual threads; worker threads are platform threads", e);
            return platform(prefix);
        }
    }
}
