package io.millrace.embedded;

import static io.millrace.embedded.TestLogs.append;
import static io.millrace.embedded.TestLogs.open;
import static io.millrace.embedded.TestLogs.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.StoreUnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpareSegmentsTest {
    @TempDir
    Path directory;

    private final FaultyDisk disk = new FaultyDisk();
    private final HandClock clock = new HandClock();

    @Test
    void two_segments_are_prepared_ahead() {
        try (SegmentedLog log = open(directory, TestLogs.settings(disk, clock))) {
            append(log, "a");
            assertThat(segment(directory, 3)).exists();
            assertThat(log.segments()).containsExactly(1);
            assertThat(log.bytes()).isEqualTo(3L * TestLogs.SMALL);
        }
    }

    @Test
    void a_full_disk_refuses_new_work_first_then_the_rest_and_recovers_by_itself() {
        try (SegmentedLog log = open(directory, TestLogs.settings(disk, clock))) {
            disk.full = true;
            int taken = 0;
            while (log.hasRoom(100)) {
                append(log, "x".repeat(100));
                taken++;
            }
            // two of the three segments, because the last one is the reserve
            assertThat(taken).isEqualTo(14);
            int reserved = 0;
            while (log.hasReserve(100)) {
                append(log, "y".repeat(100));
                reserved++;
            }
            assertThat(reserved).isEqualTo(7);
            assertThatThrownBy(() -> append(log, "x".repeat(100)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(directory.toString());
            clock.advance(Duration.ofSeconds(1));
            assertThat(log.hasRoom(100)).isFalse();
            disk.full = false;
            clock.advance(Duration.ofSeconds(1));
            assertThat(log.hasRoom(100)).isTrue();
            append(log, "z".repeat(100));
            assertThat(clock.alarms()).isZero();
        }
        assertThat(TestLogs.read(directory)).hasSize(22);
    }

    @Test
    void a_large_frame_that_finds_no_room_changes_nothing() {
        try (SegmentedLog log = open(directory, TestLogs.settings(disk, clock))) {
            append(log, "a");
            disk.full = true;
            assertThat(log.hasRoom(5_000)).isFalse();
            assertThatThrownBy(() -> append(log, "x".repeat(5_000))).isInstanceOf(StoreUnavailableException.class);
            append(log, "b");
            disk.full = false;
            clock.advance(Duration.ofSeconds(1));
            assertThat(log.hasRoom(5_000)).isTrue();
            append(log, "c");
        }
        assertThat(TestLogs.read(directory)).containsExactly("a", "b", "c");
    }

    @Test
    void who_is_faster_than_the_background_prepares_segments_itself() {
        ArrayDeque<Runnable> never = new ArrayDeque<>();
        try (SegmentedLog log = open(directory, TestLogs.settings(disk, clock, never::add))) {
            for (int i = 0; i < 30; i++) {
                assertThat(log.hasRoom(100)).isTrue();
                append(log, "x".repeat(100));
            }
        }
        assertThat(never).isNotEmpty();
        assertThat(TestLogs.read(directory)).hasSize(30);
    }

    @Test
    void a_full_disk_does_not_keep_a_log_from_being_opened() {
        try (SegmentedLog log = open(directory, TestLogs.settings(disk, clock))) {
            append(log, "a");
        }
        disk.full = true;
        assertThat(TestLogs.read(directory, TestLogs.settings(disk, clock))).containsExactly("a");
    }

    @Test
    void another_segment_size_takes_effect_after_the_segment_in_use() {
        try (SegmentedLog log = open(directory, TestLogs.settings(disk, clock))) {
            append(log, "a");
        }
        try (SegmentedLog log = open(directory, TestLogs.settings(disk, clock).withSegmentBytes(4_096))) {
            append(log, "b");
            append(log, "x".repeat(2_000));
            assertThat(log.bytes()).isEqualTo(TestLogs.SMALL + 3 * 4_096L);
        }
        assertThat(TestLogs.read(directory)).hasSize(3);
    }
}
