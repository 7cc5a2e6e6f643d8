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
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveryTest {
    @TempDir
    Path directory;

    private Path source() {
        return directory.resolve("source");
    }

    /** Fills a log of several segments; each frame is a commit of its own. */
    private List<String> fill(int frames) {
        List<String> texts = new ArrayList<>();
        try (SegmentedLog log = open(source(), small())) {
            for (int i = 0; i < frames; i++) {
                texts.add("frame " + i + " " + "x".repeat(i * 13 % 90));
                append(log, texts.get(i));
            }
        }
        return texts;
    }

    @Test
    void a_file_cut_within_its_header_is_damaged() throws IOException {
        fill(3);
        Files.write(segment(source(), 1), new byte[10]);
        assertThatThrownBy(() -> read(source()))
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining("ends within its header");
    }

    @Test
    void a_damaged_log_is_not_changed() throws IOException {
        fill(30);
        Path file = segment(source(), 2);
        byte[] bytes = Files.readAllBytes(file);
        bytes[200]++;
        Files.write(file, bytes);
        List<byte[]> before = contents();
        assertThatThrownBy(() -> read(source()))
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining("00000002.log")
                .hasMessageContaining("repair");
        assertThat(contents()).usingRecursiveComparison().isEqualTo(before);
    }

    private List<byte[]> contents() throws IOException {
        List<byte[]> contents = new ArrayList<>();
        for (FoundSegment segment : FoundSegment.list(source(), new RealDisk())) {
            contents.add(Files.readAllBytes(segment.file()));
        }
        return contents;
    }

    @Test
    void a_missing_segment_is_damage() throws IOException {
        fill(30);
        for (int missing = 2; missing <= 3; missing++) {
            Path copy = TestLogs.copy(source(), directory.resolve("missing " + missing));
            Files.delete(segment(copy, missing));
            assertThatThrownBy(() -> read(copy))
                    .isInstanceOf(DamagedLogException.class)
                    .hasMessageContaining("missing");
        }
    }

    @Test
    void a_missing_end_of_the_log_is_damage() throws IOException {
        fill(30);
        for (int i = 3; Files.exists(segment(source(), i)); i++) {
            Files.delete(segment(source(), i));
        }
        assertThatThrownBy(() -> read(source()))
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining("00000002.log")
                .hasMessageContaining("is missing");
    }

    @Test
    void a_segment_of_another_log_is_damage() throws IOException {
        fill(30);
        Path other = directory.resolve("other");
        try (SegmentedLog log = open(other, small())) {
            for (int i = 0; i < 30; i++) {
                append(log, "other " + i + "x".repeat(60));
            }
        }
        Files.write(segment(source(), 2), Files.readAllBytes(segment(other, 2)));
        assertThatThrownBy(() -> read(source()))
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining("00000002.log")
                .hasMessageContaining("another log");
    }

    @Test
    void another_version_is_refused_by_name() throws IOException {
        fill(3);
        Path file = segment(source(), 1);
        byte[] bytes = Files.readAllBytes(file);
        ByteBuffer.wrap(bytes).putInt(8, 7).putInt(60, 0);
        Files.write(file, bytes);
        assertThatThrownBy(() -> read(source()))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("version 7")
                .hasMessageContaining("version 1");
    }

    @Test
    void a_write_that_lost_its_first_page_is_torn_and_not_damaged() throws IOException {
        Path crashed = batches();
        byte[] bytes = Files.readAllBytes(segment(crashed, 1));
        // the second commit holds the frames from "b" on
        int second = LogFormat.HEADER + LogFormat.frameSize(1);
        bytes[second + LogFormat.HEAD] = 'X';
        Files.write(segment(crashed, 1), bytes);
        assertThat(read(crashed)).containsExactly("a");
        assertThat(EveryByteTest.end(Files.readAllBytes(segment(crashed, 1))))
                .isLessThanOrEqualTo(second + LogFormat.HEAD);
    }

    @Test
    void an_earlier_commit_that_is_not_whole_is_damage() throws IOException {
        Path crashed = batches();
        byte[] bytes = Files.readAllBytes(segment(crashed, 1));
        bytes[LogFormat.HEADER + LogFormat.HEAD] = 'X';
        Files.write(segment(crashed, 1), bytes);
        assertThatThrownBy(() -> read(crashed))
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining("prove that frame 1 was on the disk");
    }

    /** Two commits, of one frame and of three, as a crash leaves them. */
    private Path batches() {
        try (SegmentedLog log = open(source(), small())) {
            append(log, "a");
            log.append(bytes("b"));
            log.append(bytes("c"));
            append(log, "d");
            return TestLogs.copy(source(), directory.resolve("crashed"));
        }
    }

    @Test
    void dropped_bytes_never_come_back() throws IOException {
        Path crashed = batches();
        Path file = segment(crashed, 1);
        byte[] bytes = Files.readAllBytes(file);
        int second = LogFormat.HEADER + LogFormat.frameSize(1);
        bytes[second + LogFormat.HEAD] = 'X';
        Files.write(file, bytes);
        // as long as the frame that was torn, so that "c" would follow it
        try (SegmentedLog log = open(crashed, small())) {
            append(log, "B");
        }
        assertThat(read(crashed)).containsExactly("a", "B");
    }

    @Test
    void a_crash_between_two_segments_loses_nothing() throws IOException {
        List<String> texts = fill(30);
        List<FoundSegment> found = FoundSegment.list(source(), new RealDisk());
        FoundSegment last =
                found.stream().filter(FoundSegment::isUsed).reduce((a, b) -> b).orElseThrow();
        SegmentHeader header = last.header().orElseThrow();
        byte[] unused = new byte[TestLogs.SMALL];
        byte[] start = new SegmentHeader(last.number(), 0, header.log(), header.size()).encode();
        System.arraycopy(start, 0, unused, 0, start.length);
        Files.write(last.file(), unused);
        int before = (int) header.first() - 1;
        assertThat(read(source())).isEqualTo(texts.subList(0, before));
        try (SegmentedLog log = open(source(), small())) {
            assertThatThrownBy(() -> deleteAll(log)).hasMessageContaining("holds the last frame");
            assertThat(append(log, "next")).isEqualTo(header.first());
            deleteAll(log);
        }
        assertThat(read(source())).containsExactly("next");
    }

    private static void deleteAll(SegmentedLog log) {
        while (log.segments().size() > 1) {
            log.deleteOldest();
        }
    }

    @Test
    void frames_that_nobody_waited_for_are_covered_by_closing() throws IOException {
        try (SegmentedLog log = open(source(), small())) {
            log.append(bytes("a"));
            log.append(bytes("b"));
        }
        byte[] bytes = Files.readAllBytes(segment(source(), 1));
        bytes[LogFormat.HEADER + LogFormat.HEAD] = 'X';
        Files.write(segment(source(), 1), bytes);
        assertThatThrownBy(() -> read(source())).isInstanceOf(DamagedLogException.class);
    }

    @Test
    void bytes_of_a_payload_do_not_pass_for_frames() throws IOException {
        Path other = directory.resolve("other");
        try (SegmentedLog log = open(other, small())) {
            append(log, "forged");
            append(log, "forged");
        }
        byte[] forged = Files.readAllBytes(segment(other, 1));
        try (SegmentedLog log = open(source(), small())) {
            log.awaitDurable(log.append(ByteBuffer.wrap(forged, LogFormat.HEADER, 200)));
        }
        byte[] bytes = Files.readAllBytes(segment(source(), 1));
        bytes[LogFormat.HEADER + LogFormat.NUMBER_AT]++;
        Files.write(segment(source(), 1), bytes);
        RepairReport report = SegmentedLog.repair(source(), directory.resolve("repaired"), small());
        assertThat(report.kept()).isZero();
    }

    @Test
    void files_that_were_not_finished_are_removed() throws IOException {
        fill(3);
        Path unfinished = Files.write(LogFormat.unfinishedFile(source(), 9), new byte[100]);
        assertThat(read(source())).hasSize(3);
        assertThat(unfinished).doesNotExist();
    }
}
