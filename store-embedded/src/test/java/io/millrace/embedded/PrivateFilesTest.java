package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.InvalidValueException;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Who may read what is on the disk. */
@DisabledOnOs(OS.WINDOWS)
class PrivateFilesTest {
    @TempDir
    private Path directory;

    private final SettableClock clock = new SettableClock();

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static List<Path> files(Path in) throws IOException {
        try (Stream<Path> listed = Files.list(in)) {
            return listed.toList();
        }
    }

    private static void assertPrivate(Path data) throws IOException {
        assertThat(permissions(data)).isEqualTo("rwx------");
        assertThat(files(data))
                .isNotEmpty()
                .allSatisfy(file ->
                        assertThat(permissions(file)).as(file.toString()).isEqualTo("rw-------"));
    }

    @Test
    void a_new_store_and_its_backup_can_be_read_by_its_user_only() throws IOException {
        Path data = directory.resolve("data");
        Path backup = directory.resolve("backup");
        try (TaskStore store = TestStores.open(data, clock, "")) {
            TestStores.add(store, 10);
            store.backUp(backup);
            assertPrivate(data);
        }
        assertPrivate(backup);
    }

    @Test
    void an_old_store_that_all_can_read_is_tightened() throws IOException {
        Path data = directory.resolve("data");
        TestStores.open(data, clock, "").close();
        for (Path file : files(data)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        }
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));

        try (TaskStore store = TestStores.open(data, clock, "")) {
            TestStores.add(store, 10);
            assertPrivate(data);
        }
    }

    @Test
    void a_directory_with_files_of_others_keeps_its_permissions() throws IOException {
        Path data = Files.createDirectory(directory.resolve("data"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path notes = Files.writeString(data.resolve("notes.txt"), "mine");
        Files.setPosixFilePermissions(notes, PosixFilePermissions.fromString("rw-r--r--"));

        TestStores.open(data, clock, "").close();

        assertThat(permissions(data)).isEqualTo("rwxr-xr-x");
        assertThat(permissions(notes)).isEqualTo("rw-r--r--");
        assertThat(permissions(data.resolve("lock"))).isEqualTo("rw-------");
    }

    @Test
    void a_link_in_place_of_the_lock_is_refused_and_its_target_left_alone() throws IOException {
        Path data = Files.createDirectory(directory.resolve("data"));
        Path target = Files.writeString(directory.resolve("precious"), "content");
        Files.createSymbolicLink(data.resolve("lock"), target);

        assertThatThrownBy(() -> TestStores.open(data, clock, ""))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("link");
        assertThat(target).hasContent("content");
    }
}
