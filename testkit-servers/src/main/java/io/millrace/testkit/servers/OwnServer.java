package io.millrace.testkit.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A server that one caller has for itself. It keeps its port and its files when it is stopped or killed and started again,
 * and loses them when it is closed.
 */
public final class OwnServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final ServerProgram program;
    private final List<String> settings;
    private final Path home;
    private final Path directory;
    private final Path data;
    private int port;
    private int starts;
    private volatile @Nullable ServerProcess process;

    private OwnServer(ServerProgram program, List<String> settings) throws IOException {
        this.program = program;
        this.settings = settings;
        home = program.install();
        Path template = program.template(home);
        directory = RunDirectory.current().add(this, program.name());
        data = directory.resolve("data");
        // With owners and permissions.
        Command.run("cp", "-a", template.toString(), data.toString());
    }

    static OwnServer start(ServerProgram program, List<String> settings, IntSupplier ports) {
        return start(program, settings, ports, data -> {});
    }

    /** Changes a server's files before its first start. */
    interface Preparation {
        void prepare(Path data) throws IOException;
    }

    static OwnServer start(ServerProgram program, List<String> settings, IntSupplier ports, Preparation preparation) {
        try {
            OwnServer server = new OwnServer(program, settings);
            boolean started = false;
            try {
                preparation.prepare(server.data);
                do {
                    server.port = ports.getAsInt();
                } while (!server.startIfPortIsFree());
                started = true;
                return server;
            } finally {
                if (!started) {
                    server.close();
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(program.name() + " does not start: " + e.getMessage(), e);
        }
    }

    public int port() {
        return port;
    }

    /** A new, empty database. */
    public TestDatabase newDatabase() {
        return TestDatabase.create(program, program.adminUrl(port), this::isRunning);
    }

    public boolean isRunning() {
        ServerProcess current = process;
        return current != null && current.isAlive();
    }

    /**
     * Starts it again, with the port and the files that it had, and returns when it takes connections. Does nothing if it
     * runs.
     *
     * @throws IllegalStateException if it does not start
     */
    public synchronized void start() {
        if (isRunning()) {
            return;
        }
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try {
            while (!startIfPortIsFree()) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("Somebody else has taken port " + port + " of " + program.name());
                }
                pause();
            }
        } catch (IOException e) {
            throw new IllegalStateException(program.name() + " does not start again: " + e.getMessage(), e);
        }
    }

    private boolean startIfPortIsFree() throws IOException {
        Path log = directory.resolve("log-" + ++starts);
        ServerProcess started = ServerProcess.start(
                program.command(home, data, port, settings), directory, log, program.abandonSignal());
        process = started;
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!Files.readString(log).contains(program.readyLine())) {
            boolean late = System.nanoTime() > deadline;
            if (late || !started.isAlive()) {
                started.kill();
                String said = Files.readString(log);
                if (!late && said.contains("Address already in use")) {
                    return false;
                }
                throw new IOException((late ? "not ready after " + PATIENCE + ": " : "") + said.strip());
            }
            pause();
        }
        return true;
    }

    private static void pause() {
        LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }

    /** Ends it in good order, whoever is connected, and returns when it has ended. */
    public synchronized void stop() {
        ServerProcess current = process;
        try {
            if (current != null && !current.end(program.stopSignal(), PATIENCE)) {
                throw new IllegalStateException(program.name() + " has not stopped after " + PATIENCE);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills it, as by {@code kill -9} of all its processes at one moment, and returns when they are gone. */
    public synchronized void kill() {
        ServerProcess current = process;
        try {
            if (current != null && current.isAlive()) {
                current.kill();
                program.removeTracesOfKilled(data);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends it and deletes its files. */
    @Override
    public synchronized void close() {
        ServerProcess current = process;
        try {
            if (current != null && !current.end(program.abandonSignal(), Duration.ofSeconds(10))) {
                kill();
            }
            FileTree.delete(directory);
            RunDirectory.current().remove(this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
