package io.millrace.testkit.servers;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The directory of this JVM's servers, removed when the JVM ends. If it is killed, the next one that starts a server removes
 * it: a lock on a file in it tells whether its JVM is alive.
 */
final class RunDirectory {
    private static final String OWNER = "owner";

    private static @Nullable RunDirectory current;

    private final Path path;
    private final Set<OwnServer> servers = ConcurrentHashMap.newKeySet();

    // Held until the JVM ends. Nobody in it may open the file again: closing it would give up the lock.
    @SuppressWarnings("UnusedVariable")
    private final FileLock ownership;

    private RunDirectory(Path path, FileLock ownership) {
        this.path = path;
        this.ownership = ownership;
    }

    static synchronized RunDirectory current() throws IOException {
        if (current == null) {
            current = CommonDirectory.locked("run", () -> {
                removeLeftOvers();
                return create();
            });
            Runtime.getRuntime().addShutdownHook(new Thread(current::end, "server-end"));
        }
        return current;
    }

    private static RunDirectory create() throws IOException {
        Path path = FileTree.createDirectory(Files.createTempDirectory(CommonDirectory.path(), "run-"));
        FileChannel owner =
                FileChannel.open(path.resolve(OWNER), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return new RunDirectory(path, owner.lock());
    }

    private static void removeLeftOvers() throws IOException {
        try (DirectoryStream<Path> runs = Files.newDirectoryStream(CommonDirectory.path(), "run-*")) {
            for (Path run : runs) {
                if (isLeftOver(run)) {
                    ServerProcess.killAllBelow(run);
                    FileTree.delete(run);
                }
            }
        }
    }

    private static boolean isLeftOver(Path run) throws IOException {
        try (FileChannel owner =
                        FileChannel.open(run.resolve(OWNER), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = owner.tryLock()) {
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /** A new directory for a server, until it is {@linkplain #remove removed}. */
    Path add(OwnServer server, String name) throws IOException {
        servers.add(server);
        return FileTree.createDirectory(Files.createTempDirectory(path, name + "-"));
    }

    void remove(OwnServer server) {
        servers.remove(server);
    }

    private void end() {
        servers.forEach(OwnServer::close);
        try {
            // not while another JVM looks for what was left over
            CommonDirectory.locked("run", () -> {
                FileTree.delete(path);
                return path;
            });
        } catch (IOException e) {
            // A server that is just being started has written into it. The next JVM will remove it.
        }
    }
}
