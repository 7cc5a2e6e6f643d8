package io.millrace.testkit.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Runs programs. */
final class Command {
    // Programs that shall end with this JVM are told so when the thread that started them ends: this one never does.
    private static final ExecutorService STARTER = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "server-starter");
        thread.setDaemon(true);
        return thread;
    });

    private Command() {}

    /** Runs a program under this JVM's account and waits for its end. */
    static void run(String... command) throws IOException {
        Path output = Files.createTempFile("millrace-", ".out");
        try {
            runToEnd(List.of(command), builder(List.of(command), output));
        } finally {
            Files.delete(output);
        }
    }

    /** Runs a program under the account of servers and waits for its end. */
    static void runAsServer(List<String> command, Path directory, @Nullable Path input) throws IOException {
        ProcessBuilder builder = builder(Account.CURRENT.wrap(command, "KILL"), directory.resolve("output"));
        builder.directory(directory.toFile());
        if (input != null) {
            builder.redirectInput(input.toFile());
        }
        runToEnd(command, builder);
    }

    /** Starts a program under the account of servers that ends with this JVM. */
    static Process startAsServer(List<String> command, Path directory, Path log, String endSignal) throws IOException {
        ProcessBuilder builder = builder(Account.CURRENT.wrap(command, endSignal), log);
        return start(builder.directory(directory.toFile()));
    }

    private static ProcessBuilder builder(List<String> command, Path output) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        return builder;
    }

    private static void runToEnd(List<String> command, ProcessBuilder builder) throws IOException {
        Process process = start(builder);
        int status = process.onExit().join().exitValue();
        if (status != 0) {
            String output = Files.readString(builder.redirectOutput().file().toPath());
            throw new IOException(command.get(0) + " ended with " + status + ": " + output.strip());
        }
    }

    private static Process start(ProcessBuilder builder) throws IOException {
        try {
            return CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return builder.start();
                                } catch (IOException e) {
                                    throw new CompletionException(e);
                                }
                            },
                            STARTER)
                    .join();
        } catch (CompletionException e) {
            throw new IOException(e.getCause());
        }
    }
}
