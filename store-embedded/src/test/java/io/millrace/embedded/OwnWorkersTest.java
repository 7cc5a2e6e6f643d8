package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Attempt;
import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.testkit.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers of the process that has the store open are gone with it, and nobody need wait for them. */
class OwnWorkersTest {
    @TempDir
    Path directory;

    private Path data(String name) {
        return directory.resolve(name);
    }

    @Test
    void the_leases_of_a_killed_process_are_lost_when_the_store_is_opened_again() {
        SettableClock clock = new SettableClock();
        UUID own;
        UUID others;
        try (TaskStore store = TestStores.open(data("a"), clock, "")) {
            TestStores.add(store, 10);
            TestStores.add(store, 10);
            UUID inProcess =
                    store.workers().register(new Introduction("own", "", Set.of(), "", true), Duration.ofSeconds(30));
            UUID remote = store.workers().register(Introduction.ANONYMOUS, Duration.ofSeconds(30));
            own = TestStores.claim(store, inProcess, 1).get(0).task().id();
            others = TestStores.claim(store, remote, 1).get(0).task().id();
            TestStores.add(store, 10);
            // as a kill leaves it
            TestLogs.copy(data("a"), data("b"));
        }
        try (TaskStore store = TestStores.open(data("b"), clock, "")) {
            UUID reaper = TestStores.worker(store);

            List<OverdueLease> lost = store.claimExpired(reaper, 10);

            assertThat(lost).singleElement().satisfies(overdue -> {
                assertThat(overdue.leased().task().id()).isEqualTo(own);
                assertThat(overdue.reason()).isEqualTo(OverdueLease.Reason.WORKER_LOST);
            });
            clock.advance(Duration.ofSeconds(30));
            assertThat(store.claimExpired(reaper, 10))
                    .extracting(overdue -> overdue.leased().task().id())
                    .containsExactly(others);
        }
    }

    @Test
    void tasks_of_a_killed_process_run_again_at_once() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        UUID id;
        try (Millrace killed = Millrace.open("embedded:" + data("a"))) {
            killed.handle("t", (payload, context) -> {
                started.countDown();
                new CountDownLatch(1).await();
            });
            id = killed.enqueue("t", Payload.json("1")).id();
            started.await();
            // what comes after the claim is on the disk with it
            killed.enqueue("other", Payload.json("2"));
            TestLogs.copy(data("a"), data("b"));
            killed.closeNow();
        }
        try (Millrace millrace = Millrace.open("embedded:" + data("b"))) {
            millrace.handle("t", (payload, context) -> {});

            Task task = millrace.finished(id).get(10, TimeUnit.SECONDS);

            assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
            assertThat(task.attempts()).extracting(Attempt::outcome).containsExactly(Outcome.LOST, Outcome.SUCCEEDED);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void what_is_due_when_a_drain_looks_is_run_by_it(boolean durable) throws Exception {
        SettableClock clock = new SettableClock();
        MillraceOptions options =
                MillraceOptions.builder().clock(clock).workers(2).build();
        try (Millrace millrace = Millrace.open(durable ? "embedded:" + data("a") : "heap:", options)) {
            millrace.handle("t", (payload, context) -> {});
            for (int round = 0; round < 20; round++) {
                List<UUID> ids = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    ids.add(millrace.enqueue(NewTask.builder("t")
                                    .delay(Duration.ofSeconds(1 + i))
                                    .build())
                            .id());
                }

                clock.advance(Duration.ofMinutes(1));
                millrace.drain();

                for (UUID id : ids) {
                    assertThat(millrace.find(id).orElseThrow().state()).isEqualTo(TaskState.SUCCEEDED);
                }
            }
        }
    }
}
