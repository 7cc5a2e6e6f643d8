package io.millrace.examples;

import io.millrace.DeadLetterCause;
import io.millrace.Dump;
import io.millrace.RestoreReport;
import io.millrace.Restorer;
import io.millrace.WorkQueue;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** What a full queue leaks goes to disk, and comes back when there is room; also from a file that was cut off. */
public final class QueueDump {
    record Mail(int id, String to) {}

    private QueueDump() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createTempDirectory("millrace-example");
        try {
            leakAndRestore(directory.resolve("mails"));
            cutOff(directory.resolve("cut"));
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    private static void leakAndRestore(Path directory) throws InterruptedException {
        var mayGoOn = new CountDownLatch(1);
        var handled = new CountDownLatch(30);
        // closed after the queue, which may leak into it to the last; a restorer reads finished files only
        try (Dump<Mail> dump = Dump.builder(directory, Mail.class)
                        .flushEvery(Duration.ofMillis(10))
                        .fileEvery(Duration.ofMillis(50))
                        .build();
                WorkQueue<Mail> queue = WorkQueue.<Mail>builder()
                        .capacity(10)
                        .workers(1)
                        .deadLetter(dump, EnumSet.of(DeadLetterCause.FULL))
                        .handler(mail -> {
                            mayGoOn.await();
                            handled.countDown();
                        })
                        .build();
                Restorer<Mail> restorer = Restorer.builder(directory, Mail.class)
                        .into(queue)
                        .allowedRate(0.5)
                        .checkEvery(Duration.ofMillis(20))
                        .build()) {
            for (int i = 1; i <= 30; i++) {
                queue.put(new Mail(i, "a@example.org"));
            }
            System.out.println("some leaked to disk: " + (dump.items() > 0));

            RestoreReport report = restorer.restoreNow();
            while (!report.postponed()) { // until a file is finished
                Thread.sleep(10);
                report = restorer.restoreNow();
            }
            System.out.println("while the queue is full, restored: " + report.items() + ", postponed: true");

            mayGoOn.countDown();
            restorer.start();
            handled.await();
            System.out.println("all 30 were handled");
        }
    }

    /** The last 5 bytes of a file are missing. */
    private static void cutOff(Path directory) throws IOException, InterruptedException {
        try (Dump<Mail> dump = Dump.builder(directory, Mail.class).build()) {
            dump.put(new Mail(1, "a@example.org"));
            dump.put(new Mail(2, "b@example.org"));
            dump.put(new Mail(3, "c@example.org"));
        }
        try (RandomAccessFile file = new RandomAccessFile(onlyFileOf(directory), "rw")) {
            file.setLength(file.length() - 5);
        }
        List<Mail> back = new ArrayList<>();
        try (Restorer<Mail> restorer =
                Restorer.builder(directory, Mail.class).into(back::add, () -> 0).build()) {
            RestoreReport report = restorer.restoreNow();
            System.out.println("from the cut file: " + back);
            report.damages().forEach(damage -> System.out.println("not given back: " + damage.what()));
        }
        System.out.println("the file is kept: " + onlyFileOf(directory).endsWith(".dump.damaged"));
    }

    private static String onlyFileOf(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findFirst().orElseThrow().toString();
        }
    }
}
