package io.millrace.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory on the disk of this checkout (the system's own for such things may be in memory), gone at the end. */
final class Scratch implements AutoCloseable {
    private final Path directory;
    private int last;

    Scratch() throws IOException {
        Path target = Path.of("benchmarks", "target");
        Files.createDirectories(target);
        directory = Files.createTempDirectory(target, "data-").toAbsolutePath();
    }

    /** A place that nobody has used yet; there is nothing there. */
    Path fresh() {
        last++;
        return directory.resolve(Integer.toString(last));
    }

    /** What the files in a directory take. Files may come and go meanwhile. */
    static long bytes(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    static void delete(Path path) throws IOException {
        if (Files.exists(path)) {
            try (Stream<Path> all = Files.walk(path).sorted(Comparator.reverseOrder())) {
                all.forEach(Scratch::deleteOne);
            }
        }
    }

    private static void deleteOne(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        delete(directory);
    }
}
