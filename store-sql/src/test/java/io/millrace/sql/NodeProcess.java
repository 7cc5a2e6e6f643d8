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
import java.util.concurrent.CountDownLatch;

/**
 * A node that enqueues and works until it is killed. It tells what was acknowledged: {@code E id} for an enqueue, {@code S id}
 * for a start, {@code C id} for a completion.
 */
final class NodeProcess {
    private static final PrintStream OUT =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private NodeProcess() {}

    static MillraceOptions.Builder options() {
        return MillraceOptions.builder()
                .workers(4)
                .workerExpiry(Duration.ofSeconds(1))
                .reapEvery(Duration.ofMillis(200))
                .scanEvery(Duration.ofMillis(500))
                .closeTimeout(Duration.ofSeconds(5));
    }

    public static void main(String[] arguments) throws Exception {
        Millrace millrace =
                Millrace.open(arguments[0], options().observer(NodeProcess::on).build());
        millrace.handle("load", (payload, context) -> tell("S " + context.task().id()));
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(() -> produce(millrace));
            thread.setDaemon(true);
            thread.start();
        }
        new CountDownLatch(1).await();
    }

    private static void produce(Millrace millrace) {
        while (true) {
            tell("E " + millrace.enqueue(NewTask.builder("load").build()).id());
        }
    }

    private static void on(Event event) {
        if (event instanceof Event.AttemptEnded ended && ended.state() == TaskState.SUCCEEDED) {
            tell("C " + ended.task().id());
        }
    }

    /** In one write, so that a line is whole or not there. */
    private static void tell(String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        OUT.write(bytes, 0, bytes.length);
    }
}
