package io.millrace.testkit.environment;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for localhost that only its own key has signed, as the PEM files that a server reads. */
public final class SelfSigned {
    private static final String PASSWORD = "secret";
    private static final String ALIAS = "a";

    private final KeyStore keys;
    private final Path certificate;
    private final Path key;

    /**
     * Makes one, by the JDK's keytool.
     *
     * @param directory where the files are written
     */
    public SelfSigned(Path directory) throws GeneralSecurityException, IOException, InterruptedException {
        keys = generate(directory.resolve("store.p12"));
        certificate = pem(
                directory.resolve("certificate.pem"),
                "CERTIFICATE",
                keys.getCertificate(ALIAS).getEncoded());
        key = pem(
                directory.resolve("key.pem"),
                "PRIVATE KEY",
                keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
    }

    private static KeyStore generate(Path file) throws GeneralSecurityException, IOException, InterruptedException {
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
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
                        PASSWORD,
                        "-keystore",
                        file.toString()))
                .inheritIO()
                .start();
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool failed: " + keytool.exitValue());
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    private static Path pem(Path file, String kind, byte[] bytes) throws IOException {
        String text = "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END "
                + kind + "-----\n";
        return Files.writeString(file, text);
    }

    public Path certificate() {
        return certificate;
    }

    /** The private key, without a password. */
    public Path key() {
        return key;
    }

    /** For a client that trusts this certificate and no other. */
    public SSLContext trusting() throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(ALIAS, keys.getCertificate(ALIAS));
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }
}
