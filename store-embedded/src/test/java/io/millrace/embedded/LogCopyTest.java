package io.millrace.embedded;

import static io.millrace.embedded.TestLogs.append;
import static io.millrace.embedded.TestLogs.open;
import static io.millrace.embedded.TestLogs.read;
import static io.millrace.embedded.TestLogs.segment;
import static io.millrace.embedded.TestLogs.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogCopyTest {
    @TempDir
    Path directory;

    private Path source() {
        return directory.resolve("source");
    }

    @Test
    void a_copy_at_every_length_opens_as_a_log() {
        try (SegmentedLog log = open(source(), small())) {
            for (int i = 0; i < 30; i++) {
                Path copy = directory.resolve("copy " + i);
                log.copyTo(copy);
                assertThat(read(copy)).hasSize(i);
                append(log, "frame " + i + "x".repeat(80));
            }
        }
    }

    @Test
    void a_copy_taken_while_others_append_holds_all_that_was_durable() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(500);
        try (SegmentedLog log = open(source(), small().withSegmentBytes(8 << 10))) {
            Thread appender = new Thread(() -> {
                for (int i = 0; !stop.get(); i++) {
                    append(log, "frame " + i);
                    begun.countDown();
                }
            });
            appender.start();
            begun.await();
            for (int i = 0; i < 5; i++) {
                long durable = log.lastNumber() - 1;
                log.copyTo(directory.resolve("copy " + i));
                List<String> copied = read(directory.resolve("copy " + i));
                assertThat(copied).hasSizeGreaterThanOrEqualTo((int) durable);
                assertThat(copied)
                        .isEqualTo(IntStream.range(0, copied.size())
                                .mapToObj(number -> "frame " + number)
                                .toList());
            }
            stop.set(true);
            appender.join();
        }
    }

    /** What a segment held that is deleted stands in later frames. */
    @Test
    void a_copy_that_waits_for_a_deletion_holds_what_was_appended_before_it() throws Exception {
        FaultyDisk disk = new FaultyDisk();
        try (SegmentedLog log = open(source(), small().withDisk(disk))) {
            IntStream.range(0, 30).forEach(i -> append(log, "x".repeat(80)));
            Thread copier = new Thread(() -> log.copyTo(directory.resolve("copy")));
            disk.beforeDelete = file -> {
                copier.start();
                await().atMost(Duration.ofSeconds(20)).until(() -> copier.getState() == Thread.State.WAITING);
                append(log, "carried over");
            };
            log.deleteOldest();
            copier.join();
        }
        assertThat(read(directory.resolve("copy"))).endsWith("carried over");
    }

    @Test
    void a_copy_can_be_appended_to() {
        try (SegmentedLog log = open(source(), small())) {
            IntStream.range(0, 30).forEach(i -> append(log, "x".repeat(80)));
            log.deleteOldest();
            log.copyTo(directory.resolve("copy"));
        }
        try (SegmentedLog copy = open(directory.resolve("copy"), small())) {
            assertThat(append(copy, "next")).isEqualTo(31);
        }
        assertThat(read(directory.resolve("copy"))).endsWith("next");
    }

    @Test
    void an_unfinished_copy_cannot_be_opened() throws IOException {
        try (SegmentedLog log = open(source(), small())) {
            IntStream.range(0, 30).forEach(i -> append(log, "x".repeat(80)));
            log.copyTo(directory.resolve("copy"));
        }
        List<FoundSegment> copied = FoundSegment.list(directory.resolve("copy"), new RealDisk());
        Files.delete(copied.get(copied.size() - 1).file());
        assertThatThrownBy(() -> read(directory.resolve("copy"))).isInstanceOf(DamagedLogException.class);
    }

    @Test
    void a_copy_goes_to_an_empty_directory_only() {
        try (SegmentedLog log = open(source(), small())) {
            assertThatThrownBy(() -> log.copyTo(source())).isInstanceOf(InvalidValueException.class);
        }
    }

    @Test
    void damage_is_found_when_copying() throws IOException {
        try (SegmentedLog log = open(source(), small())) {
            IntStream.range(0, 30).forEach(i -> append(log, "x".repeat(80)));
            byte[] bytes = Files.readAllBytes(segment(source(), 2));
            bytes[300]++;
            Files.write(segment(source(), 2), bytes);
            assertThatThrownBy(() -> log.copyTo(directory.resolve("copy")))
                    .isInstanceOf(DamagedLogException.class)
                    .hasMessageContaining("00000002.log");
        }
    }
}
