package io.millrace.testkit.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Directories with all that is in them. */
final class FileTree {
    // Whatever the umask: servers may run under another account than this JVM.
    private static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rw-r--r--");
    private static final Set<PosixFilePermission> EXECUTABLE = PosixFilePermissions.fromString("rwxr-xr-x");

    private FileTree() {}

    /** A directory that everybody can read. */
    static Path createDirectory(Path directory) throws IOException {
        Files.createDirectories(directory);
        return Files.setPosixFilePermissions(directory, EXECUTABLE);
    }

    /** A path of an archive, below the directory. */
    static Path inside(Path directory, String path) throws IOException {
        Path file = directory.resolve(path).normalize();
        if (!file.startsWith(directory)) {
            throw new IOException("Leads out of the archive: " + path);
        }
        return file;
    }

    /** Writes a file that everybody can read, with the directories above it. */
    static void write(Path file, InputStream content, boolean executable) throws IOException {
        createParents(file.getParent());
        Files.copy(content, file);
        Files.setPosixFilePermissions(file, executable ? EXECUTABLE : READABLE);
    }

    private static void createParents(@Nullable Path directory) throws IOException {
        if (directory != null && !Files.exists(directory)) {
            createParents(directory.getParent());
            createDirectory(directory);
        }
    }

    /** How many files there are and how large: enough to notice that somebody cleaned up a part of them. */
    static String summary(Path directory) throws IOException {
        var counter = new SimpleFileVisitor<Path>() {
            long files;
            long bytes;

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files++;
                bytes += attributes.size();
                return FileVisitResult.CONTINUE;
            }
        };
        Files.walkFileTree(directory, counter);
        return counter.files + " files, " + counter.bytes + " bytes";
    }

    /** Deletes what there is; others may delete it at the same time. */
    static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e) throws IOException {
                if (e != null) {
                    throw e;
                }
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
