package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.StoreUnavailableException;
import io.millrace.server.MillraceServer;
import io.millrace.server.ServerOptions;
import io.millrace.testkit.client.MillraceFixture;
import io.millrace.testkit.environment.SelfSigned;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTPS, with the certificates that the JVM trusts. */
class TlsTest {
    @TempDir
    private Path directory;

    @Test
    void a_server_is_trusted_if_the_jvm_trusts_its_certificate() throws Exception {
        SelfSigned signed = new SelfSigned(directory);
        ServerOptions options = ServerOptions.builder()
                .port(0)
                .tls(signed.certificate(), signed.key())
                .build();
        try (Millrace millrace = Millrace.open("heap:");
                MillraceServer server = MillraceServer.start(millrace, options)) {
            String url = "https://localhost:" + server.port();
            assertThatThrownBy(() -> open(url))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContainingAll(url, "certif");

            // no other test of this module speaks TLS
            SSLContext before = SSLContext.getDefault();
            SSLContext.setDefault(signed.trusting());
            try (Millrace client = open(url)) {
                NewTask task = NewTask.builder("t").build();
                assertThat(client.enqueue(task).id()).isEqualTo(task.id());
                assertThat(millrace.find(task.id())).isPresent();
            } finally {
                SSLContext.setDefault(before);
            }
        }
    }

    @Test
    void https_to_a_server_without_tls_is_refused_at_once() {
        try (TestServer server = new TestServer("heap:")) {
            String url = server.url().replace("http:", "https:");

            assertTimeout(
                    Duration.ofSeconds(30),
                    () -> assertThatThrownBy(() -> Millrace.open(
                                    url,
                                    MillraceFixture.quick()
                                            .serverPatience(Duration.ofMinutes(1))
                                            .build()))
                            .isInstanceOf(StoreUnavailableException.class)
                            .hasMessageContainingAll(url, "without TLS", "use " + server.url()));
        }
    }

    private static Millrace open(String url) {
        return Millrace.open(
                url,
                MillraceFixture.quick().serverPatience(Duration.ofSeconds(5)).build());
    }
}
