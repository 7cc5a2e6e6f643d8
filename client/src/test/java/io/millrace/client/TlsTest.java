package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.StoreUnavailableException;
import io.millrace.server.MillraceServer;
import io.millrace.server.ServerOptions;
import io.millrace.testkit.client.MillraceFixture;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTPS, with the certificates that the JVM trusts. */
class TlsTest {
    @TempDir
    private Path directory;

    @Test
    void a_server_is_trusted_if_the_jvm_trusts_its_certificate() throws Exception {
        KeyStore keys = selfSigned();
        ServerOptions options = ServerOptions.builder()
                .port(0)
                .tls(
                        pem("CERTIFICATE", keys.getCertificate("a").getEncoded()),
                        pem(
                                "PRIVATE KEY",
                                keys.getKey("a", "secret".toCharArray()).getEncoded()))
                .build();
        try (Millrace millrace = Millrace.open("heap:");
                MillraceServer server = MillraceServer.start(millrace, options)) {
            String url = "https://localhost:" + server.port();
            assertThatThrownBy(() -> open(url)).isInstanceOf(StoreUnavailableException.class);

            // no other test of this module speaks TLS
            SSLContext before = SSLContext.getDefault();
            SSLContext.setDefault(trusting(keys));
            try (Millrace client = open(url)) {
                NewTask task = NewTask.builder("t").build();
                assertThat(client.enqueue(task).id()).isEqualTo(task.id());
                assertThat(millrace.find(task.id())).isPresent();
            } finally {
                SSLContext.setDefault(before);
            }
        }
    }

    private static Millrace open(String url) {
        return Millrace.open(
                url,
                MillraceFixture.quick().serverPatience(Duration.ofSeconds(5)).build());
    }

    private KeyStore selfSigned() throws Exception {
        Path store = directory.resolve("store.p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        String arguments = "-genkeypair -alias a -keyalg EC -dname CN=localhost -ext san=dns:localhost -validity 10"
                + " -storetype PKCS12 -storepass secret -keystore " + store.getFileName();
        Process process = new ProcessBuilder((keytool + " " + arguments).split(" ", -1))
                .directory(directory.toFile())
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
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
