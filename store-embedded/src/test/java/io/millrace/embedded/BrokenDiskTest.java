package io.millrace.embedded;

import static io.millrace.embedded.TestStores.add;
import static io.millrace.embedded.TestStores.all;
import static io.millrace.embedded.TestStores.claim;
import static io.millrace.embedded.TestStores.ids;
import static io.millrace.embedded.TestStores.worker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.Payload;
import io.millrace.StoreUnavailableException;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Records;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.SettableClock;
import io.millrace.testkit.store.StoreInvariants;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A write or a force that fails: the store takes nothing more, tells so, and loses nothing that it acknowledged. */
class BrokenDiskTest {
    @TempDir
    Path directory;

    private final FaultyDisk disk = new FaultyDisk();
    private final SettableClock clock = new SettableClock();

    private TaskStore open() {
        return TestStores.open(directory, clock, "?segmentBytes=65536", disk);
    }

    private static void isUnavailable(Throwable error) {
        assertThat(error)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("00000001.log could not be written")
                .hasMessageContaining("open the store again");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothing_acknowledged_is_lost_and_reads_go_on(boolean atForce) {
        UUID kept;
        UUID done;
        try (TaskStore store = open()) {
            done = add(store, 10);
            LeasedTask leased = claim(store, worker(store), 1).get(0);
            kept = add(store, 10);
            TestStores.succeed(store, leased.lease());
            disk.failsForce = atForce;
            disk.tearsWrite = !atForce;
            assertThatThrownBy(() -> add(store, 10)).satisfies(BrokenDiskTest::isUnavailable);
            disk.failsForce = false;
            disk.tearsWrite = false;
            assertThatThrownBy(() -> add(store, 10))
                    .as("it stays so until it is opened again")
                    .satisfies(BrokenDiskTest::isUnavailable);
            assertThat(ids(store)).startsWith(done, kept);
            StoreInvariants.check(store);
        }
        try (TaskStore store = open()) {
            StoreInvariants.check(store);
            assertThat(ids(store)).startsWith(done, kept);
            assertThat(store.get(List.of(done)))
                    .singleElement()
                    .extracting(Task::state)
                    .isEqualTo(TaskState.SUCCEEDED);
            add(store, 10);
        }
    }

    @Test
    void calls_after_the_failure_change_nothing() {
        try (TaskStore store = open()) {
            add(store, 10);
            UUID worker = worker(store);
            LeasedTask leased = claim(store, worker, 1).get(0);
            add(store, 10);
            store.records().put("key", "before", Records.ABSENT);
            disk.failsForce = true;
            assertThatThrownBy(() -> add(store, 10)).satisfies(BrokenDiskTest::isUnavailable);
            List<Task> before = all(store);
            List<Consumer<TaskStore>> calls = List.of(
                    any -> add(any, 10),
                    any -> claim(any, worker, 1),
                    any -> TestStores.succeed(any, leased.lease()),
                    any -> any.claimExpired(worker, 10),
                    TaskStore::checkReady,
                    any -> any.records()
                            .put(
                                    "key",
                                    "after",
                                    any.records().get("key").orElseThrow().version()));
            for (Consumer<TaskStore> call : calls) {
                assertThatThrownBy(() -> call.accept(store)).satisfies(BrokenDiskTest::isUnavailable);
            }
            assertThat(all(store)).isEqualTo(before);
            assertThat(store.records().get("key").orElseThrow().value()).isEqualTo("before");
            assertThat(store.workers().list()).hasSize(1);
        }
    }

    @Test
    void a_backup_of_a_broken_store_says_why_it_fails() {
        try (TaskStore store = open()) {
            add(store, 10);
            disk.failsForce = true;
            assertThatThrownBy(() -> add(store, 10)).satisfies(BrokenDiskTest::isUnavailable);
            assertThatThrownBy(() -> store.backUp(directory.resolveSibling("copy")))
                    .isInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    void a_failure_at_the_close_is_told_and_frees_the_directory() {
        TaskStore store = open();
        add(store, 10);
        worker(store);
        disk.failsForce = true;
        assertThatThrownBy(store::close).satisfies(BrokenDiskTest::isUnavailable);
        disk.failsForce = false;
        assertThatCode(store::close).doesNotThrowAnyException();
        try (TaskStore again = open()) {
            assertThat(ids(again)).hasSize(1);
        }
    }

    @Test
    void a_service_on_a_broken_disk_closes_within_its_patience() throws Exception {
        String url = FaultyProvider.url(directory, disk, "?segmentBytes=65536");
        MillraceOptions options = MillraceOptions.builder()
                .workers(2)
                .closeTimeout(Duration.ofSeconds(2))
                .build();
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        UUID id;
        try (Millrace millrace = Millrace.open(url, options)) {
            millrace.handle("topic", (payload, context) -> {
                running.countDown();
                assertThat(release.await(20, TimeUnit.SECONDS)).isTrue();
            });
            id = millrace.enqueue("topic", Payload.json("1")).id();
            assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();
            disk.failsForce = true;
            release.countDown();
            assertThatThrownBy(() -> millrace.enqueue("topic", Payload.json("2")))
                    .satisfies(BrokenDiskTest::isUnavailable);
            assertThat(millrace.find(id)).isPresent();
        }
        disk.failsForce = false;
        try (Millrace millrace = Millrace.open(url, options)) {
            assertThat(millrace.find(id)).isPresent();
        }
    }
}
