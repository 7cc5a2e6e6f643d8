package io.millrace.embedded;

import static io.millrace.embedded.TestLogs.append;
import static io.millrace.embedded.TestLogs.bytes;
import static io.millrace.embedded.TestLogs.open;
import static io.millrace.embedded.TestLogs.read;
import static io.millrace.embedded.TestLogs.segment;
import static io.millrace.embedded.TestLogs.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.InvalidValueException;
import io.millrace.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentedLogTest {
    @TempDir
    Path directory;

    @Test
    void reopening_gives_back_what_was_appended() {
        List<String> appended = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            try (SegmentedLog log = open(directory, small())) {
                for (int i = 0; i < 20; i++) {
                    String frame = "round " + round + " frame " + "x".repeat(i * 7) + i;
                    assertThat(append(log, frame)).isEqualTo(appended.size() + 1);
                    appended.add(frame);
                }
            }
            assertThat(read(directory)).isEqualTo(appended);
        }
    }

    @Test
    void empty_frames_are_frames() {
        try (SegmentedLog log = open(directory, small())) {
            append(log, "");
            append(log, "");
        }
        assertThat(read(directory)).containsExactly("", "");
    }

    @Test
    void closing_writes_what_nobody_waited_for() {
        try (SegmentedLog log = open(directory, small())) {
            log.append(bytes("a"));
            log.append(bytes("b"));
        }
        assertThat(read(directory)).containsExactly("a", "b");
    }

    @Test
    void an_unused_log_stays_empty() {
        open(directory, small()).close();
        assertThat(read(directory)).isEmpty();
    }

    @Test
    void frames_tell_their_segment() {
        List<Integer> expected = new ArrayList<>();
        try (SegmentedLog log = open(directory, small())) {
            for (int i = 0; i < 50; i++) {
                append(log, "x".repeat(100));
                expected.add(log.lastSegment());
            }
        }
        List<Integer> segments = new ArrayList<>();
        SegmentedLog.open(directory, small(), (segment, number, payload) -> segments.add(segment))
                .close();
        assertThat(segments).isEqualTo(expected);
        assertThat(expected).contains(1, 2, 3);
    }

    @Test
    void a_frame_larger_than_a_segment_gets_one_of_its_own() {
        String large = "y".repeat(10_000);
        try (SegmentedLog log = open(directory, small())) {
            append(log, large);
            append(log, "small");
            assertThat(log.hasRoom(5_000)).isTrue();
            append(log, large + large);
            append(log, "last");
        }
        assertThat(read(directory)).containsExactly(large, "small", large + large, "last");
    }

    @Test
    void a_sealed_segment_can_be_read() {
        try (SegmentedLog log = open(directory, small())) {
            IntStream.range(0, 30).forEach(i -> log.append(bytes("frame " + i + "x".repeat(80))));
            List<Long> numbers = new ArrayList<>();
            log.read(2, (segment, number, payload) -> numbers.add(number));
            assertThat(numbers).hasSizeGreaterThan(3).isSorted();
            assertThatThrownBy(() -> log.read(log.lastSegment(), (segment, number, payload) -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not a full one");
        }
    }

    @Test
    void only_the_oldest_sealed_segments_are_deleted() {
        try (SegmentedLog log = open(directory, small())) {
            IntStream.range(0, 30).forEach(i -> append(log, "frame " + i + "x".repeat(80)));
            long before = log.bytes();
            assertThatThrownBy(() -> log.delete(2)).hasMessageContaining("not the oldest");
            log.delete(1);
            log.deleteOldest();
            assertThat(log.segments()).startsWith(3);
            assertThat(log.bytes()).isEqualTo(before - 2 * TestLogs.SMALL);
            assertThat(segment(directory, 2)).doesNotExist();
            while (log.segments().size() > 1) {
                log.deleteOldest();
            }
            assertThatThrownBy(log::deleteOldest).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(read(directory)).last().asString().startsWith("frame 29");
    }

    @Test
    void numbers_go_on_after_deletion_and_reopening() {
        try (SegmentedLog log = open(directory, small())) {
            IntStream.range(0, 30).forEach(i -> append(log, "x".repeat(100)));
            log.deleteOldest();
        }
        try (SegmentedLog log = open(directory, small())) {
            assertThat(append(log, "next")).isEqualTo(31);
        }
    }

    @Test
    void a_second_opener_is_told_who_holds_the_directory() {
        try (SegmentedLog log = open(directory, small())) {
            append(log, "a");
            assertThatThrownBy(() -> open(directory, small()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(directory.toString())
                    .hasMessageContaining("process " + ProcessHandle.current().pid());
        }
        assertThat(read(directory)).containsExactly("a");
    }

    @Test
    void a_closed_log_takes_nothing() {
        SegmentedLog log = open(directory, small());
        log.close();
        log.close();
        assertThatThrownBy(() -> log.append(bytes("late"))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_directory_that_cannot_hold_a_log_is_refused() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> open(file, small()))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("it is a file");
        assertThatThrownBy(() -> open(directory.resolve("a/b"), small()))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("does not exist");
        assertThat(read(directory.resolve("new"))).isEmpty();
    }

    @Test
    void an_interrupt_neither_breaks_the_log_nor_gets_lost() {
        try (SegmentedLog log = open(directory, small())) {
            Thread.currentThread().interrupt();
            IntStream.range(0, 30).forEach(i -> append(log, "x".repeat(100)));
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(read(directory)).hasSize(30);
    }

    @Test
    void waiting_for_a_frame_that_does_not_exist_is_refused() {
        try (SegmentedLog log = open(directory, small())) {
            assertThatThrownBy(() -> log.awaitDurable(1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void written_frames_are_not_forced() {
        FaultyDisk disk = new FaultyDisk();
        try (SegmentedLog log = open(directory, TestLogs.settings(disk))) {
            int before = disk.forces.get();
            long number = log.append(bytes("a"));
            log.awaitWritten(number);
            assertThat(disk.forces).hasValue(before);
            log.awaitDurable(number);
            assertThat(disk.forces).hasValue(before + 1);
        }
    }

    @Test
    void forcing_at_intervals_follows_the_clock() {
        FaultyDisk disk = new FaultyDisk();
        HandClock clock = new HandClock();
        LogSettings settings = TestLogs.settings(disk, clock).withForceEvery(Duration.ofMillis(50));
        try (SegmentedLog log = open(directory, settings)) {
            int before = disk.forces.get();
            append(log, "a");
            append(log, "b");
            assertThat(disk.forces).hasValue(before);
            clock.advance(Duration.ofMillis(49));
            assertThat(disk.forces).hasValue(before);
            clock.advance(Duration.ofMillis(1));
            assertThat(disk.forces).hasValue(before + 1);
            clock.advance(Duration.ofSeconds(1));
            assertThat(disk.forces).hasValue(before + 1);
            append(log, "c");
            clock.advance(Duration.ofMillis(50));
            assertThat(disk.forces).hasValue(before + 2);
        }
        assertThat(clock.alarms()).isZero();
    }
}
