package io.millrace.testkit.environment;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM with the class path of this one, for tests that kill a process or give it a small heap. Its errors go where
 * those of this process go. A program that ends with its input ends with the test, whatever happens.
 */
public final class OtherJvm implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 20;

    private final Process process;
    private final BufferedReader output;
    private final Writer input;

    /** @param megabytes the largest heap */
    public OtherJvm(int megabytes, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + megabytes + "m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        output = process.inputReader(StandardCharsets.UTF_8);
        input = process.outputWriter(StandardCharsets.UTF_8);
    }

    /**
     * The next line that it prints.
     *
     * @throws IllegalStateException if there are no more
     */
    public String line() {
        return nextLine().orElseThrow(() -> new IllegalStateException("the other process has ended"));
    }

    /** The next line that it prints; nothing if it has ended, and all were read. */
    public Optional<String> nextLine() {
        try {
            return Optional.ofNullable(output.readLine());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a line to its input. @return the line that it prints then */
    public String ask(String line) {
        try {
            input.write(line + "\n");
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return line();
    }

    /** Whether it ends by itself within so many milliseconds. */
    public boolean ends(int millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS);
    }

    /** As {@code kill -9} does. What it printed can be read to its end. */
    public void kill() {
        // unlike that of the process, this one leaves the output open
        process.toHandle().destroyForcibly();
    }

    /** As {@code kill -9} does. Returns when the process is gone. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the other process does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
