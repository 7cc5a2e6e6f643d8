package io.millrace.embedded;

import io.millrace.InvalidValueException;
import io.millrace.StoreUnavailableException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to work in a directory. Other processes are kept away by a file lock. Within the process a table does it,
 * because POSIX drops the lock of a file as soon as the process closes any other handle to it: a lock file in use must
 * not even be opened a second time.
 */
final class LogDirectory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogDirectory.class);
    private static final String LOCK = "lock";
    private static final Map<Path, String> HELD = new ConcurrentHashMap<>();

    private final Path key;
    private final RandomAccessFile lock;

    private LogDirectory(Path key, RandomAccessFile lock) {
        this.key = key;
        this.lock = lock;
    }

    /**
     * Creates the directory if it is missing, and takes it.
     *
     * @throws InvalidValueException if there can be no log
     * @throws StoreUnavailableException if somebody else holds it
     */
    static LogDirectory hold(Path directory, Instant now) throws IOException {
        create(directory);
        Path key = directory.toRealPath();
        String me = "process " + ProcessHandle.current().pid() + " on " + host() + " since " + now;
        String holder = HELD.putIfAbsent(key, me);
        if (holder != null) {
            throw inUse(directory, holder);
        }
        RandomAccessFile lock = null;
        boolean held = false;
        try {
            PrivateFiles.create(key.resolve(LOCK));
            lock = new RandomAccessFile(key.resolve(LOCK).toFile(), "rw");
            if (!isLocked(lock)) {
                throw inUse(directory, content(lock));
            }
            name(lock, me);
            PrivateFiles.tighten(key);
            held = true;
            return new LogDirectory(key, lock);
        } finally {
            if (!held) {
                release(key, lock);
            }
        }
    }

    /** Tells others who holds it. A full disk may have no room for that, which is no reason not to work. */
    private static void name(RandomAccessFile lock, String holder) {
        try {
            lock.setLength(0);
            lock.write((holder + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            LOG.warn("The lock could not be marked with its holder, {}", holder, e);
        }
    }

    /** @throws StoreUnavailableException if somebody holds it */
    static void checkNotHeld(Path directory) throws IOException {
        Path key = directory.toRealPath();
        String holder = HELD.get(key);
        if (holder != null) {
            throw inUse(directory, holder);
        }
        if (!Files.isWritable(key.resolve(LOCK))) {
            return;
        }
        try (RandomAccessFile lock = new RandomAccessFile(key.resolve(LOCK).toFile(), "rw")) {
            if (!isLocked(lock)) {
                throw inUse(directory, content(lock));
            }
        }
    }

    private static void create(Path directory) throws IOException {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new InvalidValueException("directory", directory, "it is a file; name a directory, or a new one");
        }
        if (!Files.exists(directory)) {
            Path parent = directory.toAbsolutePath().getParent();
            if (parent == null || !Files.isDirectory(parent)) {
                throw new InvalidValueException(
                        "directory", directory, parent + " does not exist; create it, or correct the path");
            }
            checkWritable(directory, parent);
            PrivateFiles.createDirectory(directory);
        }
        checkWritable(directory, directory);
    }

    private static void checkWritable(Path directory, Path target) {
        if (!Files.isWritable(target)) {
            throw new InvalidValueException(
                    "directory",
                    directory,
                    "user " + System.getProperty("user.name") + " may not write to " + target
                            + "; give the user the right, and see that the file system is not read-only");
        }
    }

    private static boolean isLocked(RandomAccessFile file) throws IOException {
        try {
            return file.getChannel().tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static String content(RandomAccessFile lock) throws IOException {
        byte[] content = new byte[(int) Math.min(lock.length(), 1000)];
        lock.readFully(content);
        return new String(content, StandardCharsets.UTF_8).strip();
    }

    private static StoreUnavailableException inUse(Path directory, String holder) {
        return new StoreUnavailableException(
                directory + " is in use by " + (holder.isEmpty() ? "another process" : holder)
                        + "; stop that one, or use another directory",
                new IOException("The directory is locked"));
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "this host";
        }
    }

    @Override
    public void close() {
        release(key, lock);
    }

    private static void release(Path key, @Nullable RandomAccessFile lock) {
        try {
            if (lock != null) {
                lock.close();
            }
        } catch (IOException e) {
            LOG.warn("The lock of {} could not be closed", key, e);
        } finally {
            HELD.remove(key);
        }
    }
}
