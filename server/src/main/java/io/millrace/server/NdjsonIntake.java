package io.millrace.server;

import io.millrace.Enqueued;
import io.millrace.NewTask;
import io.millrace.spi.LocalBackend;
import io.millrace.wire.EnqueuedForm;
import io.millrace.wire.Problem.FieldError;
import io.millrace.wire.TaskForm;
import io.millrace.wire.WireException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes in tasks of any number, a line each. Lines are collected into chunks; while one is stored the client is held
 * back, so that memory does not grow with the body. What is stored stays, whatever comes after it.
 */
final class NdjsonIntake {
    private static final int CHUNK_TASKS = 1_000;
    private static final int CHUNK_BYTES = 1 << 20;
    /** Beside the payload, which may grow by a third as Base64, and by more where it is full of escapes. */
    private static final int LINE_EXTRA = 64 << 10;

    private final Exchange exchange;
    private final HttpServerRequest request;
    private final LocalBackend local;
    private final int payloadLimit;
    private final int lineLimit;
    private final List<NewTask> chunk = new ArrayList<>();
    /** What came of the line that is not complete, and how much of it. */
    private byte[] rest = new byte[8 << 10];

    private int restLength;
    private long lines;
    private long accepted;
    private long duplicates;
    private int chunkBytes;
    private int storingBytes;
    private boolean storing;
    private boolean bodyEnded;
    private @Nullable ProblemException trouble;
    private boolean done;

    NdjsonIntake(Exchange exchange, LocalBackend local, int payloadLimit) {
        this.exchange = exchange;
        this.local = local;
        this.payloadLimit = payloadLimit;
        lineLimit = payloadLimit + payloadLimit / 2 + LINE_EXTRA;
        request = exchange.request();
    }

    void start() {
        await();
        request.handler(part -> exchange.guarded(() -> part(part)));
        request.endHandler(any -> exchange.guarded(this::bodyEnd));
        request.exceptionHandler(e -> done = true);
    }

    private void await() {
        exchange.watch().reading(() -> endWith(Problems.tooSlow()));
    }

    private void part(Buffer part) {
        if (done || trouble != null) {
            return;
        }
        await();
        int seen = restLength;
        append(part);
        int from = 0;
        for (int i = seen; i < restLength && trouble == null; i++) {
            if (rest[i] == '\n') {
                line(rest, from, i);
                from = i + 1;
            }
        }
        restLength -= from;
        System.arraycopy(rest, from, rest, 0, restLength);
        charge();
        if (trouble == null && restLength > lineLimit) {
            trouble = tooLong();
        }
        storeIfDue();
    }

    /** Of a body of any length only what is held counts: the line at hand, and tasks that are not stored. */
    private void charge() {
        try {
            exchange.charge().set(rest.length + chunkBytes + storingBytes);
        } catch (ProblemException e) {
            if (trouble == null) {
                trouble = e;
            }
        }
    }

    private void append(Buffer part) {
        int length = restLength + part.length();
        if (length > rest.length) {
            rest = Arrays.copyOf(rest, Math.max(length, 2 * rest.length));
        }
        part.getBytes(rest, restLength);
        restLength = length;
    }

    private void line(byte[] bytes, int from, int to) {
        if (isBlank(bytes, from, to)) {
            return;
        }
        try {
            if (to - from > lineLimit) {
                throw tooLong();
            }
            NewTask task = TaskForm.read(bytes, from, to, payloadLimit);
            exchange.caller().checkTopic(task.topic());
            if (task.deadline() != null) {
                Instant now = local.now();
                List<FieldError> errors = new ArrayList<>(0);
                EnqueueApi.checkDeadline(task, now, "/" + lines, errors);
                if (!errors.isEmpty()) {
                    throw Problems.badFields(errors);
                }
            }
            chunk.add(task);
            chunkBytes += to - from;
            lines++;
        } catch (WireException e) {
            trouble = Problems.badFields(e.under("/" + lines));
        } catch (ProblemException e) {
            trouble = e;
        }
    }

    private ProblemException tooLong() {
        return Problems.tooLarge("/" + lines, "a line may have up to " + lineLimit + " bytes");
    }

    private static boolean isBlank(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r') {
                return false;
            }
        }
        return true;
    }

    private void bodyEnd() {
        bodyEnded = true;
        exchange.watch().readingDone();
        if (done) {
            return;
        }
        if (trouble == null) {
            line(rest, 0, restLength);
        }
        storeIfDue();
    }

    /** One chunk at a time. The lines before a bad one are stored with it, in the order they came. */
    private void storeIfDue() {
        if (storing || done) {
            return;
        }
        boolean full = chunk.size() >= CHUNK_TASKS || chunkBytes >= CHUNK_BYTES;
        if (!chunk.isEmpty() && (full || bodyEnded || trouble != null)) {
            store();
        } else if (trouble != null) {
            endWith(trouble);
        } else if (bodyEnded) {
            end();
        }
    }

    private void store() {
        storing = true;
        exchange.watch().readingDone();
        if (!bodyEnded) {
            request.pause();
        }
        List<NewTask> tasks = new ArrayList<>(chunk.subList(0, Math.min(chunk.size(), CHUNK_TASKS)));
        chunk.subList(0, tasks.size()).clear();
        storingBytes = chunkBytes;
        chunkBytes = chunk.isEmpty() ? 0 : chunkBytes;
        var stored = local.enqueue(tasks);
        exchange.chargeUntil(stored);
        var unused = stored.whenComplete((answers, error) -> exchange.onLoop(() -> {
            if (error != null) {
                stored(exchange.problemOf(error));
            } else {
                stored(answers);
            }
        }));
    }

    private void stored(List<Enqueued> answers) {
        accepted += answers.size();
        for (Enqueued answer : answers) {
            duplicates += answer.duplicate() ? 1 : 0;
        }
        goOn();
    }

    private void stored(ProblemException problem) {
        chunk.clear();
        trouble = problem;
        goOn();
    }

    private void goOn() {
        storing = false;
        storingBytes = 0;
        storeIfDue();
        if (!storing && !done && !bodyEnded) {
            await();
            request.resume();
        }
    }

    private void end() {
        done = true;
        if (lines == 0) {
            exchange.fail(Problems.badField("", "there must be at least one task"));
            return;
        }
        var unused = exchange.json(201, EnqueuedForm.write(new EnqueuedForm.Stream(accepted, duplicates)));
    }

    private void endWith(ProblemException problem) {
        done = true;
        // what still comes is read by nobody, so that the connection cannot be used any more
        exchange.fail(Problems.withAccepted(problem, accepted, !bodyEnded));
    }
}
