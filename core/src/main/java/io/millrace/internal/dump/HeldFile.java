package io.millrace.internal.dump;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A dump file that nobody else writes or reads. Other processes are kept away by a file lock. Within the process a table
 * does it, because POSIX drops the lock of a file as soon as the process closes any other handle to it: a file in use
 * must not even be opened a second time.
 *
 * <p>A {@link RandomAccessFile} and not a channel, because an interrupt closes a channel, and those who put items are
 * interrupted at times.
 */
final class HeldFile implements Closeable {
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final String stem;
    private final Path key;
    private final RandomAccessFile content;
    private Path file;

    private HeldFile(Path file, Path directory, Path key, String stem, RandomAccessFile content) {
        this.file = file;
        this.directory = directory;
        this.key = key;
        this.stem = stem;
        this.content = content;
    }

    /** Opens a file, and creates it if it is not there; null if somebody else holds it. */
    static @Nullable HeldFile tryHold(Path directory, String name) throws IOException {
        String stem = DumpFormat.stem(name);
        Path key = directory.toRealPath().resolve(stem);
        if (!HELD.add(key)) {
            return null;
        }
        Path file = directory.resolve(name);
        RandomAccessFile content = null;
        boolean held = false;
        try {
            content = new RandomAccessFile(file.toFile(), "rw");
            // whoever held it before may have removed it between the opening and the locking
            held = isLocked(content) && Files.exists(file);
            return held ? new HeldFile(file, directory, key, stem, content) : null;
        } finally {
            if (!held) {
                close(content, key);
            }
        }
    }

    private static boolean isLocked(RandomAccessFile content) throws IOException {
        try {
            return content.getChannel().tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    Path file() {
        return file;
    }

    boolean exists() {
        return Files.exists(file);
    }

    long size() throws IOException {
        return content.length();
    }

    void append(byte[] bytes) throws IOException {
        content.write(bytes);
    }

    void truncate(long size) throws IOException {
        content.setLength(size);
    }

    /** Waits until everything is on the disk. */
    void force() throws IOException {
        content.getFD().sync();
    }

    void read(long position, byte[] bytes, int length) throws IOException {
        content.seek(position);
        content.readFully(bytes, 0, length);
    }

    /** Gives the file another suffix. */
    void rename(String suffix) throws IOException {
        Path renamed = directory.resolve(stem + suffix);
        if (!renamed.equals(file)) {
            Files.move(file, renamed);
            file = renamed;
        }
    }

    void delete() throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public void close() throws IOException {
        close(content, key);
    }

    private static void close(@Nullable RandomAccessFile content, Path key) throws IOException {
        try {
            if (content != null) {
                content.close();
            }
        } finally {
            HELD.remove(key);
        }
    }
}
