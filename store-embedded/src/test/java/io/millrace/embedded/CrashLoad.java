package io.millrace.embedded;

import io.millrace.Event;
import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.Retention;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/**
 * A process under mixed load that waits to be killed. It tells on its output what was acknowledged: {@code E producer
 * number id} for an enqueue, {@code S id} for a start, {@code C id} for a completion.
 */
final class CrashLoad {
    private static final int PRODUCERS = 8;
    private static final PrintStream OUT = new PrintStream(
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)), false, StandardCharsets.UTF_8);

    private CrashLoad() {}

    public static void main(String[] arguments) throws Exception {
        String url = arguments[0];
        int round = Integer.parseInt(arguments[1]);
        Millrace millrace = Millrace.open(
                url,
                MillraceOptions.builder()
                        .workers(4)
                        .workerExpiry(Duration.ofSeconds(1))
                        .reapEvery(Duration.ofMillis(200))
                        .observer(CrashLoad::on)
                        .build());
        tell("UP");
        millrace.topics()
                .setPolicy(
                        "load",
                        TopicPolicy.builder()
                                .retention(new Retention(Duration.ofDays(1), Duration.ofDays(1)))
                                .build());
        millrace.handle("load", (payload, context) -> tell("S " + context.task().id()));
        for (int i = 0; i < PRODUCERS; i++) {
            int producer = i;
            Thread thread = new Thread(() -> produce(millrace, round, producer));
            thread.setDaemon(true);
            thread.start();
        }
        new CountDownLatch(1).await();
    }

    private static void produce(Millrace millrace, int round, int producer) {
        Random chance = new Random(round * 31L + producer);
        for (int number = 0; true; number++) {
            UUID id = UUID.randomUUID();
            byte[] payload = new byte[chance.nextInt(400)];
            millrace.enqueue(NewTask.builder("load")
                    .id(id)
                    .payload(Payload.bytes(payload))
                    .build());
            tell("E " + producer + " " + number + " " + id);
        }
    }

    private static void on(Event event) {
        if (event instanceof Event.AttemptEnded ended && ended.state() == TaskState.SUCCEEDED) {
            tell("C " + ended.task().id());
        }
    }

    private static void tell(String line) {
        synchronized (OUT) {
            OUT.print(line + "\n");
            OUT.flush();
        }
    }
}
