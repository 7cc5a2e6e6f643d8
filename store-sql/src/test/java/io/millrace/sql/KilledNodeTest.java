package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.Millrace;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Processes are killed under load while another node goes on. */
class KilledNodeTest {
    private static final int ROUNDS = Boolean.getBoolean("millrace.long") ? 50 : 2;
    private static final int LINES = 600;

    private final Set<UUID> enqueued = new HashSet<>();
    private final Set<UUID> completed = new HashSet<>();
    /** By this node, with how often. */
    private final Map<UUID, Integer> ranHere = new ConcurrentHashMap<>();

    @Test
    void what_a_killed_node_acknowledged_is_neither_lost_nor_done_again() throws Exception {
        try (TestDatabase database = DatabaseProduct.POSTGRES.newDatabase();
                Millrace survivor =
                        Millrace.open(database.url(), NodeProcess.options().build())) {
            survivor.handle(
                    "load", (payload, context) -> ranHere.merge(context.task().id(), 1, Integer::sum));
            for (int round = 0; round < ROUNDS; round++) {
                runAndKill(database.url());
            }
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> survivor.count(TaskQuery.ALL.pending()).isEmpty());

            assertThat(enqueued)
                    .isNotEmpty()
                    .allSatisfy(id -> assertThat(survivor.find(id))
                            .hasValueSatisfying(task -> assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED)));
            assertThat(completed).isNotEmpty().doesNotContainAnyElementsOf(ranHere.keySet());
            assertThat(ranHere.values()).containsOnly(1);
        }
    }

    private void runAndKill(String url) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NodeProcess.class.getName(),
                        url)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            int lines = 0;
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                note(line);
                if (++lines == LINES) {
                    // unlike that of the process, this one leaves the output open to be read to its end
                    process.toHandle().destroyForcibly();
                }
            }
            assertThat(lines).isGreaterThanOrEqualTo(LINES);
        } finally {
            process.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
        }
    }

    private void note(String line) {
        if (line.length() == 38) {
            UUID id = UUID.fromString(line.substring(2));
            switch (line.charAt(0)) {
                case 'E' -> enqueued.add(id);
                case 'S' ->
                    assertThat(completed).as("a completed task runs again").doesNotContain(id);
                case 'C' -> completed.add(id);
                default -> throw new IllegalArgumentException(line);
            }
        }
    }
}
