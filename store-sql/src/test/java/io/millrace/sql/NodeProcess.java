package io.millrace.sql;

import io.millrace.Event;
import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.TaskState;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/**
 * A node that enqueues and works until it is killed. It tells what happened, and when by the machine's clock: {@code E id
 * nanos} for an acknowledged enqueue, {@code S id nanos} for a start, {@code C id nanos} for an acknowledged completion.
 */
final class NodeProcess {
    static final Duration EXPIRY = Duration.ofSeconds(1);
    /** So many tasks of a node wait at most, or it would enqueue more than all can do. */
    private static final int AHEAD = 1_000;

    private static final PrintStream OUT =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private NodeProcess() {}

    static MillraceOptions.Builder options() {
        return MillraceOptions.builder()
                .workerExpiry(EXPIRY)
                .reapEvery(Duration.ofMillis(200))
                .scanEvery(Duration.ofMillis(500))
                .closeTimeout(Duration.ofSeconds(5));
    }

    /** @param arguments the database and the name of the node */
    public static void main(String[] arguments) throws Exception {
        Semaphore room = new Semaphore(AHEAD);
        Millrace millrace = Millrace.open(
                arguments[0],
                options()
                        .workers(4)
                        .workerName(arguments[1])
                        .observer(event -> on(event, room))
                        .build());
        millrace.handle("load", (payload, context) -> tell('S', context.task().id()));
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(() -> produce(millrace, room));
            thread.setDaemon(true);
            thread.start();
        }
        new CountDownLatch(1).await();
    }

    private static void produce(Millrace millrace, Semaphore room) {
        while (true) {
            room.acquireUninterruptibly();
            tell('E', millrace.enqueue(NewTask.builder("load").build()).id());
        }
    }

    private static void on(Event event, Semaphore room) {
        if (event instanceof Event.AttemptEnded ended && ended.state() == TaskState.SUCCEEDED) {
            tell('C', ended.task().id());
            room.release();
        }
    }

    /** In one write, so that a line is whole or not there. */
    private static void tell(char what, UUID id) {
        byte[] bytes = (what + " " + id + " " + System.nanoTime() + "\n").getBytes(StandardCharsets.UTF_8);
        OUT.write(bytes, 0, bytes.length);
    }
}
