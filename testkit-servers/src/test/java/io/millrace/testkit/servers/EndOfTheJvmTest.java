package io.millrace.testkit.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EndOfTheJvmTest {
    /** Starts both servers, says where they are, and waits for the end of its input. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            System.out.println(DatabaseProduct.POSTGRES.startOwn().port());
            OwnServer mariadb = DatabaseProduct.MARIADB.startOwn();
            System.out.println(mariadb.port());
            System.out.println(OwnServerTest.dataDirectory(DatabaseProduct.MARIADB, mariadb)
                    .getParent()
                    .getParent());
            System.in.read();
        }
    }

    private record Running(Process process, List<Integer> ports, Path directory) {
        static Running start() throws IOException {
            Process process = new ProcessBuilder(
                            ProcessHandle.current().info().command().orElseThrow(),
                            "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Program.class.getName())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            int postgres = Integer.parseInt(lines.readLine());
            int mariadb = Integer.parseInt(lines.readLine());
            return new Running(process, List.of(postgres, mariadb), Path.of(lines.readLine()));
        }

        void assertServersEnd() {
            for (int port : ports) {
                await().atMost(Duration.ofSeconds(30)).until(() -> !isTaken(port));
            }
        }

        private static boolean isTaken(int port) {
            try (Socket socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port)) {
                return socket.isConnected();
            } catch (IOException e) {
                return false;
            }
        }
    }

    @Test
    void servers_end_with_their_jvm_and_leave_nothing() throws Exception {
        Running running = Running.start();
        assertThat(running.directory).exists();
        running.process.getOutputStream().close();
        running.process.waitFor();
        running.assertServersEnd();
        assertThat(running.directory).doesNotExist();
    }

    @Test
    void servers_end_when_their_jvm_is_killed_and_the_next_one_cleans_up() throws Exception {
        Running killed = Running.start();
        killed.process.destroyForcibly().waitFor();
        killed.assertServersEnd();

        Running next = Running.start();
        assertThat(killed.directory).doesNotExist();
        assertThat(next.directory).exists();
        next.process.getOutputStream().close();
        next.process.waitFor();
    }

    @Test
    void servers_that_outlived_their_jvm_are_killed_by_the_next_one() throws Exception {
        Process unrelated = new ProcessBuilder("sleep", "1000").start();
        // Whoever starts servers meanwhile cleans up, too.
        Path run = CommonDirectory.path().resolve("run-" + UUID.randomUUID());
        Process outlived = CommonDirectory.locked("run", () -> {
            Path other = Files.createDirectories(run.resolve("other"));
            Files.writeString(other.resolve("pid"), Long.toString(unrelated.pid()));
            Path server = Files.createDirectory(run.resolve("server"));
            Process process = new ProcessBuilder("sh", "-c", "sleep 1000; true", server.toString()).start();
            Files.writeString(server.resolve("pid"), Long.toString(process.pid()));
            return process;
        });

        Running.start().process.destroyForcibly().waitFor();
        assertThat(outlived.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(unrelated.isAlive()).isTrue();
        assertThat(run).doesNotExist();
        unrelated.destroyForcibly();
    }
}
