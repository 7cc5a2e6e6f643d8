package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Millrace;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
    @TempDir
    private Path directory;

    @Test
    void with_a_certificate_and_its_key_it_speaks_https() throws Exception {
        KeyStore keys = selfSigned();
        Path certificate = pem("CERTIFICATE", keys.getCertificate("a").getEncoded());
        Path key = pem("PRIVATE KEY", keys.getKey("a", "secret".toCharArray()).getEncoded());
        ServerOptions options =
                ServerOptions.builder().port(0).tls(certificate, key).build();
        try (Millrace millrace = Millrace.open("heap:");
                MillraceServer server = MillraceServer.start(millrace, options)) {
            HttpClient client =
                    HttpClient.newBuilder().sslContext(trusting(keys)).build();
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("https://localhost:" + server.port() + "/v1/tasks/count"))
                    .build();

            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());

            assertThat(answer.body()).isEqualTo("{\"count\":0}");
            assertThat(RawHttp.get(server.port(), "/v1/tasks/count")).doesNotContain("200");
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

    private KeyStore selfSigned() throws Exception {
        Path store = directory.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-validity",
                        "10",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "secret",
                        "-keystore",
                        store.toString())
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, "secret".toCharArray());
        }
        return keys;
    }

    private Path pem(String kind, byte[] bytes) throws Exception {
        String text = "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END "
                + kind + "-----\n";
        return Files.writeString(directory.resolve(kind.replace(' ', '-') + ".pem"), text);
    }

    private static SSLContext trusting(KeyStore keys) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("a", keys.getCertificate("a"));
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }
}
