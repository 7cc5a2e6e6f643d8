package io.millrace.heap;

import io.millrace.StoreUnavailableException;
import io.millrace.spi.EngineClock;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A journal in memory. Each step is a segment of its own. */
final class StepsInMemory implements Journal {
    final List<byte[]> all = new ArrayList<>();
    boolean fails;
    long largestStep = Long.MAX_VALUE;
    Runnable afterAppend = () -> {};

    HeapStore restored(EngineClock clock, long memoryLimit) {
        HeapRestore restore = new HeapRestore(new StepsInMemory(), clock, memoryLimit);
        for (int i = 0; i < all.size(); i++) {
            restore.step(i + 1, ByteBuffer.wrap(all.get(i)));
        }
        return restore.finish();
    }

    @Override
    public void admit(Use use, long bytes) {}

    @Override
    public long largestStep() {
        return largestStep;
    }

    @Override
    public long append(ByteBuffer step) {
        if (fails) {
            throw new StoreUnavailableException("not now");
        }
        byte[] copy = new byte[step.remaining()];
        step.get(copy);
        all.add(copy);
        return all.size();
    }

    @Override
    public int segment() {
        return all.size();
    }

    @Override
    public void writeSoon(long step) {}

    @Override
    public void awaitDurable(long step) {
        // the lock is free here
        afterAppend.run();
    }

    @Override
    public void copyTo(Path directory) {}

    @Override
    public void close() {}
}
