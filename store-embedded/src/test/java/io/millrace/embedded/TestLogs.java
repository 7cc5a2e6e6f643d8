package io.millrace.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/** What the tests of the log share. */
final class TestLogs {
    static final int SMALL = 1 << 10;

    private TestLogs() {}

    static LogSettings small() {
        return settings(new RealDisk());
    }

    static LogSettings settings(Disk disk) {
        return settings(disk, new HandClock());
    }

    static LogSettings settings(Disk disk, HandClock clock) {
        return settings(disk, clock, Runnable::run);
    }

    static LogSettings settings(Disk disk, HandClock clock, Executor background) {
        return new LogSettings(SMALL, Duration.ZERO, clock, background, disk);
    }

    static SegmentedLog open(Path directory, LogSettings settings) {
        return SegmentedLog.open(directory, settings, (segment, number, payload) -> {});
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    static String text(ByteBuffer payload) {
        return StandardCharsets.UTF_8.decode(payload).toString();
    }

    static long append(SegmentedLog log, String text) {
        long number = log.append(bytes(text));
        log.awaitDurable(number);
        return number;
    }

    /** What opening a log gives, which is closed again. */
    static List<String> read(Path directory) {
        return read(directory, small());
    }

    static List<String> read(Path directory, LogSettings settings) {
        List<String> frames = new ArrayList<>();
        SegmentedLog.open(directory, settings, (segment, number, payload) -> frames.add(text(payload)))
                .close();
        return frames;
    }

    static Path segment(Path directory, int number) {
        return LogFormat.segmentFile(directory, number);
    }

    /** As a crash would leave it: nothing is closed. */
    static Path copy(Path from, Path to) {
        try (Stream<Path> files = Files.list(from)) {
            Files.createDirectories(to);
            for (Path file : files.toList()) {
                if (!file.endsWith("lock")) {
                    Files.copy(file, to.resolve(file.getFileName()));
                }
            }
            return to;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
