package io.millrace.benchmarks.against;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link Contestant} in a JVM of its own, on the class path of one checkout. */
final class Side implements AutoCloseable {
    private final String name;
    private final Process process;
    private final Writer commands;
    private final BufferedReader answers;

    private Side(String name, Process process) {
        this.name = name;
        this.process = process;
        commands = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** @param classPath with the contestant on it */
    static Side start(String name, String classPath, List<String> options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, Contestant.class.getName()));
        return new Side(
                name,
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
    }

    String name() {
        return name;
    }

    /** @return tasks a second */
    double measure(String workload, int tasks, String url) throws IOException {
        commands.write(workload + " " + tasks + " " + url + "\n");
        commands.flush();
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith(Contestant.RATE)) {
                return Double.parseDouble(line.substring(Contestant.RATE.length()));
            }
            if (line.startsWith(Contestant.FAILED)) {
                throw new IllegalStateException(
                        name + ", " + workload + ": " + line.substring(Contestant.FAILED.length()));
            }
        }
        throw new IllegalStateException(name + ", " + workload + ": its process has ended");
    }

    @Override
    public void close() throws IOException {
        commands.close();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
