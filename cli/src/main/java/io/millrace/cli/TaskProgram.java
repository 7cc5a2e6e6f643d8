package io.millrace.cli;

import io.millrace.Handler;
import io.millrace.Payload;
import io.millrace.TaskContext;
import io.millrace.TopicPolicy;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Runs a command for each task: the payload goes in, the result comes out, and the exit code says how it went. */
final class TaskProgram implements Handler<Payload>, AutoCloseable {
    /** With what stands before it, this fits into what is kept of an error. */
    private static final int ERROR_BYTES = 1_800;

    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private final String command;
    private final Set<ProcessTree> running = ConcurrentHashMap.newKeySet();
    private boolean closed;
    private final ExecutorService streams = Executors.newCachedThreadPool(TaskProgram::daemon);

    TaskProgram(String command) {
        this.command = command;
    }

    private static Thread daemon(Runnable action) {
        Thread thread = new Thread(action, "millrace-program");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void handle(Payload payload, TaskContext context) throws Exception {
        Duration given = context.task().given().timeout();
        Duration timeout = given == null ? TopicPolicy.DEFAULT_TIMEOUT : given;
        ProcessTree tree = start(environment(context));
        try {
            Payload result = run(tree, payload, timeout);
            if (result != null) {
                context.result(result);
            }
        } catch (InterruptedException e) {
            tree.end();
            throw new ProgramFailedException(
                    "the program was killed: its task was cancelled, or taken from this worker");
        } finally {
            running.remove(tree);
        }
    }

    /** One step for {@link #close}: a program that has just begun must not survive it. */
    private ProcessTree start(Map<String, String> environment) throws IOException, ProgramFailedException {
        synchronized (running) {
            if (closed) {
                throw new ProgramFailedException("the worker ended before the program began");
            }
            ProcessTree tree = ProcessTree.start(command, environment);
            running.add(tree);
            return tree;
        }
    }

    private static Map<String, String> environment(TaskContext context) {
        return Map.of(
                "MILLRACE_TASK_ID", context.task().id().toString(),
                "MILLRACE_TASK_TOPIC", context.task().topic(),
                "MILLRACE_TASK_ATTEMPT", String.valueOf(context.attempt()));
    }

    private @Nullable Payload run(ProcessTree tree, Payload payload, Duration timeout) throws Exception {
        Process first = tree.first();
        Capture output = Capture.first(first.getInputStream(), ProgramResult.JSON_BYTES, streams);
        Capture errors = Capture.last(first.getErrorStream(), ERROR_BYTES, streams);
        streams.execute(() -> feed(first.getOutputStream(), payload));
        if (!first.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            tree.end();
            awaitLastWords(tree, output, errors);
            throw new ProgramTimedOutException("the time-to-run was over, and the program was killed" + said(errors));
        }
        awaitLastWords(tree, output, errors);
        if (first.exitValue() != 0) {
            throw new ProgramFailedException("exit code " + first.exitValue() + said(errors));
        }
        return ProgramResult.of(output);
    }

    private static void feed(OutputStream in, Payload payload) {
        try (in) {
            in.write(payload.toBytes());
        } catch (IOException e) {
            // a program need not read what it is given
        }
    }

    /** What was left in the background ends with the program: nobody else would end it, and it holds the output open. */
    private static void awaitLastWords(ProcessTree tree, Capture output, Capture errors) throws InterruptedException {
        tree.kill();
        try {
            var unused = CompletableFuture.allOf(output.ended(), errors.ended())
                    .get(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // something got away with the output; what was said until now is here
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String said(Capture errors) {
        String text = new String(errors.bytes(), StandardCharsets.UTF_8).strip();
        return text.isEmpty() ? "" : ": " + text;
    }

    /** Kills what still runs. */
    @Override
    public void close() {
        synchronized (running) {
            closed = true;
        }
        running.forEach(ProcessTree::kill);
        streams.shutdown();
    }
}
