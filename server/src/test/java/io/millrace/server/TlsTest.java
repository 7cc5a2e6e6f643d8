package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Millrace;
import io.millrace.testkit.environment.SelfSigned;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
    @TempDir
    private Path directory;

    @Test
    void with_a_certificate_and_its_key_it_speaks_https() throws Exception {
        SelfSigned signed = new SelfSigned(directory);
        ServerOptions options = ServerOptions.builder()
                .port(0)
                .tls(signed.certificate(), signed.key())
                .build();
        try (Millrace millrace = Millrace.open("heap:");
                MillraceServer server = MillraceServer.start(millrace, options)) {
            HttpClient client =
                    HttpClient.newBuilder().sslContext(signed.trusting()).build();
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("https://localhost:" + server.port() + "/v1/tasks/count"))
                    .build();

            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());

            assertThat(answer.body()).isEqualTo("{\"count\":0}");
            assertThat(RawHttp.get(server.port(), "/v1/tasks/count")).doesNotContain("200");
        }
    }

    @Test
    void suites_without_forward_secrecy_are_refused() throws Exception {
        SelfSigned signed = new SelfSigned(directory);
        ServerOptions options = ServerOptions.builder()
                .port(0)
                .tls(signed.certificate(), signed.key())
                .build();
        try (Millrace millrace = Millrace.open("heap:");
                MillraceServer server = MillraceServer.start(millrace, options)) {
            assertThat(handshake(signed, server.port(), "TLSv1.3", "TLS_AES_128_GCM_SHA256"))
                    .isTrue();
            assertThat(handshake(signed, server.port(), "TLSv1.2", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"))
                    .isTrue();
            for (String weak : List.of(
                    "TLS_ECDH_ECDSA_WITH_AES_128_GCM_SHA256",
                    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
                    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA")) {
                assertThat(handshake(signed, server.port(), "TLSv1.2", weak))
                        .as(weak)
                        .isFalse();
            }
        }
    }

    private static boolean handshake(SelfSigned signed, int port, String protocol, String suite) throws Exception {
        try (SSLSocket socket = (SSLSocket) signed.trusting().getSocketFactory().createSocket("localhost", port)) {
            socket.setSoTimeout(10_000);
            socket.setEnabledProtocols(new String[] {protocol});
            socket.setEnabledCipherSuites(new String[] {suite});
            socket.startHandshake();
            return true;
        } catch (SSLException e) {
            return false;
        }
    }

    @Test
    void without_readable_files_it_does_not_start() {
        ServerOptions options = ServerOptions.builder()
                .port(0)
                .tls(directory.resolve("none.pem"), directory.resolve("none.key"))
                .build();
        try (Millrace millrace = Millrace.open("heap:")) {
            assertThatThrownBy(() -> MillraceServer.start(millrace, options)).isInstanceOf(RuntimeException.class);
        }
    }
}
