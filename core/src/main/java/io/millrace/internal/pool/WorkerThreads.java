package io.millrace.internal.pool;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the threads of workers: daemons, or virtual where that is asked for and the JDK has them. */
final class WorkerThreads {
    private static final Logger log = LoggerFactory.getLogger(WorkerThreads.class);
    private static final int FIRST_WITH_VIRTUAL = 21;

    private WorkerThreads() {}

    static ThreadFactory called(String name, boolean virtual) {
        return virtual && Runtime.version().feature() >= FIRST_WITH_VIRTUAL
                ? virtual(name + "-")
                : platform(name + "-");
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
