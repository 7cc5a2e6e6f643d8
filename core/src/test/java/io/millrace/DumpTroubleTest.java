package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.internal.engine.HandClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks that fail, and processes that crash. */
class DumpTroubleTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @TempDir
    Path temporary;

    private DumpDirectory directory;
    private HandClock clock;

    @BeforeEach
    void open() {
        directory = new DumpDirectory(temporary.resolve("dump"));
        clock = directory.clock();
    }

    @Test
    void a_file_in_place_of_the_directory_is_refused_at_once() throws IOException {
        Files.writeString(directory.path(), "in the way");
        assertThatThrownBy(() -> directory.dump().build())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("directory: " + directory.path() + " cannot be created");
    }

    @Test
    void what_cannot_be_flushed_stays_buffered_until_it_can() throws Exception {
        Dump<String> dump = directory.dump().build();
        Files.delete(directory.path());
        dump.put("item");

        String stays = "17 bytes stay buffered, and the next flush or close tries again";
        assertThatThrownBy(dump::flush)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(directory.path().toString())
                .hasMessageContaining(".dump.open could not be written")
                .hasMessageContaining(stays);
        assertThatThrownBy(dump::close).isInstanceOf(UncheckedIOException.class).hasMessageContaining(stays);
        assertThatThrownBy(() -> dump.put("late")).isInstanceOf(IllegalStateException.class);

        Files.createDirectory(directory.path());
        dump.close();
        assertThat(directory.restored()).containsExactly("item");
    }

    @Test
    void the_timer_tries_again() throws Exception {
        try (Dump<String> dump = directory.dump().build()) {
            Files.delete(directory.path());
            dump.put("item");
            clock.advance(SECOND);
            assertThat(dump.bytes()).isZero();
            assertThat(clock.pending()).containsExactly(clock.instant().plus(SECOND));

            Files.createDirectory(directory.path());
            clock.advance(SECOND);
            assertThat(dump.bytes()).isPositive();
        }
        assertThat(directory.restored()).containsExactly("item");
    }

    @Test
    void the_buffer_is_bounded_and_a_put_that_throws_takes_nothing() throws Exception {
        List<String> taken = IntStream.range(0, 8).mapToObj(i -> "item " + i).toList();
        try (Dump<String> dump = directory.dump().flushBytes(38).build()) {
            Files.delete(directory.path());
            taken.forEach(dump::put);
            assertThatThrownBy(() -> dump.put("too much"))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageStartingWith("the item was not taken, the buffer is full: ")
                    .hasMessageContaining("152 bytes stay buffered");
            assertThat(dump.items()).isEqualTo(8);

            Files.createDirectory(directory.path());
            dump.put("again");
        }
        assertThat(directory.restored())
                .startsWith(taken.toArray(String[]::new))
                .endsWith("again")
                .hasSize(9);
    }

    @Test
    void a_file_that_somebody_removes_is_not_written_any_longer() throws Exception {
        try (Dump<String> dump = directory.dump().build()) {
            dump.put("removed");
            dump.flush();
            Files.delete(directory.path().resolve(directory.names().get(0)));
            dump.put("kept");
            dump.flush();
        }
        assertThat(directory.restored()).containsExactly("kept");
    }

    @Test
    void a_crashed_process_leaves_all_that_was_flushed() throws Exception {
        try (Dump<String> dump = directory.dump().build()) {
            dump.put("first");
            dump.put("second");
            dump.flush();
            dump.put("not flushed");

            DumpDirectory crashed = directory.afterCrash(temporary.resolve("crashed"));
            assertThat(crashed.names()).singleElement().asString().endsWith(".dump.open");
            assertThat(crashed.restored()).containsExactly("first", "second");
            assertThat(crashed.names()).isEmpty();
        }
    }

    @Test
    void a_record_torn_by_a_crash_is_kept_aside_and_the_whole_ones_come_back() throws Exception {
        try (Dump<String> dump = directory.dump().build()) {
            dump.put("first");
            dump.put("second");
            dump.put("torn");
            dump.flush();
            DumpDirectory crashed = directory.afterCrash(temporary.resolve("crashed"));
            Path file = crashed.path().resolve(crashed.names().get(0));
            byte[] bytes = Files.readAllBytes(file);
            Files.write(file, Arrays.copyOf(bytes, bytes.length - 2));

            assertThat(crashed.restored()).containsExactly("first", "second");
            assertThat(crashed.names()).singleElement().asString().endsWith(".dump.damaged");
            assertThat(crashed.restored()).isEmpty();
        }
    }
}
