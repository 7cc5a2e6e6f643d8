package io.millrace.embedded;

import io.millrace.InvalidValueException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Files and directories that nobody but this user may read: payloads are in them. Windows has no such permissions. */
final class PrivateFiles {
    private static final Logger log = LoggerFactory.getLogger(PrivateFiles.class);
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
    /** The names of a store's own files. */
    private static final Pattern OWN = Pattern.compile("lock|\\d{8,}\\.log(\\.tmp)?");

    private PrivateFiles() {}

    private static FileAttribute<?>[] attributes(Path near, Set<PosixFilePermission> permissions) {
        return isPosix(near)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    private static boolean isPosix(Path near) {
        return near.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    static void createDirectory(Path directory) throws IOException {
        Files.createDirectory(directory, attributes(directory, DIRECTORY));
    }

    /**
     * Creates an empty file, unless it is there.
     *
     * @throws InvalidValueException if a link or something else has its name: what it leads to is not ours
     */
    static void create(Path file) throws IOException {
        try {
            Files.newByteChannel(
                            file,
                            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                            attributes(file, FILE))
                    .close();
        } catch (FileAlreadyExistsException e) {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new InvalidValueException(
                        "directory", file, "it must be a plain file, not a link or a directory: remove it");
            }
        }
    }

    /** Takes the rights of others away from a store's files; and from its directory, if nothing else is in there. */
    static void tighten(Path directory) throws IOException {
        if (!isPosix(directory)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> listed = Files.list(directory)) {
            files = listed.toList();
        }
        boolean onlyOwn = true;
        for (Path file : files) {
            boolean own = OWN.matcher(file.getFileName().toString()).matches()
                    && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
            onlyOwn &= own;
            if (own) {
                tighten(file, FILE);
            }
        }
        if (onlyOwn) {
            tighten(directory, DIRECTORY);
        }
    }

    private static void tighten(Path path, Set<PosixFilePermission> permissions) {
        try {
            if (!permissions.containsAll(Files.getPosixFilePermissions(path))) {
                Files.setPosixFilePermissions(path, permissions);
                log.info("Other users may not read {} any more", path);
            }
        } catch (IOException e) {
            log.warn("Other users may be able to read {}, and that cannot be changed: {}", path, e.toString());
        }
    }
}
