package io.millrace.testkit.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * Under whom servers run: as this JVM does, but as nobody if that is root, which PostgreSQL refuses.
 *
 * @param uid of this JVM
 */
record Account(int uid) {
    static final Account CURRENT = new Account(ownUid());

    private static final int NOBODY = 65534;

    private static int ownUid() {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isRoot() {
        return uid == 0;
    }

    /** A new directory for servers to write in, and for nobody else. */
    Path createOwned(Path directory) throws IOException {
        Files.createDirectory(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        if (isRoot()) {
            Files.setAttribute(directory, "unix:uid", NOBODY);
            Files.setAttribute(directory, "unix:gid", NOBODY);
        }
        return directory;
    }

    /**
     * The command, run under this account by a process that is sent the signal when the thread that starts it ends. Where
     * setpriv is missing (it belongs to util-linux) there is no such signal, and nothing for root.
     */
    List<String> wrap(List<String> command, String endSignal) {
        if (!hasSetpriv()) {
            if (isRoot()) {
                throw new IllegalStateException("As root this needs setpriv (Debian: apt install util-linux)");
            }
            return command;
        }
        List<String> wrapped = new ArrayList<>(List.of("setpriv", "--pdeathsig", endSignal));
        if (isRoot()) {
            wrapped.addAll(List.of("--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
        }
        wrapped.add("--");
        wrapped.addAll(command);
        return wrapped;
    }

    private static boolean hasSetpriv() {
        return List.of("/usr/bin/setpriv", "/bin/setpriv").stream().anyMatch(path -> Files.isExecutable(Path.of(path)));
    }
}
