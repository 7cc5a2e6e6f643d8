package io.millrace.examples;

import io.millrace.Millrace;
import io.millrace.Retry;
import io.millrace.Task;
import java.nio.file.Files;
import java.time.Duration;
import java.util.UUID;

/** On the durable store: a typed handler, a retry, a delayed task, a result, and the answer to "why is it not running?". */
public final class FirstSteps {
    record Email(String to, String subject) {}

    private FirstSteps() {}

    public static void main(String[] arguments) throws Exception {
        // a directory that stays, such as ./data, in a program of your own
        String url = "embedded:" + Files.createTempDirectory("first-steps");
        try (Millrace millrace = Millrace.open(url)) {
            millrace.handle("email", Email.class, (email, context) -> {
                if (context.attempt() == 1) {
                    throw new IllegalStateException("the mail server does not answer");
                }
                context.result("sent to " + email.to());
            });

            // retried once, after 100 ms
            UUID sent = millrace.enqueue(millrace.task("email", new Email("a@example.org", "Hello"))
                            .retry(Retry.constant(Duration.ofMillis(100)).max(1))
                            .build())
                    .id();
            Task task = millrace.finished(sent).get();
            System.out.println(task.state() + " after " + task.attempts().size() + " attempts: "
                    + task.payload().text() + " -> " + resultOf(task));

            // not due for an hour
            UUID later = millrace.enqueue(millrace.task("email", new Email("b@example.org", "Later"))
                            .delay(Duration.ofHours(1))
                            .build())
                    .id();
            System.out.println("Why is it not running? " + millrace.why(later).orElseThrow());
            millrace.cancel(later);
            System.out.println(millrace.find(later).orElseThrow().state());
        }
    }

    private static String resultOf(Task task) {
        return task.result() == null ? "no result" : task.result().text();
    }
}
