package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.embedded.RandomCalls.Kept;
import io.millrace.spi.Lease;
import io.millrace.spi.Records;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.SettableClock;
import io.millrace.testkit.store.StoreInvariants;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random calls on segments so small that compaction never ends. At random changes of the disk a crash is imagined: of the
 * process, which leaves all that was written, or of the machine, which leaves what was forced. From what is left opens a
 * store as it was after one of the calls, and not before the last one that was acknowledged.
 */
class RandomCrashTest {
    private static final boolean LONG = Boolean.getBoolean("millrace.long");
    private static final int ROUNDS = 4;
    private static final int CALLS = 150;
    private static final String SETTINGS = "?segmentBytes=2048";

    @TempDir
    Path directory;

    private final SettableClock clock = new SettableClock();
    /** The states after each call, and the last call that a crash must not lose. */
    private final List<State> states = new ArrayList<>();

    private volatile int durable;

    private final List<Crash> crashes = new ArrayList<>();
    private final Set<String> tokens = new HashSet<>();

    private record State(List<List<Object>> tasks, List<Records.Entry> records) {}

    private record Crash(Path left, int acknowledged, Instant moment) {}

    static LongStream seeds() {
        Long chosen = Long.getLong("millrace.seed");
        return chosen == null ? LongStream.rangeClosed(1, LONG ? 200 : 6) : LongStream.of(chosen);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void a_store_opens_as_it_was_after_one_of_the_last_calls_with_seed(long seed) throws Exception {
        Random chance = new Random(seed);
        Path data = directory.resolve("data");
        int deleted = 0;
        for (int round = 0; round < ROUNDS; round++) {
            run(data, chance, directory.resolve("round " + round));
            deleted += Files.exists(LogFormat.segmentFile(data, 1)) ? 0 : 1;
            for (Crash crash : crashes) {
                check(crash);
            }
            data = crashes.get(chance.nextInt(crashes.size())).left();
        }
        assertThat(deleted).as("rounds with compaction").isPositive();
    }

    private void run(Path data, Random chance, Path imagined) {
        FaultyDisk disk = new FaultyDisk();
        RandomCalls calls = new RandomCalls(chance);
        Random crashChance = new Random(chance.nextLong());
        states.clear();
        crashes.clear();
        durable = 0;
        try (TaskStore store = TestStores.open(data, clock, SETTINGS, disk)) {
            states.add(state(store));
            disk.afterChange = () -> {
                if (crashChance.nextInt(25) == 0) {
                    crash(disk, data, imagined.resolve("crash " + crashes.size()), crashChance.nextBoolean());
                }
            };
            for (int call = 1; call <= CALLS; call++) {
                clock.advance(chance.nextInt(4) == 0 ? Duration.ofSeconds(chance.nextInt(15)) : Duration.ZERO);
                Kept kept = calls.call(store);
                durable = kept == Kept.DURABLE ? call : durable;
                states.add(state(store));
            }
            disk.afterChange = () -> {};
            crashes.add(new Crash(disk.copy(data, imagined.resolve("last")), durable, clock.instant()));
        }
        for (Lease lease : calls.leases()) {
            assertThat(tokens.add(lease.token())).as("%s is new", lease).isTrue();
        }
    }

    private void crash(FaultyDisk disk, Path data, Path to, boolean ofMachine) {
        Path left = ofMachine ? disk.powerCut(to) : disk.copy(data, to);
        crashes.add(new Crash(left, durable, clock.instant()));
    }

    /** On a copy: what is left may be opened again for the next round. */
    private void check(Crash crash) {
        Path copy = TestLogs.copy(
                crash.left(), crash.left().resolveSibling(crash.left().getFileName() + " opened"));
        try (TaskStore store = TestStores.open(copy, new SettableClock(crash.moment()), SETTINGS)) {
            StoreInvariants.check(store);
            State found = state(store);
            List<State> allowed = states.subList(crash.acknowledged(), states.size());
            if (!allowed.contains(found)) {
                assertThat(found)
                        .as("%s, with %d to choose from", crash, allowed.size())
                        .isEqualTo(allowed.get(0));
            }
        }
    }

    private static State state(TaskStore store) {
        return new State(
                TestStores.all(store).stream().map(RandomCrashTest::timeless).toList(),
                store.records().list(""));
    }

    /** Whether a task that is due was made ready by now does not count. */
    private static List<Object> timeless(Task task) {
        TaskState state = task.state() == TaskState.SCHEDULED ? TaskState.READY : task.state();
        return Arrays.asList(
                task.given(),
                state,
                task.moments(),
                task.tally(),
                task.hold(),
                task.attempts(),
                task.progress(),
                task.result());
    }
}
