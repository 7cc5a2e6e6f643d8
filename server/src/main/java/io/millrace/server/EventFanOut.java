package io.millrace.server;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes events from the threads that make them and gives them to all listeners on a thread of its own. It looks a few
 * times a second, so that nobody who makes an event has to wake it: their part is to put it into a queue, however many
 * listen. Each event becomes text once, and a listener gets one buffer for a batch of them.
 */
final class EventFanOut implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EventFanOut.class);
    private static final int WAITING = 10_000;
    private static final int BATCH = 500;
    private static final long PAUSE_NANOS = 50_000_000;

    private final BlockingQueue<EventText> queue = new ArrayBlockingQueue<>(WAITING);
    /** Events that found the queue full. */
    private final LongAdder lost = new LongAdder();

    private final Set<EventListener> listeners = ConcurrentHashMap.newKeySet();
    private volatile boolean isHeard;
    private volatile boolean closed;
    private @Nullable Thread thread;

    /** Frames of some events, and how many they are. */
    record Batch(ByteBuffer frames, int count) {}

    /** Whether events are of use to anybody. */
    boolean isHeard() {
        return isHeard;
    }

    /** On a thread of the engine's or of a producer. */
    void offer(EventText text) {
        if (!queue.offer(text)) {
            lost.increment();
        }
    }

    synchronized void add(EventListener listener) {
        listeners.add(listener);
        isHeard = true;
        Thread running = thread;
        if (running == null) {
            thread = running = new Thread(this::run, "millrace-events");
            running.setDaemon(true);
            running.start();
        }
        LockSupport.unpark(running);
    }

    synchronized void remove(EventListener listener) {
        listeners.remove(listener);
        isHeard = !listeners.isEmpty();
    }

    private void run() {
        while (!closed) {
            if (!isHeard) {
                queue.clear();
                LockSupport.park(this);
                continue;
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
            try {
                deliverAll();
            } catch (RuntimeException e) {
                log.error("Events could not be sent; listeners miss some", e);
            }
        }
    }

    private void deliverAll() {
        long missed = lost.sumThenReset();
        if (missed > 0) {
            listeners.forEach(listener -> listener.miss(missed));
        }
        List<EventText> texts = new ArrayList<>(BATCH);
        while (queue.drainTo(texts, BATCH) > 0) {
            deliver(texts);
            texts.clear();
        }
    }

    /** Listeners that may see the same topics share a batch. */
    private void deliver(List<EventText> texts) {
        List<byte[]> frames = texts.stream().map(EventText::frame).toList();
        Map<Set<String>, Batch> batches = new HashMap<>();
        for (EventListener listener : listeners) {
            Batch batch = batches.computeIfAbsent(listener.caller().topics(), any -> batch(texts, frames, listener));
            if (batch.count() > 0) {
                listener.offer(batch);
            }
        }
    }

    private static Batch batch(List<EventText> texts, List<byte[]> frames, EventListener listener) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int count = 0;
        for (int i = 0; i < texts.size(); i++) {
            if (listener.maySee(texts.get(i))) {
                all.writeBytes(frames.get(i));
                count++;
            }
        }
        return new Batch(ByteBuffer.wrap(all.toByteArray()), count);
    }

    @Override
    public synchronized void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
