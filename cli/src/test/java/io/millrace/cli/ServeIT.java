package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.AccessKey;
import io.millrace.server.Role;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeIT {
    @TempDir
    private Path directory;

    @Test
    void tasks_are_still_there_after_a_stop_and_a_new_start() throws Exception {
        String store = "embedded:" + directory.resolve("data");
        try (JarProcess server = JarProcess.serve(store)) {
            String address = server.address();
            assertThat(Http.post(address + "/v1/tasks", "{\"topic\": \"email\", \"payload\": 1}"))
                    .contains("\"duplicate\":false");

            server.askToStop();

            assertThat(server.exitCode()).isZero();
        }
        try (JarProcess server = JarProcess.serve(store)) {
            assertThat(Http.get(server.address() + "/v1/tasks/count?topic=email"))
                    .isEqualTo("{\"count\":1}");
        }
    }

    @Test
    void keys_follow_their_file() throws Exception {
        AccessKey.Generated old = AccessKey.generate("team", Role.ADMIN, Set.of());
        AccessKey.Generated next = AccessKey.generate("team", Role.ADMIN, Set.of());
        Path file = Files.writeString(directory.resolve("keys"), old.key().toLine());
        try (JarProcess server =
                JarProcess.start("serve", "--port", "0", "--store", "heap:", "--key-file", file.toString())) {
            String count = server.address() + "/v1/tasks/count";
            assertThat(Http.status(count, old.secret())).isEqualTo(200);

            Files.writeString(file, "team admin " + next.secret());
            hangUp(server);

            assertThat(server.lineWith("stay in force")).contains("line 1").doesNotContain(next.secret());
            assertThat(Http.status(count, old.secret())).isEqualTo(200);

            Files.writeString(file, next.key().toLine());
            hangUp(server);

            assertThat(server.lineWith("in force now")).contains("1 access key");
            assertThat(Http.status(count, next.secret())).isEqualTo(200);
            assertThat(Http.status(count, old.secret())).isEqualTo(401);
        }
    }

    private static void hangUp(JarProcess process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-HUP", Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void it_tells_what_to_try_next() throws Exception {
        try (JarProcess server = JarProcess.serve("heap:")) {
            String address = server.address();

            server.askToStop();

            assertThat(server.restOfOutput()).contains("curl " + address + "/v1/tasks");
            assertThat(server.exitCode()).isZero();
        }
    }

    @Test
    void a_second_signal_does_not_wait_for_requests() throws Exception {
        try (JarProcess server = JarProcess.serve("heap:")) {
            URI address = URI.create(server.address());
            try (Socket socket = new Socket(address.getHost(), address.getPort())) {
                socket.setSoTimeout(10_000);
                // a request that never ends; the server asks for the rest once it has begun to read
                String request = String.join(
                        "\r\n",
                        "POST /v1/tasks HTTP/1.1",
                        "Host: localhost",
                        "Content-Type: application/json",
                        "Content-Length: 100",
                        "Expect: 100-continue",
                        "",
                        "");
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                assertThat(socket.getInputStream().read()).isEqualTo('H');

                server.askToStop();
                assertThat(server.lineWith("Stopping")).contains("again");
                server.askToStop();

                assertThat(server.exitCode()).isEqualTo(128 + 15);
            }
        }
    }

    @Test
    void a_port_that_is_taken_is_a_failure_in_one_line() throws Exception {
        try (JarProcess first = JarProcess.serve("heap:")) {
            String address = first.address();
            String port = address.substring(address.lastIndexOf(':') + 1);
            try (JarProcess second = JarProcess.start("serve", "--store", "heap:", "--port", port)) {
                assertThat(second.lineWith("millrace: ")).contains("cannot listen on 127.0.0.1:" + port);
                assertThat(second.exitCode()).isEqualTo(ExitCode.FAILED);
            }
        }
    }

    @Test
    void beyond_this_machine_it_needs_keys() throws Exception {
        try (JarProcess server = JarProcess.start("serve", "--store", "heap:", "--host", "0.0.0.0")) {
            assertThat(server.lineWith("millrace: ")).contains("access keys");
            assertThat(server.exitCode()).isEqualTo(ExitCode.USAGE);
        }
    }

    @Test
    void a_server_whose_jar_was_overwritten_still_obeys_a_signal() throws Exception {
        Path jar = Files.copy(JarProcess.JAR, directory.resolve("millrace.jar"));
        try (JarProcess server = JarProcess.startFrom(jar, "serve", "--port", "0", "--store", "heap:")) {
            assertThat(Http.post(server.address() + "/v1/tasks", "{\"topic\": \"email\"}"))
                    .contains("\"duplicate\":false");
            Files.write(jar, new byte[(int) Files.size(jar)]);

            server.askToStop();

            assertThat(server.endsWithin(Duration.ofSeconds(10))).isTrue();
            assertThat(server.exitCode()).isEqualTo(128 + 15);
            assertThat(server.restOfOutput()).contains("jar was overwritten");
        }
    }
}
