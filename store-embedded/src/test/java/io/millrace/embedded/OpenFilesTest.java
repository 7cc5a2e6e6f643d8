package io.millrace.embedded;

import static io.millrace.embedded.TestStores.add;
import static io.millrace.embedded.TestStores.claim;
import static io.millrace.embedded.TestStores.succeed;
import static io.millrace.embedded.TestStores.worker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.StoreUnavailableException;
import io.millrace.spi.CompletionResult.Status;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process without file descriptors has a disk with room: it says what is missing, and what to do. */
class OpenFilesTest {
    @TempDir
    Path directory;

    private final FaultyDisk disk = new FaultyDisk();
    private final SettableClock clock = new SettableClock();

    private TaskStore open() {
        return TestStores.open(directory, clock, "?segmentBytes=" + (1 << 16), disk);
    }

    @Test
    void without_descriptors_new_tasks_are_refused_with_the_limit_that_is_to_be_raised() {
        try (TaskStore store = open()) {
            Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> TestStores.segments(directory) == 3);
            disk.outOfFiles = true;
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1_000; i++) {
                            add(store, 1_000);
                        }
                    })
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("too many open files")
                    .hasMessageContaining("LimitNOFILE")
                    .hasMessageNotContaining("room");

            var leased = claim(store, worker(store), 1);
            assertThat(succeed(store, leased.get(0).lease()).status()).isEqualTo(Status.APPLIED);

            disk.outOfFiles = false;
            clock.advance(Duration.ofSeconds(1));
            Awaitility.await().atMost(20, TimeUnit.SECONDS).ignoreExceptions().until(() -> add(store, 10) != null);
        }
    }

    @Test
    void without_descriptors_a_store_is_not_opened_and_says_why() {
        try (TaskStore store = open()) {
            add(store, 10);
        }
        disk.outOfFiles = true;
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("too many open files")
                .hasMessageContaining("LimitNOFILE");
    }

    @Test
    void another_failure_of_the_disk_is_told_as_what_it_is() {
        try (TaskStore store = open()) {
            Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> TestStores.segments(directory) == 3);
            disk.failsCreate = true;
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1_000; i++) {
                            add(store, 1_000);
                        }
                    })
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("Read-only file system")
                    .hasMessageNotContaining("room");
        }
    }
}
