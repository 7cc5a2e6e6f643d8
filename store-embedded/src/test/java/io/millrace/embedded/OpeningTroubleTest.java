package io.millrace.embedded;

import static io.millrace.embedded.TestStores.add;
import static io.millrace.embedded.TestStores.churn;
import static io.millrace.embedded.TestStores.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.InvalidValueException;
import io.millrace.Millrace;
import io.millrace.StoreUnavailableException;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.SettableClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What keeps a store from being opened is told by name, and nothing is changed. */
class OpeningTroubleTest {
    private static final String SETTINGS = "?segmentBytes=16384";

    @TempDir
    Path directory;

    private final SettableClock clock = new SettableClock();

    private Path data() {
        return directory.resolve("data");
    }

    private TaskStore open() {
        return TestStores.open(data(), clock, SETTINGS);
    }

    private static Map<String, String> contents(Path directory) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                contents.put(String.valueOf(file.getFileName()), java.util.Arrays.toString(Files.readAllBytes(file)));
            }
        }
        contents.remove("lock");
        return contents;
    }

    @Test
    void a_missing_parent_is_named() {
        Path deep = directory.resolve("missing").resolve("data");
        assertThatThrownBy(() -> Millrace.open("embedded:" + deep))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(deep.toString())
                .hasMessageContaining(deep.getParent() + " does not exist");
    }

    @Test
    void a_directory_that_may_not_be_written_is_named() throws IOException {
        Files.createDirectory(
                data(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-xr-xr-x")));
        Assumptions.assumeFalse(Files.isWritable(data()), "root may write everywhere");
        assertThatThrownBy(() -> Millrace.open("embedded:" + data()))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("may not write to " + data());
    }

    @Test
    void a_disk_that_takes_nothing_is_named() {
        FaultyDisk disk = new FaultyDisk();
        disk.tearsWrite = true;
        assertThatThrownBy(() -> TestStores.open(data(), clock, SETTINGS, disk))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("The log in " + data())
                .hasMessageContaining("Input/output error");
    }

    @Test
    void other_files_are_left_alone() throws IOException {
        Files.createDirectories(data().resolve("lost+found"));
        Files.writeString(data().resolve("notes.txt"), "mine");
        Files.writeString(data().resolve("mine.log.tmp"), "mine too");
        try (TaskStore store = open()) {
            add(store, 10);
        }
        try (TaskStore store = open()) {
            assertThat(ids(store)).hasSize(1);
        }
        assertThat(data().resolve("notes.txt")).hasContent("mine");
        assertThat(data().resolve("mine.log.tmp")).hasContent("mine too");
    }

    @Test
    void a_file_with_the_name_of_a_segment_that_is_none_is_refused() throws IOException {
        Files.createDirectory(data());
        Files.writeString(
                data().resolve("00000001.log"), "the log of something else, which is longer than a header is");
        Map<String, String> before = contents(data());
        assertThatThrownBy(this::open)
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining(data().resolve("00000001.log").toString());
        assertThat(contents(data())).isEqualTo(before);
    }

    @Test
    void another_version_is_refused_and_nothing_changed() throws IOException {
        fill();
        Path first = LogFormat.segmentFile(data(), 1);
        byte[] bytes = Files.readAllBytes(first);
        ByteBuffer.wrap(bytes).putInt(8, 2).putInt(60, 0);
        Files.write(first, bytes);
        Map<String, String> before = contents(data());
        assertThatThrownBy(this::open)
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("version 2")
                .hasMessageContaining("version 1")
                .hasMessageContaining(data().toString());
        assertThat(contents(data())).isEqualTo(before);
    }

    private void fill() {
        try (TaskStore store = open()) {
            churn(store, 40_000);
        }
    }

    @Test
    void an_unknown_entry_is_refused_and_nothing_changed() throws IOException {
        UUID kept;
        try (TaskStore store = open()) {
            kept = add(store, 10);
        }
        // as a later version could write it
        LogSettings settings = new LogSettings(clock, Runnable::run).withSegmentBytes(16_384);
        try (SegmentedLog log = TestLogs.open(data(), settings)) {
            log.awaitDurable(log.append(ByteBuffer.wrap(new byte[] {77, 0, 0, 0, 1, 5})));
        }
        Map<String, String> before = contents(data());
        assertThatThrownBy(this::open)
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining("00000001.log")
                .hasMessageContaining("kind 77");
        assertThat(contents(data())).isEqualTo(before);
        Path repaired = directory.resolve("repaired");
        assertThat(EmbeddedRepair.repair(data(), repaired).dropped()).isEqualTo(1);
        try (TaskStore store = TestStores.open(repaired, clock, SETTINGS)) {
            assertThat(ids(store)).containsExactly(kept);
        }
    }

    @Test
    void a_missing_beginning_is_noticed_and_nothing_changed() throws IOException {
        Path crashed = directory.resolve("crashed");
        try (TaskStore store = open()) {
            add(store, 10);
            churn(store, 400_000);
            await().atMost(20, TimeUnit.SECONDS).until(() -> !Files.exists(LogFormat.segmentFile(data(), 1)));
        }
        try (TaskStore store = open()) {
            add(store, 10);
        }
        // only now: while the store is open it may delete a file that is just being copied
        TestLogs.copy(data(), crashed);
        // the first may be one that was about to be deleted
        for (FoundSegment missing : FoundSegment.list(crashed, new RealDisk()).subList(0, 2)) {
            Files.delete(missing.file());
        }
        Map<String, String> before = contents(crashed);
        assertThatThrownBy(() -> TestStores.open(crashed, clock, SETTINGS))
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining("it is missing");
        assertThat(contents(crashed)).isEqualTo(before);
    }

    @Test
    void a_repair_of_nothing_says_so() {
        assertThatThrownBy(() -> EmbeddedRepair.repair(directory.resolve("none"), directory.resolve("to")))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(directory.resolve("none").toString());
        assertThat(directory.resolve("to")).doesNotExist();
    }
}
