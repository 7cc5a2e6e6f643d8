package io.millrace.embedded;

import io.millrace.spi.TaskStore;
import io.millrace.testkit.SettableClock;
import io.millrace.testkit.store.DurableStoreContract;
import io.millrace.testkit.store.DurableStoreFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;

/** The whole store contract, on segments so small that many tests fill several. */
class EmbeddedStoreTest extends DurableStoreContract {
    private static final int SEGMENT = 1 << 16;

    @Override
    protected DurableStoreFixture fixture() {
        return new Fixture();
    }

    private static final class Fixture implements DurableStoreFixture {
        private final SettableClock clock = new SettableClock();
        private final Path directory = newDirectory();
        private TaskStore store = open();

        private static Path newDirectory() {
            try {
                return Files.createTempDirectory("millrace-embedded");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private TaskStore open() {
            return new EmbeddedProvider().open("embedded:" + directory + "?segmentBytes=" + SEGMENT, clock);
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
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder()).forEach(Fixture::delete);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void delete(Path file) {
            try {
                Files.delete(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
