package io.millrace.embedded;

import static io.millrace.embedded.TestStores.add;
import static io.millrace.embedded.TestStores.all;
import static io.millrace.embedded.TestStores.claim;
import static io.millrace.embedded.TestStores.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.InvalidValueException;
import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.SettableClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Payloads and results up to the limit, in segments that are smaller than one of them. */
class LargePayloadTest {
    @TempDir
    Path directory;

    private final SettableClock clock = new SettableClock();

    private static Payload large(int seed) {
        byte[] bytes = new byte[Limits.PAYLOAD_BYTES - seed];
        new Random(seed).nextBytes(bytes);
        return Payload.bytes(bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 16, 1 << 20, 1 << 24})
    void large_payloads_and_results_survive_restart_and_compaction(int segmentBytes) {
        String settings = "?segmentBytes=" + segmentBytes;
        int count = 10;
        try (TaskStore store = TestStores.open(directory, clock, settings)) {
            UUID worker = TestStores.worker(store);
            for (int i = 0; i < count; i++) {
                add(store, NewTask.builder(TestStores.TOPIC).payload(large(i)).build());
            }
            List<LeasedTask> leased = claim(store, worker, count);
            store.complete(leased.stream()
                    .map(one -> success(one.lease(), one.task().given().payload(), TestStores.KEPT))
                    .toList());
        }
        try (TaskStore store = TestStores.open(directory, clock, settings)) {
            check(store, count);
            if (segmentBytes < 1 << 24) {
                TestStores.churn(store, 20 * 1024);
                for (int i = 0; i < 30; i++) {
                    comeAndGo(store);
                }
                await().atMost(20, TimeUnit.SECONDS).until(() -> !Files.exists(LogFormat.segmentFile(directory, 1)));
            }
        }
        try (TaskStore store = TestStores.open(directory, clock, settings)) {
            check(store, count);
        }
    }

    private static void comeAndGo(TaskStore store) {
        add(store, NewTask.builder(TestStores.TOPIC).payload(large(7)).build());
        for (LeasedTask leased : claim(store, TestStores.worker(store), 1)) {
            store.complete(List.of(success(leased.lease(), null, java.time.Duration.ZERO)));
        }
    }

    private static void check(TaskStore store, int count) {
        List<Task> tasks = all(store);
        assertThat(tasks).hasSize(count);
        for (int i = 0; i < count; i++) {
            assertThat(tasks.get(i).given().payload()).isEqualTo(large(i));
            assertThat(tasks.get(i).result()).isEqualTo(large(i));
        }
    }

    @Test
    void more_than_a_step_can_hold_is_refused_by_its_size() {
        NewTask largest = NewTask.builder(TestStores.TOPIC).payload(large(0)).build();
        // one task, counted often: the estimate comes before anything else
        EnqueueRequest request = new EnqueueRequest(Collections.nCopies(1_100, largest), java.util.Map.of());
        try (TaskStore store = TestStores.open(directory, clock, "?segmentBytes=65536")) {
            Assertions.assertThatThrownBy(() -> store.enqueue(List.of(request)))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("it may have up to");
            assertThat(all(store)).isEmpty();
        }
    }
}
