package io.millrace.embedded;

import static io.millrace.embedded.TestStores.add;
import static io.millrace.embedded.TestStores.all;
import static io.millrace.embedded.TestStores.claim;
import static io.millrace.embedded.TestStores.ids;
import static io.millrace.embedded.TestStores.success;
import static io.millrace.embedded.TestStores.worker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Payload;
import io.millrace.StoreUnavailableException;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult.Status;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.SettableClock;
import io.millrace.testkit.store.StoreInvariants;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store on a disk without room: new tasks wait outside, everything else goes on as long as it can. */
class FullDiskTest {
    private static final int SEGMENT = 1 << 16;
    private static final Duration RETRY = Duration.ofSeconds(1);

    @TempDir
    Path directory;

    private final FaultyDisk disk = new FaultyDisk();
    private final SettableClock clock = new SettableClock();

    private TaskStore open() {
        return TestStores.open(directory, clock, "?segmentBytes=" + SEGMENT, disk);
    }

    /** Not before the segments that are prepared ahead are there. */
    private void fillDisk() {
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> TestStores.segments(directory) == 3);
        disk.full = true;
    }

    /** Enqueues until the disk has no room. */
    private List<UUID> fill(TaskStore store) {
        List<UUID> added = new ArrayList<>();
        fillDisk();
        assertThatThrownBy(() -> {
                    while (added.size() < 1_000) {
                        added.add(add(store, 1_000));
                    }
                })
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("no room on the disk")
                .hasMessageContaining(directory.toString());
        return added;
    }

    private void makeRoom(TaskStore store) {
        disk.full = false;
        clock.advance(RETRY);
        Awaitility.await().atMost(20, TimeUnit.SECONDS).ignoreExceptions().until(() -> add(store, 10) != null);
    }

    @Test
    void new_tasks_are_refused_and_nothing_of_them_is_kept() {
        try (TaskStore store = open()) {
            List<UUID> added = fill(store);
            assertThat(added).isNotEmpty();
            assertThat(ids(store)).isEqualTo(added);
            StoreInvariants.check(store);
            assertThatThrownBy(store::checkReady)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("no room on the disk");
            makeRoom(store);
            store.checkReady();
        }
        disk.full = false;
        try (TaskStore store = open()) {
            assertThat(store.count(io.millrace.TaskQuery.ALL))
                    .singleElement()
                    .satisfies(count -> assertThat(count.state()).isEqualTo(TaskState.READY));
        }
    }

    @Test
    void what_is_there_is_claimed_and_reported() {
        try (TaskStore store = open()) {
            List<UUID> added = fill(store);
            UUID worker = worker(store);
            List<LeasedTask> leased = claim(store, worker, 50);
            assertThat(leased).hasSize(50);
            for (LeasedTask one : leased) {
                assertThat(TestStores.succeed(store, one.lease()).status()).isEqualTo(Status.APPLIED);
            }
            makeRoom(store);
            assertThat(ids(store)).containsAll(added);
        }
        try (TaskStore store = open()) {
            assertThat(all(store).stream().filter(task -> task.state() == TaskState.SUCCEEDED))
                    .hasSize(50);
        }
    }

    @Test
    void reports_that_find_no_room_change_nothing_and_succeed_later() {
        try (TaskStore store = open()) {
            for (int i = 0; i < 200; i++) {
                add(store, 10);
            }
            List<LeasedTask> leased = claim(store, worker(store), 200);
            fillDisk();
            List<Completion> refused = new ArrayList<>();
            int reported = 0;
            for (LeasedTask one : leased) {
                Completion report = success(one.lease(), Payload.bytes(new byte[4_000]), TestStores.KEPT);
                try {
                    store.complete(List.of(report));
                    reported++;
                } catch (StoreUnavailableException e) {
                    assertThat(e)
                            .hasMessageContaining("no room on the disk")
                            .hasMessageContaining("reserve for reports");
                    refused.add(report);
                }
            }
            // at least the segment that is kept for them
            assertThat(reported).isGreaterThanOrEqualTo(SEGMENT / 4_200);
            assertThat(refused).isNotEmpty();
            assertThat(all(store).stream().filter(task -> task.state() == TaskState.RUNNING))
                    .hasSameSizeAs(refused);
            StoreInvariants.check(store);
            makeRoom(store);
            for (Completion report : refused) {
                assertThat(store.complete(List.of(report)).get(0).status()).isEqualTo(Status.APPLIED);
            }
        }
        try (TaskStore store = open()) {
            assertThat(all(store).stream().filter(task -> task.state() == TaskState.SUCCEEDED))
                    .hasSize(200)
                    .allSatisfy(task -> assertThat(task.result()).isNotNull());
        }
    }

    @Test
    void many_large_reports_at_once_use_the_room_that_is_there() {
        try (TaskStore store = open()) {
            for (int i = 0; i < 40; i++) {
                add(store, 10);
            }
            List<Completion> reports = claim(store, worker(store), 40).stream()
                    .map(leased -> success(leased.lease(), Payload.bytes(new byte[9_000]), TestStores.KEPT))
                    .toList();
            fillDisk();
            assertThatThrownBy(() -> store.complete(reports)).isInstanceOf(StoreUnavailableException.class);
            assertThat(all(store).stream().filter(task -> task.state() == TaskState.SUCCEEDED))
                    .hasSizeGreaterThanOrEqualTo(12);
            makeRoom(store);
            assertThat(store.complete(reports))
                    .extracting(result -> result.status())
                    .contains(Status.REPEATED);
        }
        try (TaskStore store = open()) {
            assertThat(all(store))
                    .filteredOn(task -> task.state() == TaskState.SUCCEEDED)
                    .hasSize(40);
        }
    }

    @Test
    void a_store_with_room_in_its_files_opens_on_a_full_disk() {
        UUID id;
        try (TaskStore store = open()) {
            id = add(store, 10);
        }
        disk.full = true;
        try (TaskStore store = open()) {
            List<LeasedTask> leased = claim(store, worker(store), 1);
            assertThat(TestStores.succeed(store, leased.get(0).lease()).status())
                    .isEqualTo(Status.APPLIED);
            assertThat(store.get(List.of(id)))
                    .singleElement()
                    .extracting(Task::state)
                    .isEqualTo(TaskState.SUCCEEDED);
        }
    }

    @Test
    void a_new_store_on_a_full_disk_is_refused_and_leaves_nothing_behind() {
        disk.full = true;
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("No space left on device")
                .hasMessageContaining(directory.toString());
        disk.full = false;
        try (TaskStore store = open()) {
            add(store, 10);
        }
    }

    @Test
    void a_store_that_has_used_its_last_byte_opens_when_there_is_room() {
        try (TaskStore store = open()) {
            for (int i = 0; i < 300; i++) {
                add(store, 10);
            }
            List<LeasedTask> leased = claim(store, worker(store), 300);
            fillDisk();
            useUp(store, leased);
        }
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(directory.toString())
                .hasMessageContaining("open it again");
        disk.full = false;
        try (TaskStore store = open()) {
            assertThat(all(store)).hasSize(300);
        }
    }

    /** Reports, in ever smaller steps, until not even the smallest finds room. */
    private static void useUp(TaskStore store, List<LeasedTask> leased) {
        int bytes = 10_000;
        for (LeasedTask one : leased) {
            try {
                store.complete(List.of(success(one.lease(), Payload.bytes(new byte[bytes]), TestStores.KEPT)));
            } catch (StoreUnavailableException e) {
                bytes /= 2;
            }
        }
        assertThat(bytes).isZero();
    }
}
