package io.millrace.examples;

import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import java.util.UUID;

/**
 * One task splits a report into pages, which run in parallel; a last task binds them when all have arrived. A page that
 * cannot be printed goes to a dead-letter topic, from where it is brought back when the printer is mended.
 */
public final class FanOutAndGather {
    private static final int PAGES = 5;

    private FanOutAndGather() {}

    public static void main(String[] arguments) throws Exception {
        try (Millrace millrace = Millrace.open("heap:")) {
            millrace.topics()
                    .setPolicy(
                            "page",
                            TopicPolicy.builder().deadLetter("page-dead").build());
            var printer = new Printer();
            UUID binding = millrace.enqueue(
                            NewTask.builder("bind").waitFor(PAGES).build())
                    .id();

            millrace.handle("bind", (payload, context) -> System.out.println("bound " + PAGES + " pages"));
            millrace.handle("page", (payload, context) -> {
                printer.print(payload.text());
                context.arriveAt(binding);
            });
            millrace.handle("report", (payload, context) -> {
                // the pages exist if, and only if, this handler succeeds
                for (int page = 1; page <= PAGES; page++) {
                    context.spawn(NewTask.builder("page")
                            .payload(Payload.json(Integer.toString(page)))
                            .build());
                }
            });

            millrace.enqueue(NewTask.builder("report").build());
            millrace.drain();
            System.out.println(millrace.why(binding).orElseThrow());

            printer.mend();
            System.out.println("brought back: " + millrace.topics().redrive("page-dead"));
            millrace.drain();
            System.out.println("the binding has " + state(millrace, binding));
        }
    }

    private static TaskState state(Millrace millrace, UUID id) {
        return millrace.find(id).orElseThrow().state();
    }

    private static final class Printer {
        private volatile boolean broken = true;

        void print(String page) {
            if (broken && page.equals("3")) {
                throw new IllegalStateException("paper jam on page " + page);
            }
        }

        void mend() {
            broken = false;
        }
    }
}
