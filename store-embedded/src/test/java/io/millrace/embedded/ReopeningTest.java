package io.millrace.embedded;

import static io.millrace.embedded.TestStores.add;
import static io.millrace.embedded.TestStores.claim;
import static io.millrace.embedded.TestStores.ids;
import static io.millrace.embedded.TestStores.worker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.TaskState;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.Records;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.testkit.SettableClock;
import io.millrace.testkit.store.StoreInvariants;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores that are opened again and again, properly closed or not, and at another time than they should. */
class ReopeningTest {
    private static final int SEGMENT = 1 << 14;
    private static final Duration EXPIRY = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final SettableClock clock = new SettableClock();

    private TaskStore open(Path data) {
        return TestStores.open(data, clock, "?segmentBytes=" + SEGMENT);
    }

    @Test
    void tokens_and_versions_never_come_twice() {
        Set<String> tokens = new HashSet<>();
        Set<Long> versions = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            try (TaskStore store = open(directory)) {
                add(store, 10);
                LeasedTask leased = claim(store, worker(store), 1).get(0);
                assertThat(tokens.add(leased.lease().token())).isTrue();
                if (i % 2 == 0) {
                    TestStores.succeed(store, leased.lease());
                }
                long before =
                        store.records().get("key").map(Records.Entry::version).orElse(Records.ABSENT);
                store.records().put("key", "value " + i, before);
                long version = store.records().get("key").orElseThrow().version();
                assertThat(versions.add(version)).isTrue();
                if (i % 3 == 0) {
                    store.records().remove("key", version);
                }
            }
        }
        try (TaskStore store = open(directory)) {
            assertThat(ids(store)).hasSize(50);
            StoreInvariants.check(store);
        }
    }

    @Test
    void opening_again_and_again_takes_no_room() {
        String small = "?segmentBytes=1024";
        try (TaskStore store = TestStores.open(directory, clock, small)) {
            add(store, 10);
        }
        for (int i = 0; i < 150; i++) {
            TestStores.open(directory, clock, small).close();
        }
        try (TaskStore store = TestStores.open(directory, clock, small)) {
            assertThat(ids(store)).hasSize(1);
            // closing may have cut compaction short
            await().atMost(20, TimeUnit.SECONDS).until(() -> TestStores.bytes(directory) <= 10 * 1024);
        }
    }

    @Test
    void the_disk_stays_bounded_over_restarts() {
        for (int i = 0; i < 20; i++) {
            try (TaskStore store = open(directory)) {
                TestStores.churn(store, 2 * SEGMENT);
            }
        }
        assertThat(TestStores.bytes(directory)).isLessThanOrEqualTo(16 * SEGMENT);
    }

    @Test
    void workers_that_died_are_forgotten_although_the_store_is_restarted_often() {
        Path data = directory.resolve("0");
        for (int week = 1; week <= 10; week++) {
            Path next = directory.resolve(Integer.toString(week));
            TaskStore killed = open(data);
            UUID reaper = killed.workers().register(Introduction.ANONYMOUS, Duration.ofDays(2));
            for (int day = 0; day < 7; day++) {
                clock.advance(Duration.ofDays(1));
                killed.claimExpired(reaper, 10);
            }
            add(killed, 10);
            TestLogs.copy(data, next);
            killed.close();
            data = next;
        }
        try (TaskStore store = open(data)) {
            assertThat(store.workers().list()).hasSizeLessThan(5);
        }
    }

    @Test
    void tasks_of_a_lost_worker_run_again_although_the_clock_was_put_back() {
        try (TaskStore store = open(directory)) {
            add(store, 10);
            UUID worker = store.workers().register(Introduction.ANONYMOUS, EXPIRY);
            assertThat(claim(store, worker, 1)).hasSize(1);
        }
        clock.set(clock.instant().minus(Duration.ofHours(1)));
        try (TaskStore store = open(directory)) {
            UUID reaper = worker(store);
            assertThat(store.claimExpired(reaper, 10)).isEmpty();
            clock.advance(EXPIRY.plusSeconds(1));
            assertThat(store.claimExpired(reaper, 10))
                    .singleElement()
                    .extracting(OverdueLease::reason)
                    .isEqualTo(OverdueLease.Reason.WORKER_LOST);
        }
    }

    @Test
    void nothing_is_lost_although_the_clock_was_put_back() {
        UUID scheduled;
        UUID ready;
        UUID done;
        LeasedTask held;
        try (TaskStore store = open(directory)) {
            done = add(store, 10);
            UUID worker = worker(store);
            TestStores.succeed(store, claim(store, worker, 1).get(0).lease());
            add(store, 10);
            held = claim(store, worker, 1).get(0);
            scheduled = add(
                    store,
                    NewTask.builder(TestStores.TOPIC)
                            .payload(Payload.EMPTY)
                            .delay(Duration.ofMinutes(5))
                            .build());
            ready = add(store, 10);
        }
        clock.set(clock.instant().minus(Duration.ofHours(1)));
        try (TaskStore store = open(directory)) {
            assertThat(ids(store)).containsExactly(done, held.task().id(), scheduled, ready);
            UUID worker = worker(store);
            assertThat(claim(store, worker, 10))
                    .extracting(one -> one.task().id())
                    .containsExactly(ready);
            TestStores.succeed(store, held.lease());
            clock.advance(Duration.ofMinutes(66));
            assertThat(claim(store, worker, 10))
                    .extracting(one -> one.task().id())
                    .containsExactly(scheduled);
            assertThat(store.get(List.of(done, held.task().id())))
                    .allSatisfy(task -> assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED));
            StoreInvariants.check(store);
        }
    }
}
