package io.millrace.embedded;

import static io.millrace.embedded.TestStores.add;
import static io.millrace.embedded.TestStores.churn;
import static io.millrace.embedded.TestStores.ids;
import static io.millrace.embedded.TestStores.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.StoreUnavailableException;
import io.millrace.Task;
import io.millrace.spi.CompletionResult.Status;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Records;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.SettableClock;
import io.millrace.testkit.store.StoreInvariants;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compaction beside everything that can go wrong. */
class CompactionTest {
    private static final int SEGMENT = 1 << 14;
    private static final String SETTINGS = "?segmentBytes=" + SEGMENT;

    @TempDir
    Path directory;

    private final FaultyDisk disk = new FaultyDisk();
    private final SettableClock clock = new SettableClock();

    private TaskStore open(String settings) {
        return TestStores.open(directory, clock, settings, disk);
    }

    private void awaitFirstGone() {
        await().atMost(20, TimeUnit.SECONDS).until(() -> !Files.exists(LogFormat.segmentFile(directory, 1)));
    }

    @Test
    void nothing_is_deleted_that_a_power_cut_could_ask_for() {
        Path cut = directory.resolve("cut");
        disk.beforeDelete = file -> {
            if (file.endsWith("00000002.log")) {
                // its name is gone at once, in the worst case
                Path left = disk.powerCut(cut).resolve(file.getFileName());
                assertThat(left.toFile().delete()).isTrue();
            }
        };
        UUID kept;
        try (TaskStore store = open(SETTINGS + "&forceEveryMillis=3600000")) {
            kept = add(store, 10);
            churn(store, 20 * SEGMENT);
            await().atMost(20, TimeUnit.SECONDS).until(() -> !Files.exists(LogFormat.segmentFile(directory, 2)));
        }
        try (TaskStore store = TestStores.open(cut, clock, SETTINGS)) {
            assertThat(ids(store)).contains(kept);
        }
    }

    @Test
    void an_opening_is_on_the_disk_before_it_hands_out_tokens() {
        List<LeasedTask> leased = new ArrayList<>();
        String settings = SETTINGS + "&forceEveryMillis=3600000";
        try (TaskStore store = open(settings)) {
            add(store, 10);
        }
        Path cut = directory.resolve("cut");
        try (TaskStore store = open(settings)) {
            var unused = disk.powerCut(cut);
            leased.addAll(TestStores.claim(store, TestStores.worker(store), 1));
        }
        try (TaskStore store = TestStores.open(cut, clock, settings)) {
            leased.addAll(TestStores.claim(store, TestStores.worker(store), 1));
        }
        assertThat(leased).extracting(one -> one.lease().token()).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void what_stands_in_the_oldest_segment_is_carried_on() {
        UUID worker;
        LeasedTask running;
        List<UUID> waiting = new ArrayList<>();
        try (TaskStore store = open(SETTINGS)) {
            store.records().put("key", "value", Records.ABSENT);
            worker = TestStores.worker(store);
            store.workers().requestStop(TestStores.worker(store));
            add(store, 10);
            running = TestStores.claim(store, worker, 1).get(0);
            for (int i = 0; i < 5; i++) {
                waiting.add(add(store, 500));
            }
            churn(store, 20 * SEGMENT);
            awaitFirstGone();
        }
        try (TaskStore store = open(SETTINGS)) {
            assertThat(store.records().get("key").orElseThrow().value()).isEqualTo("value");
            assertThat(store.workers().list()).hasSize(2);
            assertThat(ids(store)).contains(running.task().id()).containsAll(waiting);
            assertThat(TestStores.succeed(store, running.lease()).status()).isEqualTo(Status.APPLIED);
            StoreInvariants.check(store);
        }
    }

    @Test
    void a_full_disk_costs_nothing_and_compaction_goes_on_afterwards() {
        List<UUID> kept = new ArrayList<>();
        try (TaskStore store = open(SETTINGS)) {
            for (int i = 0; i < 30; i++) {
                kept.add(add(store, 1_000));
            }
            churn(store, 3 * SEGMENT);
            disk.full = true;
            assertThatThrownBy(() -> churn(store, 40 * SEGMENT)).isInstanceOf(StoreUnavailableException.class);
            assertThat(ids(store)).containsAll(kept);
            disk.full = false;
            clock.advance(Duration.ofSeconds(2));
            await().atMost(20, TimeUnit.SECONDS).ignoreExceptions().until(() -> add(store, task(10)) != null);
            churn(store, 20 * SEGMENT);
            awaitFirstGone();
        }
        try (TaskStore store = open(SETTINGS)) {
            assertThat(ids(store)).containsAll(kept);
            StoreInvariants.check(store);
        }
    }

    @Test
    void a_segment_that_cannot_be_deleted_harms_nothing() {
        UUID kept;
        try (TaskStore store = open(SETTINGS)) {
            kept = add(store, 100);
            disk.failsDelete = true;
            churn(store, 20 * SEGMENT);
            assertThat(LogFormat.segmentFile(directory, 1)).exists();
        }
        disk.failsDelete = false;
        try (TaskStore store = open(SETTINGS)) {
            assertThat(ids(store)).contains(kept);
            awaitFirstGone();
        }
    }

    @Test
    void damage_that_comes_up_while_the_store_is_open_keeps_it_working() throws Exception {
        List<Task> before;
        try (TaskStore store = open(SETTINGS)) {
            for (int i = 0; i < 10; i++) {
                add(store, 100);
            }
            churn(store, 2 * SEGMENT);
            Path first = LogFormat.segmentFile(directory, 1);
            byte[] bytes = Files.readAllBytes(first);
            bytes[500]++;
            Files.write(first, bytes);
            churn(store, 20 * SEGMENT);
            before = TestStores.all(store);
            assertThat(before).hasSize(10);
            awaitFirstGone();
        }
        try (TaskStore store = open(SETTINGS)) {
            assertThat(TestStores.all(store)).isEqualTo(before);
        }
    }
}
