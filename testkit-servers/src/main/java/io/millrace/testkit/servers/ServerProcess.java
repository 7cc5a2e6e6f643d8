package io.millrace.testkit.servers;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A server's process, with those that it has forked. */
final class ServerProcess {
    private static final String PID = "pid";

    private final ProcessHandle process;

    private ServerProcess(ProcessHandle process) {
        this.process = process;
    }

    static ServerProcess start(List<String> command, Path directory, Path log, String endSignal) throws IOException {
        ProcessHandle process =
                Command.startAsServer(command, directory, log, endSignal).toHandle();
        Files.writeString(directory.resolve(PID), Long.toString(process.pid()));
        return new ServerProcess(process);
    }

    boolean isAlive() {
        return !isGone(process);
    }

    /** Whether it ended in time. */
    boolean end(String signal, Duration patience) throws IOException {
        if (!isAlive()) {
            return true;
        }
        signal(signal);
        CompletableFuture<Boolean> ended = process.onExit()
                .thenApply(any -> true)
                .completeOnTimeout(false, patience.toMillis(), TimeUnit.MILLISECONDS);
        return ended.join();
    }

    /** Kills it and all that it has forked, as if at one moment, and returns when they are gone. */
    void kill() throws IOException {
        if (!isAlive()) {
            return;
        }
        // From now on it forks no more.
        signal("STOP");
        List<ProcessHandle> all =
                Stream.concat(Stream.of(process), process.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        while (!all.stream().allMatch(ServerProcess::isGone)) {
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
    }

    /** What it has forked is left to the first process of the system, which may take seconds to bury it. */
    private static boolean isGone(ProcessHandle process) {
        try {
            String status = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return status.startsWith(" Z", status.lastIndexOf(')') + 1);
        } catch (IOException e) {
            return !process.isAlive();
        }
    }

    private void signal(String name) throws IOException {
        // Every shell has a kill of its own; the program is not installed everywhere.
        Command.run("sh", "-c", "kill -s $0 $1 2>/dev/null || true", name, Long.toString(process.pid()));
    }

    /** Kills what servers of another, dead JVM still run in the directory. */
    static void killAllBelow(Path run) throws IOException {
        try (DirectoryStream<Path> servers = Files.newDirectoryStream(run, Files::isDirectory)) {
            for (Path server : servers) {
                Path pid = server.resolve(PID);
                if (Files.exists(pid)) {
                    var process = ProcessHandle.of(Long.parseLong(Files.readString(pid)));
                    // By now the number may be that of another process.
                    if (process.isPresent() && commandLine(process.get()).contains(server.toString())) {
                        new ServerProcess(process.get()).kill();
                    }
                }
            }
        }
    }

    private static String commandLine(ProcessHandle process) {
        return process.info().commandLine().orElse("");
    }
}
