package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that are cut, or have wrong bytes. */
class DumpDamageTest {
    private static final int HEADER = 16;
    private static final int HEAD = 13;
    private static final int VERSION_AT = 8;

    @TempDir
    Path temporary;

    private DumpDirectory directory;
    private final List<String> restored = new ArrayList<>();
    private final List<Damage> told = new ArrayList<>();

    @BeforeEach
    void open() {
        directory = new DumpDirectory(temporary);
    }

    private RestoreReport restore() throws InterruptedException {
        restored.clear();
        told.clear();
        try (Restorer<String> restorer =
                directory.restorer(restored::add).onDamage(told::add).build()) {
            return restorer.restoreNow();
        }
    }

    private void clear() throws Exception {
        for (String name : directory.names()) {
            Files.delete(directory.path().resolve(name));
        }
    }

    @Test
    void a_file_cut_anywhere_gives_back_the_whole_records_before_the_cut() throws Exception {
        List<String> items = List.of("one", "", "three and more", "4");
        Path file = directory.write(items.toArray(String[]::new));
        byte[] bytes = Files.readAllBytes(file);
        for (int cut = 0; cut <= bytes.length; cut++) {
            clear();
            Files.write(file, Arrays.copyOf(bytes, cut));
            int whole = 0;
            int end = HEADER;
            while (whole < items.size() && end + HEAD + items.get(whole).length() <= cut) {
                end += HEAD + items.get(whole++).length();
            }
            int lost = cut < HEADER ? cut : cut - end;

            RestoreReport report = restore();
            assertThat(restored).as("cut at %d", cut).isEqualTo(items.subList(0, whole));
            assertThat(report.damages()).isEqualTo(told).hasSize(lost == 0 ? 0 : 1);
            assertThat(told).allSatisfy(damage -> {
                assertThat(damage.bytes()).isEqualTo(lost);
                assertThat(damage.offset() + damage.bytes()).isEqualTo(Files.size(Path.of(file + ".damaged")));
                assertThat(damage.what()).contains("the file ends within");
            });
            assertThat(directory.names()).hasSize(lost == 0 ? 0 : 1);
        }
    }

    @Test
    void a_wrong_byte_costs_no_record_but_its_own() throws Exception {
        Random random = new Random(20_240_229);
        for (int round = 0; round < 400; round++) {
            clear();
            List<String> items = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                // ÿMRþ is a marker, and 243 makes records of 256 bytes: wrong lengths that point to the start of
                // another record
                int length = random.nextBoolean() ? 243 : random.nextInt(600);
                items.add(("item " + i + " ÿMRþ").repeat(60).substring(0, length));
            }
            Path file = directory.write(items.toArray(String[]::new));
            byte[] bytes = Files.readAllBytes(file);
            int at = random.nextInt(bytes.length);
            bytes[at] ^= (byte) (1 + random.nextInt(255));
            Files.write(file, bytes);

            int hit = recordAt(items, at);
            List<String> intact = new ArrayList<>(at <= VERSION_AT ? List.of() : items);
            if (hit >= 0) {
                intact.remove(hit);
            }
            restore();
            assertThat(restored).as("round %d, byte %d", round, at).isEqualTo(intact);
            assertThat(told).hasSize(hit >= 0 || at <= VERSION_AT ? 1 : 0);
        }
    }

    /** Which record has that byte; -1 for the header. */
    private static int recordAt(List<String> items, int at) {
        int end = HEADER;
        for (int i = 0; i < items.size(); i++) {
            end += HEAD + items.get(i).length();
            if (at < end) {
                return at < HEADER ? -1 : i;
            }
        }
        throw new AssertionError("byte " + at + " is beyond the file");
    }

    @Test
    void zeros_in_the_middle_and_rubbish_at_the_end_are_skipped() throws Exception {
        String longItem = "x".repeat(300_000);
        Path file = directory.write("first", longItem, "lost", longItem, "last");
        byte[] bytes = Files.readAllBytes(file);
        int lost = HEADER + HEAD + 5 + HEAD + 300_000;
        Arrays.fill(bytes, lost, lost + HEAD + 4, (byte) 0);
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 200_000);
        Files.write(file, longer);

        RestoreReport report = restore();
        assertThat(restored).containsExactly("first", longItem, longItem, "last");
        assertThat(report.damages())
                .containsExactly(
                        new Damage(file, lost, HEAD + 4, "no record begins here"),
                        new Damage(file, bytes.length, 200_000, "no record begins here"));
        assertThat(Path.of(file + ".damaged")).hasBinaryContent(longer);
    }

    @Test
    void the_record_after_a_damage_is_found_wherever_the_read_window_ends() throws Exception {
        int window = 64 << 10;
        for (int next = window - 8; next < window + 32; next++) {
            clear();
            Path file = directory.write("x".repeat(next - HEADER - HEAD), "next", "last");
            byte[] bytes = Files.readAllBytes(file);
            bytes[HEADER + HEAD]++;
            Files.write(file, bytes);

            assertThat(restore().damages())
                    .containsExactly(new Damage(file, HEADER, next - HEADER, "the checksum of the record is wrong"));
            assertThat(restored).as("next record at %d", next).containsExactly("next", "last");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, it is no dump file: it does not begin with MILLDUMP",
        "8, 'its format has version 7, and this Millrace reads version 1'",
    })
    void a_file_of_another_format_is_left_untouched(int at, String why) throws Exception {
        Path file = directory.write("old");
        byte[] bytes = Files.readAllBytes(file);
        bytes[at] = 7;
        Files.write(file, bytes);
        directory.clock().advance(Duration.ofSeconds(1));
        directory.write("new");

        try (Restorer<String> restorer =
                directory.restorer(restored::add).onDamage(told::add).build()) {
            RestoreReport report = restorer.restoreNow();
            assertThat(report.damages()).containsExactly(new Damage(file, 0, bytes.length, why));
            assertThat(report.files()).isEqualTo(1);
            assertThat(restored).containsExactly("new");
            assertThat(file).hasBinaryContent(bytes);

            assertThat(restorer.restoreNow().damages()).as("said once").isEmpty();
            assertThat(told).hasSize(1);
        }
    }

    @Test
    void a_payload_that_cannot_be_decoded_is_a_damage() throws Exception {
        Path file = directory.write("first", "?bad", "last");
        RestoreReport report = restore();
        assertThat(restored).containsExactly("first", "last");
        assertThat(report.damages()).singleElement().satisfies(damage -> {
            assertThat(damage.offset()).isEqualTo(HEADER + HEAD + 5);
            assertThat(damage.bytes()).isEqualTo(HEAD + 4);
            assertThat(damage.what()).startsWith("the codec cannot decode the payload: payload: \"?bad\"");
        });
        assertThat(Path.of(file + ".damaged")).exists();
    }
}
