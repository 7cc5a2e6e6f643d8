package io.millrace.testkit.servers;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** The jar on the class path in which a server's program comes. */
final class BinariesJar {
    private final Path jar;

    private BinariesJar(Path jar) {
        this.jar = jar;
    }

    interface Visitor {
        void visit(String path, InputStream content) throws IOException;
    }

    /** The one that holds the resource. */
    static BinariesJar with(String resource, ServerProgram program) throws IOException {
        String os = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        if (!os.equals("Linux amd64")) {
            throw new IOException(
                    "There is no " + program.name() + " here for " + os + ", only for Linux amd64: name one that runs"
                            + " in the environment variable " + program.urlVariable());
        }
        URL url = BinariesJar.class.getClassLoader().getResource(resource);
        if (url == null || !(url.openConnection() instanceof JarURLConnection connection)) {
            throw new IOException("No jar with " + resource + " on the class path, for " + program.name());
        }
        try {
            return new BinariesJar(Path.of(connection.getJarFileURL().toURI()));
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    /** Product and version. */
    String name() {
        String file = jar.getFileName().toString();
        return file.substring(0, file.lastIndexOf('.'));
    }

    void eachFile(Visitor visitor) throws IOException {
        try (JarFile files = new JarFile(jar.toFile())) {
            for (Enumeration<JarEntry> all = files.entries(); all.hasMoreElements(); ) {
                JarEntry entry = all.nextElement();
                if (!entry.isDirectory()) {
                    try (InputStream content = files.getInputStream(entry)) {
                        visitor.visit(entry.getName(), content);
                    }
                }
            }
        }
    }
}
