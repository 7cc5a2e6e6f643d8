package io.millrace.embedded;

import static io.millrace.embedded.TestLogs.append;
import static io.millrace.embedded.TestLogs.bytes;
import static io.millrace.embedded.TestLogs.open;
import static io.millrace.embedded.TestLogs.read;
import static io.millrace.embedded.TestLogs.segment;
import static io.millrace.embedded.TestLogs.small;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cuts and changes small logs at every place. */
@Tag("slow")
class EveryByteTest {
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
    void every_truncation_recovers_to_the_last_whole_frame() throws IOException {
        truncations(false);
    }

    @Test
    void garbage_after_every_truncation_recovers_to_the_last_whole_frame() throws IOException {
        truncations(true);
    }

    private void truncations(boolean garbage) throws IOException {
        List<String> texts = fill(10);
        Path file = segment(source(), 1);
        byte[] whole = Files.readAllBytes(file);
        int end = end(whole);
        int[] ends = frameEnds(texts);
        Random random = new Random(42);
        for (int cut = LogFormat.HEADER; cut <= end; cut++) {
            Path copy = TestLogs.copy(source(), directory.resolve("cut"));
            byte[] bytes = new byte[garbage ? whole.length : cut];
            random.nextBytes(bytes);
            System.arraycopy(whole, 0, bytes, 0, cut);
            Files.write(segment(copy, 1), bytes);
            List<String> expected = texts.subList(0, wholeFrames(ends, cut));
            assertThat(read(copy)).as("cut at %s", cut).isEqualTo(expected);
            try (SegmentedLog log = open(copy, small())) {
                append(log, "next");
            }
            assertThat(read(copy)).hasSize(expected.size() + 1).endsWith("next");
            TestLogs.delete(copy);
        }
    }

    static int end(byte[] segment) {
        int end = segment.length;
        while (segment[end - 1] == 0) {
            end--;
        }
        return end;
    }

    private static int[] frameEnds(List<String> texts) {
        int[] ends = new int[texts.size()];
        int at = LogFormat.HEADER;
        for (int i = 0; i < ends.length; i++) {
            at += LogFormat.frameSize(texts.get(i).length());
            ends[i] = at;
        }
        return ends;
    }

    private static int wholeFrames(int[] ends, int cut) {
        int whole = 0;
        while (whole < ends.length && ends[whole] <= cut) {
            whole++;
        }
        return whole;
    }

    @Test
    void a_flipped_byte_anywhere_is_damage_or_harmless() throws IOException {
        List<String> texts = fill(30);
        int segments =
                TestLogs.copy(source(), directory.resolve("flip")).toFile().list().length;
        assertThat(segments).isGreaterThan(4);
        int damaged = 0;
        for (int number = 1; number <= segments; number++) {
            Path file = segment(directory.resolve("flip"), number);
            byte[] whole = Files.readAllBytes(file);
            for (int at = 0; at < whole.length; at += 1) {
                byte[] bytes = whole.clone();
                bytes[at] ^= (byte) (1 << at % 8);
                Files.write(file, bytes);
                damaged += isDamaged(file, at, whole, texts) ? 1 : 0;
            }
            Files.write(file, whole);
        }
        assertThat(damaged).isGreaterThan(2_000);
    }

    /** Reads only: opening would clean up. */
    private static boolean isDamaged(Path file, int at, byte[] whole, List<String> texts) throws IOException {
        List<String> read = new ArrayList<>();
        try {
            Path parent = file.getParent();
            Recovery.read(
                    FoundSegment.list(parent, new RealDisk()),
                    new RealDisk(),
                    (segment, number, payload) -> read.add(TestLogs.text(payload)));
        } catch (DamagedLogException e) {
            assertThat(e.file()).as("flip at %s", at).isEqualTo(file);
            return true;
        }
        assertThat(read).as("flip at %s of %s", at, file).isEqualTo(texts);
        boolean inMark = at >= end(whole) - 24;
        boolean spare = ByteBuffer.wrap(whole).getLong(16) == 0;
        assertThat(inMark || spare || whole[at] == 0)
                .as("flip at %s of %s", at, file)
                .isTrue();
        return false;
    }
}
