package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.TaskQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupTest {
    @TempDir
    private Path directory;

    @Test
    void a_copy_has_what_the_store_had() {
        String store = storeWithATask();
        Path copy = directory.resolve("copy");

        Run run = Run.of("backup", copy.toString(), "--store", store);

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        try (Millrace millrace = Millrace.open("embedded:" + copy)) {
            assertThat(millrace.count(TaskQuery.ALL)).hasSize(1);
        }
    }

    @Test
    void a_store_that_is_open_is_refused() {
        String store = storeWithATask();
        try (Millrace open = Millrace.open(store)) {
            Run run = Run.of("backup", directory.resolve("copy").toString(), "--store", store);

            assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
            assertThat(run.err()).contains("stop the server first");
            assertThat(run.err().lines()).hasSize(1);
            assertThat(open.count(TaskQuery.ALL)).hasSize(1);
        }
    }

    @Test
    void a_directory_with_something_in_it_is_refused() throws IOException {
        Path copy = Files.createDirectory(directory.resolve("copy"));
        Files.writeString(copy.resolve("mine"), "keep");

        assertThat(Run.of("backup", copy.toString(), "--store", storeWithATask())
                        .exitCode())
                .isEqualTo(ExitCode.USAGE);
        assertThat(copy).isDirectoryContaining(path -> path.endsWith("mine"));
    }

    @Test
    void what_is_not_there_or_not_embedded_is_refused() {
        String copy = directory.resolve("copy").toString();
        Path none = directory.resolve("none");

        assertThat(Run.of("backup", copy, "--store", "embedded:" + none).exitCode())
                .isEqualTo(ExitCode.FAILED);
        assertThat(none).doesNotExist();
        assertThat(Run.of("backup", copy, "--store", "jdbc:postgresql://db/work?password=hunter2"))
                .matches(run -> run.exitCode() == ExitCode.USAGE && !run.err().contains("hunter2"));
    }

    private String storeWithATask() {
        String store = "embedded:" + directory.resolve("data");
        try (Millrace millrace = Millrace.open(store)) {
            var unused = millrace.enqueue(NewTask.builder("email").build());
        }
        return store;
    }
}
