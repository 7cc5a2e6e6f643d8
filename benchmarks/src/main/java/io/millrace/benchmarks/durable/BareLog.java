package io.millrace.benchmarks.durable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The least that a durable log has to do, as the reference for all others: group commit, without a timer, to a file that
 * only grows.
 *
 * <p>Callers push their frames on a stack; whoever finds no leader becomes it, writes all frames pushed so far, forces
 * them once and, before waking those it wrote for, wakes one of those that came meanwhile as the next leader. So the
 * disk works while the callers wake up.
 */
public final class BareLog implements DurableLog {
    private final Path path;
    private final AtomicReference<@Nullable Request> pushed = new AtomicReference<>();
    private final AtomicBoolean led = new AtomicBoolean();

    // Only for the leader, and handed on by led.
    private final FrameFile file;
    private @Nullable IOException broken;

    private static final class Request {
        final ByteBuffer frames;
        final Thread caller = Thread.currentThread();

        @Nullable
        Request next;

        @Nullable
        IOException failure;

        volatile boolean done;

        Request(ByteBuffer frames) {
            this.frames = frames;
        }
    }

    public BareLog(Path path) throws IOException {
        this.path = path;
        file = new FrameFile(path);
    }

    @Override
    public void append(byte[] record) throws IOException {
        appendAll(List.of(record));
    }

    @Override
    public void appendAll(List<byte[]> records) throws IOException {
        Request request = new Request(FrameFile.frames(records));
        do {
            request.next = pushed.get();
        } while (!pushed.compareAndSet(request.next, request));
        while (!request.done) {
            if (led.compareAndSet(false, true)) {
                lead();
            } else {
                LockSupport.park(this);
            }
        }
        if (request.failure != null) {
            throw new IOException("The records may not be durable in " + path, request.failure);
        }
    }

    private void lead() {
        ArrayDeque<Request> group = new ArrayDeque<>();
        for (Request request = pushed.getAndSet(null); request != null; request = request.next) {
            group.addFirst(request);
        }
        write(group);
        for (Request request : group) {
            request.failure = broken;
            request.done = true;
        }
        led.set(false);
        Request nextLeader = pushed.get();
        if (nextLeader != null) {
            LockSupport.unpark(nextLeader.caller);
        }
        for (Request request : group) {
            LockSupport.unpark(request.caller);
        }
    }

    private void write(ArrayDeque<Request> group) {
        // What the disk holds after a failed force is unknown, so nothing is written after it.
        if (broken != null || group.isEmpty()) {
            return;
        }
        try {
            for (Request request : group) {
                file.write(request.frames);
            }
            file.force();
        } catch (IOException e) {
            broken = e;
        }
    }

    @Override
    public List<byte[]> read() throws IOException {
        return FrameFile.read(path);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
