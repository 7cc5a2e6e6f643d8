package io.millrace.embedded;

import static io.millrace.embedded.TestLogs.append;
import static io.millrace.embedded.TestLogs.open;
import static io.millrace.embedded.TestLogs.read;
import static io.millrace.embedded.TestLogs.segment;
import static io.millrace.embedded.TestLogs.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Damage;
import io.millrace.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogRepairTest {
    @TempDir
    Path directory;

    private Path source() {
        return directory.resolve("source");
    }

    private Path target() {
        return directory.resolve("target");
    }

    private List<String> fill() {
        List<String> texts = new ArrayList<>();
        try (SegmentedLog log = open(source(), small())) {
            for (int i = 0; i < 30; i++) {
                texts.add("frame " + i + "x".repeat(80));
                append(log, texts.get(i));
            }
        }
        return texts;
    }

    private void change(int segment, int at) throws IOException {
        byte[] bytes = Files.readAllBytes(segment(source(), segment));
        bytes[at]++;
        Files.write(segment(source(), segment), bytes);
    }

    @Test
    void all_readable_frames_are_kept() throws IOException {
        List<String> texts = fill();
        int frame = LogFormat.frameSize(texts.get(0).length());
        change(1, LogFormat.HEADER + frame + LogFormat.HEAD + 5);
        RepairReport report = SegmentedLog.repair(source(), target(), small());
        assertThat(report.kept()).isEqualTo(29);
        assertThat(report.damages())
                .first()
                .isEqualTo(new Damage(
                        segment(source(), 1), LogFormat.HEADER + frame, frame, "the checksum of a frame is wrong"));
        assertThat(report.damages()).extracting(Damage::what).contains("frames 2 to 2 before it are missing");
        texts.remove(1);
        assertThat(read(target())).isEqualTo(texts);
        assertThatThrownBy(() -> read(source())).isInstanceOf(DamagedLogException.class);
    }

    @Test
    void a_damaged_header_costs_no_frame() throws IOException {
        List<String> texts = fill();
        change(2, 20);
        RepairReport report = SegmentedLog.repair(source(), target(), small());
        assertThat(report.damages()).extracting(Damage::file).containsExactly(segment(source(), 2));
        assertThat(read(target())).isEqualTo(texts);
    }

    @Test
    void a_missing_segment_is_reported() throws IOException {
        fill();
        Files.delete(segment(source(), 2));
        RepairReport report = SegmentedLog.repair(source(), target(), small());
        assertThat(report.damages())
                .hasSize(1)
                .first()
                .extracting(Damage::what)
                .asString()
                .contains("are missing");
        assertThat(read(target())).hasSize((int) report.kept());
    }

    @Test
    void a_whole_log_has_no_damage() {
        List<String> texts = fill();
        RepairReport report = SegmentedLog.repair(source(), target(), small());
        assertThat(report).isEqualTo(new RepairReport(30, 0, List.of()));
        assertThat(read(target())).isEqualTo(texts);
    }

    @Test
    void filters_drop_frames() {
        fill();
        RepairReport report = SegmentedLog.repair(
                source(), target(), small(), (segment, number, payload) -> segment > 1, (s, number, p) -> number != 20);
        assertThat(report.kept() + report.dropped()).isEqualTo(30);
        assertThat(read(target())).hasSize((int) report.kept()).noneMatch(text -> text.startsWith("frame 19"));
    }

    @Test
    void a_log_in_use_is_not_repaired() {
        try (SegmentedLog log = open(source(), small())) {
            append(log, "a");
            assertThatThrownBy(() -> SegmentedLog.repair(source(), target(), small()))
                    .isInstanceOf(StoreUnavailableException.class);
        }
    }
}
