package io.millrace.embedded;

import static io.millrace.embedded.TestStores.add;
import static io.millrace.embedded.TestStores.all;
import static io.millrace.embedded.TestStores.ids;
import static io.millrace.embedded.TestStores.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Damage;
import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.spi.Change;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.SettableClock;
import io.millrace.testkit.store.StoreInvariants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage to a store's files is told by file and offset, and repair rescues all that it did not hit. */
class DamagedStoreTest {
    private static final String SETTINGS = "?segmentBytes=8192";
    private static final int DAMAGES = Boolean.getBoolean("millrace.long") ? 1_000 : 30;

    @TempDir
    Path directory;

    private final SettableClock clock = new SettableClock();
    private List<Task> before = List.of();

    private Path data() {
        return directory.resolve("data");
    }

    /** A mixed history over many segments: tasks in all states, workers, records, some tasks deleted. */
    @BeforeEach
    void fill() {
        try (TaskStore store = TestStores.open(data(), clock, SETTINGS)) {
            UUID worker = TestStores.worker(store);
            for (int i = 0; i < 100; i++) {
                UUID id = add(store, task(i));
                store.records().put("record " + i, "value", 0);
                for (LeasedTask leased : i % 2 == 0 ? TestStores.claim(store, worker, 1) : List.<LeasedTask>of()) {
                    if (i % 4 == 0) {
                        store.complete(List.of(success(leased.lease(), Payload.bytes(new byte[50]), TestStores.KEPT)));
                    }
                }
                if (i % 9 == 0) {
                    store.change(new Selection.Ids(List.of(id)), new Change.Delete(), 1);
                }
            }
            before = all(store);
            assertThat(TestStores.segments(data())).isGreaterThan(5);
        }
    }

    private static NewTask task(int number) {
        return NewTask.builder(TestStores.TOPIC)
                .payload(Payload.bytes(new byte[300]))
                .delay(Duration.ofSeconds(number % 5 == 0 ? 3_600 : 0))
                .waitFor(number % 7 == 3 ? 1 : 0)
                .scope("scope", "number " + number)
                .build();
    }

    @Test
    void damage_in_the_middle_is_named_and_repair_rescues_the_rest() throws Exception {
        Path file = LogFormat.segmentFile(data(), 3);
        byte[] bytes = Files.readAllBytes(file);
        bytes[4_000] ^= 1;
        Files.write(file, bytes);
        assertThatThrownBy(() -> TestStores.open(data(), clock, SETTINGS))
                .isInstanceOfSatisfying(DamagedLogException.class, damage -> {
                    assertThat(damage.file()).isEqualTo(file);
                    assertThat(damage.offset()).isBetween(3_000L, 4_000L);
                })
                .hasMessageContaining("repair");
        Path repaired = directory.resolve("repaired");
        RepairReport report = EmbeddedRepair.repair(data(), repaired);
        assertThat(report.damages()).extracting(Damage::file).contains(file);
        assertThat(report.dropped()).isZero();
        try (Millrace millrace = Millrace.open("embedded:" + repaired)) {
            assertThat(millrace.stream(TaskQuery.ALL)).hasSizeGreaterThanOrEqualTo(before.size() - 1);
            millrace.handle(TestStores.TOPIC, (payload, context) -> {});
            UUID id = millrace.enqueue(TestStores.TOPIC, Payload.EMPTY).id();
            assertThat(millrace.finished(id).get(20, TimeUnit.SECONDS).state()).isEqualTo(TaskState.SUCCEEDED);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, -1})
    void a_missing_file_is_damage_and_repair_rescues_the_others(int number) throws IOException {
        List<FoundSegment> used = FoundSegment.list(data(), new RealDisk()).stream()
                .filter(FoundSegment::isUsed)
                .toList();
        Path missing = used.get(number < 0 ? used.size() - 1 : number - 1).file();
        Files.delete(missing);
        assertThatThrownBy(() -> TestStores.open(data(), clock, SETTINGS)).isInstanceOf(DamagedLogException.class);
        checkRepair(data(), directory.resolve("repaired"));
    }

    /** Opens what repair makes of a damaged directory, and lets all of it run. */
    private void checkRepair(Path damaged, Path repaired) {
        var unused = EmbeddedRepair.repair(damaged, repaired);
        try (TaskStore store = TestStores.open(repaired, clock, SETTINGS)) {
            StoreInvariants.check(store);
            UUID worker = TestStores.worker(store);
            for (LeasedTask leased : TestStores.claim(store, worker, 1_000)) {
                TestStores.succeed(store, leased.lease());
            }
            StoreInvariants.check(store);
        }
    }

    @Test
    void random_damage_never_costs_what_it_did_not_hit() throws IOException {
        Random chance = new Random(11);
        Set<UUID> all = before.stream().map(Task::id).collect(Collectors.toSet());
        int refused = 0;
        for (int i = 0; i < DAMAGES; i++) {
            Path damaged = TestLogs.copy(data(), directory.resolve("damaged " + i));
            List<FoundSegment> files = FoundSegment.list(damaged, new RealDisk());
            FoundSegment hit = files.get(chance.nextInt(files.size()));
            String what = damage(hit.file(), chance);
            try (TaskStore store =
                    TestStores.open(TestLogs.copy(damaged, directory.resolve("open " + i)), clock, SETTINGS)) {
                StoreInvariants.check(store);
                assertThat(ids(store)).as("damage %d, %s of %s", i, what, hit).containsAll(all);
            } catch (DamagedLogException e) {
                refused++;
                assertThat(e.file().getFileName()).as("damage %d, %s", i, what).isNotNull();
                checkRescue(damaged, directory.resolve("repaired " + i), hit);
            }
        }
        assertThat(refused).isPositive();
    }

    /** All tasks are there that would be if the whole file were missing. */
    private void checkRescue(Path damaged, Path repaired, FoundSegment hit) throws IOException {
        checkRepair(damaged, repaired);
        Path without = TestLogs.copy(data(), directory.resolve(repaired.getFileName() + " without"));
        Files.delete(without.resolve(hit.file().getFileName()));
        Path rest = directory.resolve(repaired.getFileName() + " at least");
        var unused = EmbeddedRepair.repair(without, rest);
        try (TaskStore least = TestStores.open(rest, clock, SETTINGS);
                TaskStore rescued = TestStores.open(repaired, clock, SETTINGS)) {
            List<UUID> expected =
                    before.stream().map(Task::id).filter(ids(least)::contains).toList();
            assertThat(ids(rescued)).containsAll(expected);
        }
    }

    private static String damage(Path file, Random chance) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int at = chance.nextInt(bytes.length);
        int end = Math.min(bytes.length, at + 1 + chance.nextInt(400));
        switch (chance.nextInt(4)) {
            case 0 -> {
                bytes[at] ^= (byte) (1 << chance.nextInt(8));
                Files.write(file, bytes);
                return "flip at " + at;
            }
            case 1 -> {
                Arrays.fill(bytes, at, end, (byte) 0);
                Files.write(file, bytes);
                return "zeros from " + at + " to " + end;
            }
            case 2 -> {
                Files.write(file, Arrays.copyOf(bytes, at));
                return "cut at " + at;
            }
            default -> {
                List<Integer> places = new ArrayList<>();
                for (int i = at; i < end; i++) {
                    bytes[i] = (byte) chance.nextInt(256);
                    places.add(i);
                }
                Files.write(file, bytes);
                return "garbage at " + places.get(0) + ", " + places.size() + " bytes";
            }
        }
    }
}
