package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The one jar as a process of its own. */
final class JarProcess implements AutoCloseable {
    static final Path JAR = Path.of("target", "millrace.jar").toAbsolutePath();
    private static final Pattern ADDRESS = Pattern.compile(" at (https?://\\S+)");

    private final Process process;
    private final BufferedReader out;

    private JarProcess(Process process) {
        this.process = process;
        out = process.inputReader(StandardCharsets.UTF_8);
    }

    static JarProcess start(String... arguments) throws IOException {
        return startFrom(JAR, arguments);
    }

    static JarProcess startFrom(Path jar, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-jar"));
        command.add(jar.toString());
        command.addAll(List.of(arguments));
        return of(new ProcessBuilder(command));
    }

    static JarProcess of(ProcessBuilder command) throws IOException {
        return new JarProcess(command.redirectErrorStream(true).start());
    }

    static JarProcess serve(String store) throws IOException {
        return start("serve", "--port", "0", "--store", store);
    }

    /** Where it says that it listens; waits until it does. */
    String address() throws IOException {
        Matcher matcher = ADDRESS.matcher(lineWith(" at http"));
        if (!matcher.find()) {
            throw new IllegalStateException("no address");
        }
        return matcher.group(1);
    }

    /** Waits until it prints such a line. */
    String lineWith(String part) throws IOException {
        StringBuilder others = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.contains(part)) {
                return line;
            }
            others.append(line).append('\n');
        }
        throw new IllegalStateException("it ended without saying: " + part + "\n" + others);
    }

    String restOfOutput() throws IOException {
        StringBuilder rest = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            rest.append(line).append('\n');
        }
        return rest.toString();
    }

    /** SIGTERM; not by the process itself, which would close its output too. */
    void askToStop() {
        assertThat(process.toHandle().destroy()).isTrue();
    }

    long pid() {
        return process.pid();
    }

    String commandLine() {
        return process.info().commandLine().orElse("");
    }

    boolean endsWithin(Duration time) throws InterruptedException {
        return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("it does not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
