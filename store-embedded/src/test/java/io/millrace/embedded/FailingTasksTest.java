package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.environment.OtherJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that fail again and again, with errors of the greatest length, do not use up the memory of a small process. */
class FailingTasksTest {
    private static final int MEGABYTES = 64;
    private static final int TASKS = 60;
    /** Before histories were bounded, the heap was full after about a hundred rounds. */
    private static final int ROUNDS = Boolean.getBoolean("millrace.long") ? 5_000 : 200;

    @TempDir
    Path directory;

    private OtherJvm open() {
        return new OtherJvm(MEGABYTES, FailingTasksMain.class, "embedded:" + directory + "?forceEveryMillis=1000");
    }

    @Test
    void reads_reports_and_deletes_go_on_in_a_full_store_and_after_a_restart() {
        try (OtherJvm process = open()) {
            assertThat(process.ask("enqueue " + TASKS)).isEqualTo("done");
            assertThat(process.ask("fail " + ROUNDS)).isEqualTo(TASKS + " with " + ROUNDS + " attempts");
            assertThat(process.ask("fill")).isEqualTo("full");
            assertThat(process.ask("fail " + ROUNDS)).isEqualTo(TASKS + " with " + 2 * ROUNDS + " attempts");
            assertThat(process.ask("results")).isEqualTo("refused at last");
            assertThat(process.ask("read")).isEqualTo("done");
        }
        for (int opening = 1; opening <= 2; opening++) {
            try (OtherJvm process = open()) {
                assertThat(process.ask("read")).isEqualTo("done");
                assertThat(process.ask("fill")).isEqualTo("full");
                assertThat(process.ask("fail 10"))
                        .isEqualTo(TASKS + " with " + (2 * ROUNDS + 10 * opening) + " attempts");
            }
        }
        try (OtherJvm process = open()) {
            assertThat(process.ask("delete")).isEqualTo("done");
            assertThat(process.ask("enqueue 1")).isEqualTo("done");
        }
    }
}
