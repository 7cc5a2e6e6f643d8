package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TaskQuery;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.SettableClock;
import io.millrace.testkit.store.DataOfVersion1;
import io.millrace.testkit.store.StoreFixture;
import io.millrace.testkit.store.StoreInvariants;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs that earlier versions wrote, and were killed over. */
class OldFormatTest {
    @TempDir
    Path directory;

    private final SettableClock clock = new SettableClock(DataOfVersion1.WRITTEN);

    private TaskStore open() {
        return TestStores.open(directory, clock, "?segmentBytes=16384");
    }

    private void unpackVersion1() throws IOException {
        for (String name : new String[] {"00000001.log", "00000002.log", "00000003.log"}) {
            try (InputStream file = OldFormatTest.class.getResourceAsStream("/format-1/" + name)) {
                Files.copy(file, directory.resolve(name));
            }
        }
    }

    @Test
    void a_log_of_version_1_is_read_as_it_was_and_goes_on() throws IOException {
        unpackVersion1();
        try (TaskStore store = open()) {
            DataOfVersion1.check(store);
        }
        try (TaskStore store = open()) {
            DataOfVersion1.check(store);
            DataOfVersion1.workOn(store, new Fixture(store));
        }
        try (TaskStore store = open()) {
            assertThat(store.list(TaskQuery.ALL, null, 100).items()).hasSize(17);
            StoreInvariants.check(store);
        }
    }

    @Test
    void what_a_log_of_version_1_holds_survives_compaction() throws IOException {
        unpackVersion1();
        try (TaskStore store = open()) {
            TestStores.churn(store, 20 * 16_384);
        }
        try (TaskStore store = open()) {
            DataOfVersion1.check(store);
            DataOfVersion1.workOn(store, new Fixture(store));
        }
    }

    private final class Fixture implements StoreFixture {
        private final TaskStore store;

        Fixture(TaskStore store) {
            this.store = store;
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
        public void close() {}
    }
}
