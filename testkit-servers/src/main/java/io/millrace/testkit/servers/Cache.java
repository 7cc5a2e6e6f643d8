package io.millrace.testkit.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Directories that are filled once for all JVMs of a user, and not changed afterwards. */
final class Cache {
    private Cache() {}

    interface Filler {
        void fill(Path directory) throws IOException;
    }

    /** A name that changes with what the entry is made by. */
    static String name(String what, Object madeBy) {
        return Path.of(what).getFileName() + "-" + Integer.toHexString(madeBy.hashCode());
    }

    static Path entry(String name, Filler filler) throws IOException {
        return CommonDirectory.locked(name, () -> {
            Path entry = CommonDirectory.path().resolve(name);
            Path summary = entry.resolveSibling(name + ".summary");
            if (!isWhole(entry, summary)) {
                Path unfinished = entry.resolveSibling(name + ".unfinished");
                FileTree.delete(unfinished);
                filler.fill(FileTree.createDirectory(unfinished));
                FileTree.delete(entry);
                Files.move(unfinished, entry, StandardCopyOption.ATOMIC_MOVE);
                Files.writeString(summary, FileTree.summary(entry));
            }
            return entry;
        });
    }

    /** A temporary directory may be cleaned up by others, in part. */
    private static boolean isWhole(Path entry, Path summary) throws IOException {
        return Files.exists(entry)
                && Files.exists(summary)
                && Files.readString(summary).equals(FileTree.summary(entry));
    }
}
