package io.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    void survives_kill() throws Exception {
        assertThat(outputOf(SurvivesKill.class))
                .contains("The other process ended with exit code 9")
                .containsSubsequence("Ran \"hello 1\"", "A copy of it all opens as embedded:")
                .contains("Ran \"hello 2\"", "Ran \"hello 3\"");
    }

    @Test
    void fan_out_and_gather() throws Exception {
        assertThat(outputOf(FanOutAndGather.class))
                .contains("It waits for 1 of 5 tasks to arrive at it.")
                .contains("brought back: 1")
                .contains("bound 5 pages")
                .contains("the binding has SUCCEEDED");
    }

    @Test
    void queue_first_steps() throws Exception {
        assertThat(outputOf(QueueFirstSteps.class))
                .contains("2 of 2 wait, fill rate 1.0")
                .contains("offer: false")
                .contains("put within 50 ms: false")
                .containsSubsequence("sent mail 1", "sent mail 2", "sent mail 3", "sent mail 4", "closed, 0 wait")
                .contains("the queue mails is closed; the item was not taken")
                .contains("closed by force, came back: [slow mail, waiting mail], lost: 2");
    }

    @Test
    void queue_balancing(@TempDir Path directory) throws Exception {
        Path chart = directory.resolve("balancing.svg");
        assertThat(outputOf(QueueBalancing.class, chart.toString()))
                .contains("at the start: 1 active")
                .containsPattern("at most: [2-8] active")
                .contains("at the end: 1 active");
        assertThat(chart)
                .content()
                .startsWith("<svg ")
                .contains("fill rate", "active workers", "sleeping workers", "wake-up factor 0.75", "sleep factor 0.5")
                .endsWith("</svg>" + System.lineSeparator());
    }

    @Test
    void queue_schedule() throws Exception {
        assertThat(outputOf(QueueSchedule.class))
                .containsSubsequence(
                        "2026-03-28T22:00  1 to 1 workers",
                        "2026-03-29T03:00  no range",
                        "2026-03-29T08:00  6 to 12 workers",
                        "2026-03-28T21:59  the pool has 3",
                        "2026-03-28T22:00  the pool has 1",
                        "2026-03-29T01:59  the pool has 1",
                        "2026-03-29T03:00  the pool has 3",
                        "2026-03-29T08:00  the pool has 6",
                        "2026-03-29T12:00  the pool has 3");
    }

    @Test
    void queue_leak() throws Exception {
        assertThat(outputOf(QueueLeak.class))
                .contains("rear leak, handled here: [item 1, item 2, item 3]")
                .contains("rear leak, handled by the spare queue: [item 4, item 5]")
                .contains("front leak, handled here: [item 1, item 4, item 5]")
                .contains("front leak, discarded: 2")
                .contains("dead letters: [late item, bad item], handled: [good item]");
    }

    @Test
    void queue_retry_and_delay() throws Exception {
        assertThat(outputOf(QueueRetryAndDelay.class))
                .containsPattern("failed: flaky, retry 1 in (2|3|400)")
                .containsPattern("failed: flaky, retry 2 in [4-8]")
                .contains("failed for good: hopeless, no such address")
                .contains("meanwhile wait for their time: 2")
                .contains("done: slow")
                .contains("too late: impatient")
                .contains("done: later")
                .contains("done: flaky")
                .contains("failed=1, expired=1, lost=0");
    }

    @Test
    void queue_qos() throws Exception {
        assertThat(outputOf(QueueQos.class))
                .contains("{urgency 5=10, urgency 50=30, urgency 95=60}")
                .contains("first in, first out, first 20 of 1010: {noisy=20}")
                .contains("fair queueing, first 20 of 1010: {noisy=10, quiet=10}");
    }

    @Test
    void queue_tree() throws Exception {
        String output = outputOf(QueueTree.class);
        for (String done : new String[] {"in stock: ", "priced: ", "mailed: ", "shipped: "}) {
            assertThat(output).contains(done + 1, done + 2).doesNotContain(done + 3);
        }
        assertThat(output).contains("refused: 3");
    }

    @Test
    void queue_dump() throws Exception {
        assertThat(outputOf(QueueDump.class))
                .contains("some leaked to disk: true")
                .contains("while the queue is full, restored: 0, postponed: true")
                .contains("all 30 were handled")
                .contains("from the cut file: [Mail[id=1, to=a@example.org], Mail[id=2, to=b@example.org]]")
                .contains("not given back: the file ends within a record")
                .contains("the file is kept: true");
    }

    @Test
    void queue_metrics() throws Exception {
        assertThat(outputOf(QueueMetrics.class))
                .contains("ItemPut: 100")
                .contains("ItemPulled: 104")
                .contains("ItemHandled: 96")
                .contains("ItemRetried: 4")
                .contains("ItemFailed: 4")
                .contains("WARN  [numbers-")
                .contains("io.millrace.events - ItemFailed[queue=numbers, item=25")
                .containsPattern("a handler ran for \\d+\\.\\d ms on average");
    }

    private static String outputOf(Class<?> example, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                example.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (InputStream output = process.getInputStream()) {
            String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(text).isZero();
            return text;
        }
    }
}
