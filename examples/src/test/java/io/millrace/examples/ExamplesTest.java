package io.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Runs every example as its reader would: in a process of its own. */
class ExamplesTest {
    @Test
    void first_steps() throws Exception {
        assertThat(outputOf(FirstSteps.class))
                .contains("SUCCEEDED after 2 attempts")
                .contains("\"sent to a@example.org\"")
                .contains("Why is it not running? It is due in 60 min")
                .contains("CANCELLED");
    }

    @Test
    void fan_out_and_gather() throws Exception {
        assertThat(outputOf(FanOutAndGather.class))
                .contains("It waits for 1 of 5 tasks to arrive at it.")
                .contains("brought back: 1")
                .contains("bound 5 pages")
                .contains("the binding has SUCCEEDED");
    }

    private static String outputOf(Class<?> example) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        example.getName())
                .redirectErrorStream(true)
                .start();
        try (InputStream output = process.getInputStream()) {
            String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(text).isZero();
            return text;
        }
    }
}
