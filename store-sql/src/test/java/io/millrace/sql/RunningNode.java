package io.millrace.sql;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A {@link NodeProcess} whose lines are read until it is dead. */
final class RunningNode implements AutoCloseable {
    private final String name;
    private final Process process;
    private final Thread reader;

    RunningNode(String url, String name, Consumer<String> lines) throws IOException {
        this.name = name;
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NodeProcess.class.getName(),
                        url,
                        name)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        reader = new Thread(() -> read(lines), "lines of " + name);
        reader.start();
    }

    String name() {
        return name;
    }

    private void read(Consumer<String> lines) {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.accept(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns when all that it had told is read. */
    void kill() throws InterruptedException {
        // unlike that of the process, this one leaves the output open to be read to its end
        process.toHandle().destroyForcibly();
        reader.join(TimeUnit.SECONDS.toMillis(20));
        process.waitFor(20, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
