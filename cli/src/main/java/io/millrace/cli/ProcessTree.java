package io.millrace.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A program with all that it starts.
 *
 * <p>Where there is {@code setsid} (every Linux), it runs in a session of its own. So all of its processes can be reached
 * by one signal, those as well whose parents have ended; and Ctrl-C at a terminal does not hit it, which could not finish
 * then. Elsewhere only those processes are reached that can be seen below it.
 */
final class ProcessTree {
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final List<String> SESSION = sessionCommand();

    private final Process process;

    private ProcessTree(Process process) {
        this.process = process;
    }

    private static List<String> sessionCommand() {
        for (String directory : List.of("/usr/bin", "/bin")) {
            Path setsid = Path.of(directory, "setsid");
            if (Files.isExecutable(setsid)) {
                return List.of(setsid.toString());
            }
        }
        return List.of();
    }

    /** Starts a command of the shell. */
    static ProcessTree start(String command, Map<String, String> environment) throws IOException {
        List<String> words = new ArrayList<>(SESSION);
        words.addAll(List.of("sh", "-c", command));
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().putAll(environment);
        return new ProcessTree(builder.start());
    }

    /** The first process; only for its streams and its end. */
    Process first() {
        return process;
    }

    /** Ends everything: asks first, and kills what is left after a moment. */
    void end() {
        Set<ProcessHandle> all = seen();
        if (SESSION.isEmpty()) {
            all.forEach(ProcessHandle::destroy);
        } else {
            signalSession("TERM");
        }
        boolean interrupted = false;
        try {
            var unused = process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        all.addAll(seen());
        kill(all);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends everything at once. */
    void kill() {
        kill(seen());
    }

    private Set<ProcessHandle> seen() {
        Set<ProcessHandle> seen = new LinkedHashSet<>();
        seen.add(process.toHandle());
        process.descendants().forEach(seen::add);
        return seen;
    }

    private void kill(Set<ProcessHandle> all) {
        if (!SESSION.isEmpty()) {
            signalSession("KILL");
        }
        // by handles: to destroy a Process closes its output too
        all.forEach(ProcessHandle::destroyForcibly);
    }

    /** The JDK signals single processes only. */
    private void signalSession(String name) {
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -s " + name + " -- -" + process.pid())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            var unused = kill.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (IOException e) {
            // the processes that can be seen are signalled one by one all the same
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
