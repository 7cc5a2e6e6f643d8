package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceOptions;
import io.millrace.server.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigTest {
    @TempDir
    private Path directory;

    @Test
    void a_flag_comes_before_the_environment_and_that_before_the_file() throws IOException {
        Path file = file("port=1\nhost=::1\nworker-expiry=7s\n");
        Map<String, String> environment = Map.of("MILLRACE_PORT", "2", "MILLRACE_HOST", "localhost");

        Run run = Run.with(environment, "", "config", "--port", "3", "--config", file.toString());

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .containsPattern("(?m)^port +3 +--port$")
                .containsPattern("(?m)^host +localhost +MILLRACE_HOST$")
                .containsPattern("(?m)^worker-expiry +7s +.*: worker-expiry$")
                .containsPattern("(?m)^body-limit +33554432 +default$");
    }

    @Test
    void the_environment_can_name_the_file() throws IOException {
        Run run = Run.with(Map.of("MILLRACE_CONFIG", file("port=8123").toString()), "", "config", "--json");

        assertThat(run.out()).contains("\"port\":{\"value\":\"8123\"");
    }

    @Test
    void passwords_are_not_shown() {
        Run run = Run.of("config", "--store", "jdbc:postgresql://db/work?user=me&password=hunter2&ssl=true");

        assertThat(run.out()).contains("user=me&password=***&ssl=true").doesNotContain("hunter2");
        assertThat(Secrets.hidden("jdbc:mariadb://me:hunter2@db/work")).isEqualTo("jdbc:mariadb://me:***@db/work");
    }

    @ParameterizedTest
    @CsvSource({
        "--port, 99999, port: 99999 is not allowed",
        "--port, many, it must be a whole number",
        "--worker-expiry, 30, it must be a duration",
        "--worker-expiry, 1ms, workerExpiry",
        "--key-file, no-such-file, cannot be read",
        "--tls-cert, no-such-file, go together",
        "--store, http://127.0.0.1:1, embedded:./data",
        "--prot, 1, Unknown option",
    })
    void a_bad_setting_is_one_line_and_exit_code_2(String flag, String value, String told) {
        for (String command : new String[] {"config", "serve"}) {
            Run run = Run.of(command, flag, value);

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).startsWith("millrace: ").contains(flag, told);
            assertThat(run.err().lines()).hasSize(1);
            assertThat(run.out()).isEmpty();
        }
    }

    @Test
    void an_unknown_setting_is_named_with_its_place() throws IOException {
        Path file = file("prot=1");

        assertThat(Run.of("serve", "--config", file.toString()))
                .isEqualTo(new Run(
                        ExitCode.USAGE,
                        "",
                        "millrace: " + file + ": there is no setting prot; millrace config lists them all\n"));
        assertThat(Run.with(Map.of("MILLRACE_PROT", "1"), "", "serve").err())
                .isEqualTo("millrace: environment variable MILLRACE_PROT: there is no setting prot;"
                        + " millrace config lists them all\n");
    }

    @Test
    void what_kubernetes_and_other_commands_say_is_passed_over() {
        Map<String, String> environment = new HashMap<>(Map.of(
                "MILLRACE_URL", "http://millrace:7070",
                "MILLRACE_KEY", "secret",
                "MILLRACE_SERVICE_HOST", "10.0.0.1",
                "MILLRACE_SERVICE_PORT", "7070",
                "MILLRACE_SERVICE_PORT_HTTP", "7070",
                "MILLRACE_PORT", "tcp://10.0.0.1:7070",
                "MILLRACE_PORT_7070_TCP", "tcp://10.0.0.1:7070",
                "MILLRACE_PORT_7070_TCP_ADDR", "10.0.0.1",
                "MILLRACE_EU_WEST_SERVICE_HOST", "10.0.0.2",
                "MILLRACE_EU_WEST_PORT", "tcp://10.0.0.2:7070"));

        Run run = Run.with(environment, "", "config");

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).containsPattern("(?m)^port +7070 +default$").doesNotContain("secret", "10.0.0");
        environment.put("MILLRACE_PORT", "8080");
        assertThat(Run.with(environment, "", "config").out()).containsPattern("(?m)^port +8080 +MILLRACE_PORT$");
        environment.put("MILLRACE_EU_WEST_PORT", "8081");
        assertThat(Run.with(environment, "", "config").exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void a_missing_file_stops_it() {
        Run run = Run.of("config", "--config", directory.resolve("none").toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("none cannot be read");
    }

    @Test
    void a_key_file_without_a_key_does_not_open_the_server() throws IOException {
        Run run = Run.of("serve", "--key-file", file("# none yet\n").toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("there must be a key in it");
    }

    @Test
    void a_made_key_can_be_used() throws IOException {
        Run made = Run.of("key", "shop", "--role", "producer", "--topic", "email");

        assertThat(made.out()).matches("shop producer [0-9a-f]{64} email\n");
        assertThat(Run.of("config", "--key-file", file(made.out()).toString()).exitCode())
                .isZero();
    }

    @Test
    void the_defaults_are_those_of_the_server() {
        ServerPlan plan = ServerPlan.of(Settings.gather(Map.of(), null, Map.of()));

        assertThat(plan.server()).usingRecursiveComparison().isEqualTo(ServerOptions.DEFAULT);
        assertThat(plan.millrace().workerExpiry()).isEqualTo(MillraceOptions.DEFAULT.workerExpiry());
        assertThat(plan.millrace().payloadLimit()).isEqualTo(MillraceOptions.DEFAULT.payloadLimit());
    }

    private Path file(String text) throws IOException {
        return Files.writeString(Files.createTempFile(directory, "config", ".properties"), text);
    }
}
