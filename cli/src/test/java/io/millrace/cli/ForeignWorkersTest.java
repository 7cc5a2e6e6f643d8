package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.server.MillraceServer;
import io.millrace.server.ServerOptions;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The workers in other languages, as they are in the examples. */
class ForeignWorkersTest {
    @ParameterizedTest
    @CsvSource({"python3, worker.py", "node, worker.mjs"})
    void a_worker_of_the_examples_does_its_work_and_leaves_when_told(String interpreter, String program)
            throws Exception {
        assumeTrue(isThere(interpreter), interpreter + " is not installed here");
        ServerOptions options = ServerOptions.builder().port(0).build();
        try (Millrace millrace = Millrace.open("heap:");
                MillraceServer server = MillraceServer.start(millrace, options)) {
            Process process = new ProcessBuilder(
                            interpreter, "../examples/workers/" + program, "http://127.0.0.1:" + server.port(), "shout")
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try {
                UUID id = millrace.enqueue(NewTask.builder("shout")
                                .payload(Payload.json("\"hello\""))
                                .build())
                        .id();

                Task task = millrace.finished(id).get(30, TimeUnit.SECONDS);

                assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
                assertThat(String.valueOf(
                                task.result() == null ? null : task.result().text()))
                        .contains("HELLO");
                millrace.workers().list().forEach(worker -> {
                    var unused = millrace.workers().stop(worker.id());
                });
                assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
                assertThat(process.exitValue()).isZero();
                assertThat(millrace.workers().list()).isEmpty();
            } finally {
                process.destroyForcibly();
            }
        }
    }

    static boolean isThere(String interpreter) throws InterruptedException {
        try {
            return new ProcessBuilder(interpreter, "--version")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
