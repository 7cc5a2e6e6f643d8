package io.millrace.testkit.store;

import io.millrace.heap.HeapRestore;
import io.millrace.heap.HeapStore;
import io.millrace.heap.Journal;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.SettableClock;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The heap store with a journal in memory: what it writes there is enough to be as it was. */
class JournaledHeapStoreTest extends DurableStoreContract {
    @Override
    protected DurableStoreFixture fixture() {
        return new Fixture();
    }

    private static final class Fixture implements DurableStoreFixture {
        private final SettableClock clock = new SettableClock();
        private Steps steps = new Steps(List.of());
        private HeapStore store = open();

        private HeapStore open() {
            Steps before = steps;
            steps = new Steps(before.all);
            HeapRestore restore = new HeapRestore(steps, clock, Long.MAX_VALUE);
            for (int i = 0; i < before.all.size(); i++) {
                restore.step(i, ByteBuffer.wrap(before.all.get(i)));
            }
            return restore.finish();
        }

        @Override
        public void reopen() {
            store.close();
            store = open();
        }

        @Override
        public TaskStore store() {
            return store;
        }

        @Override
        public void advance(Duration time) {
            clock.advance(time);
        }

        @Override
        public void close() {
            store.close();
        }
    }

    /** Each step is a segment of its own. */
    private static final class Steps implements Journal {
        private final List<byte[]> all;

        Steps(List<byte[]> before) {
            all = new ArrayList<>(before);
        }

        @Override
        public void admit(Use use, long bytes) {}

        @Override
        public long append(ByteBuffer step) {
            byte[] copy = new byte[step.remaining()];
            step.get(copy);
            all.add(copy);
            return all.size();
        }

        @Override
        public int segment() {
            return all.size() - 1;
        }

        @Override
        public void writeSoon(long step) {}

        @Override
        public void awaitDurable(long step) {}

        @Override
        public void copyTo(Path directory) {
            throw new UnsupportedOperationException("these steps are in memory");
        }

        @Override
        public void close() {}
    }
}
