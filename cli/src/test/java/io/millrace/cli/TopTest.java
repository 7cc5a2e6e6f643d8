package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.NewTask;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TopTest {
    private final Served served = new Served();
    private final StopSignals signals = StopSignals.deaf();
    private final StringWriter out = new StringWriter();

    @BeforeEach
    void enqueue() {
        var unused = served.millrace().enqueue(NewTask.builder("email").build());
        served.millrace().handle("other", (payload, context) -> {});
    }

    @AfterEach
    void close() {
        served.close();
    }

    private Shell shell(String keys, boolean terminal) {
        return new Shell(
                Map.of("MILLRACE_URL", served.url()),
                new ByteArrayInputStream(keys.getBytes(StandardCharsets.UTF_8)),
                new PrintWriter(out, true),
                new PrintWriter(new StringWriter(), true),
                terminal,
                terminal,
                signals);
    }

    @Test
    void once_prints_one_frame() {
        Run run = served.run("top", "--once");

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains(served.url(), "1 topics, 1 workers", "OLDEST", "READY", "LAST SEEN")
                .containsPattern("email +no")
                .contains("other")
                .doesNotContain("\u001b");
        assertThat(served.run("top", "--once", "--json").out())
                .startsWith("{\"time\":\"")
                .contains("\"topics\":[{\"topic\":\"email\"", "\"workers\":[{\"id\":")
                .endsWith("]}\n");
    }

    @Test
    void on_a_pipe_frames_follow_each_other_until_it_is_told_to_stop() throws Exception {
        CompletableFuture<Integer> top = CompletableFuture.supplyAsync(
                () -> Main.commandLine(shell("", false)).execute("top", "--every", "10ms"));

        await().atMost(Duration.ofSeconds(30)).until(() -> out.toString().split("TOPIC ", -1).length > 3);
        signals.ask();

        assertThat(top.get(30, TimeUnit.SECONDS)).isZero();
        assertThat(out.toString()).doesNotContain("\u001b");
    }

    @Test
    void a_terminal_is_drawn_over_and_left_as_it_was_at_q() {
        assertThat(Main.commandLine(shell("xq", true)).execute("top")).isZero();

        assertThat(out.toString())
                .startsWith("\u001b[?1049h")
                .contains("\u001b[H", "email", "\u001b[J")
                .endsWith("\u001b[?1049l");
    }

    @Test
    void a_bad_pause_is_told() {
        assertThat(served.run("top", "--every", "0s").exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(served.run("top", "--every", "often").err()).contains("--every", "often");
    }
}
