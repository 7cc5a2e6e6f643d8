package io.millrace.testkit.servers;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The temporary directory that all JVMs of a user share: it holds what the {@link Cache} keeps, and a {@link RunDirectory}
 * for each JVM.
 */
final class CommonDirectory {
    private CommonDirectory() {}

    interface Work<T> {
        T run() throws IOException;
    }

    static Path path() throws IOException {
        int uid = Account.CURRENT.uid();
        Path path = Path.of(System.getProperty("java.io.tmpdir"), "millrace-servers-" + uid)
                .toAbsolutePath();
        if (Files.exists(path)
                && !Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                        .equals(uid)) {
            throw new IOException(path + " belongs to somebody else: remove it");
        }
        return FileTree.createDirectory(path);
    }

    /** Does the work while no other thread and no other JVM does work of the same name. */
    static synchronized <T> T locked(String name, Work<T> work) throws IOException {
        try (FileChannel file = FileChannel.open(
                        path().resolve(name + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = file.lock()) {
            return work.run();
        }
    }
}
