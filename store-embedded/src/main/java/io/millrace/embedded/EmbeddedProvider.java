package io.millrace.embedded;

import io.millrace.heap.HeapRestore;
import io.millrace.heap.HeapStore;
import io.millrace.spi.EngineClock;
import io.millrace.spi.StoreProvider;
import io.millrace.spi.TaskStore;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Opens {@code embedded:./data}: the heap store, kept in a log on this machine's disk. */
public final class EmbeddedProvider implements StoreProvider {
    @Override
    public boolean accepts(String url) {
        return url.startsWith(EmbeddedUrl.SCHEME);
    }

    @Override
    public TaskStore open(String url, EngineClock clock) {
        return open(EmbeddedUrl.parse(url), clock, new RealDisk());
    }

    static HeapStore open(EmbeddedUrl settings, EngineClock clock, Disk disk) {
        LogJournal journal = new LogJournal(settings, clock, disk);
        try {
            HeapRestore restore = new HeapRestore(journal, clock, settings.memoryBytes());
            journal.open(new Restoring(settings.directory(), restore));
            HeapStore store = restore.finish();
            journal.serve(store);
            return store;
        } catch (RuntimeException | Error e) {
            journal.close();
            throw e;
        }
    }

    private static final class Restoring implements FrameConsumer {
        private final Path directory;
        private final HeapRestore restore;
        private int oldest;

        Restoring(Path directory, HeapRestore restore) {
            this.directory = directory;
            this.restore = restore;
        }

        @Override
        public void accept(int segment, long number, ByteBuffer payload) {
            oldest = oldest == 0 ? segment : oldest;
            try {
                restore.step(segment, payload);
            } catch (RuntimeException e) {
                // its checksum is right, so it was written so
                Path file = LogFormat.segmentFile(directory, segment);
                throw new DamagedLogException(
                        file, 0, "step " + number + " makes no sense to this version of Millrace: " + e.getMessage());
            }
        }

        /** The log cannot know which files at its beginning were deleted because they were not needed; the steps tell. */
        @Override
        public void end() {
            if (oldest > restore.firstSegment()) {
                Path missing = LogFormat.segmentFile(directory, restore.firstSegment());
                Path first = LogFormat.segmentFile(directory, oldest);
                throw new DamagedLogException(
                        missing, 0, "it is missing, and so may be others before " + first.getFileName());
            }
        }
    }
}
