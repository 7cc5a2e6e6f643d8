package io.millrace.testkit.client;

import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.TaskState;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A group of the contract: a fixture for each test, and what all of them need. */
@SuppressWarnings("NullAway.Init")
abstract class MillraceGroup {
    static final long SECONDS = 30;
    static final Duration LONG = Duration.ofHours(1);

    private MillraceFixture fixture;
    Millrace millrace;

    abstract MillraceFixture newFixture(MillraceOptions options);

    @BeforeEach
    void open() {
        open(MillraceFixture.quick());
    }

    private void open(MillraceOptions.Builder options) {
        fixture = newFixture(options.build());
        millrace = fixture.millrace();
    }

    /** Begins the test anew with other settings. */
    void reopen(MillraceOptions.Builder options) {
        fixture.close();
        open(options);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    static NewTask task(String topic) {
        return NewTask.builder(topic).build();
    }

    static Payload text(String text) {
        return Payload.json("\"" + text + "\"");
    }

    UUID enqueue(NewTask.Builder task) {
        return millrace.enqueue(task.build()).id();
    }

    UUID enqueue(String topic) {
        return enqueue(NewTask.builder(topic));
    }

    Task get(UUID id) {
        return millrace.find(id).orElseThrow();
    }

    TaskState state(UUID id) {
        return get(id).state();
    }

    Task finished(UUID id) throws Exception {
        return millrace.finished(id).get(SECONDS, TimeUnit.SECONDS);
    }

    /** What made the future fail. */
    static Throwable failureOf(CompletableFuture<?> future) throws Exception {
        try {
            Object value = future.get(SECONDS, TimeUnit.SECONDS);
            throw new AssertionError("it did not fail, but gave " + value);
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        }
    }

    /** Waits for something that nobody tells. */
    static void eventually(Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (!condition.call()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("it did not come true within " + SECONDS + " s");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }
}
