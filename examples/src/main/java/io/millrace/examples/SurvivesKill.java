package io.millrace.examples;

import io.millrace.Millrace;
import io.millrace.Payload;
import io.millrace.TaskQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A process enqueues tasks and is gone at once, without a word; another one opens the same directory and runs them. */
public final class SurvivesKill {
    private SurvivesKill() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 1) {
            enqueueAndDie(arguments[0]);
            return;
        }
        String url = "embedded:" + Files.createTempDirectory("survives-kill");
        int exit = inAnotherProcess(url);
        System.out.println("The other process ended with exit code " + exit);

        try (Millrace millrace = Millrace.open(url)) {
            System.out.println("Still there: " + millrace.count(TaskQuery.ALL));
            millrace.handle("greeting", (payload, context) -> System.out.println("Ran " + payload.text()));
            millrace.drain();

            Path copy = Files.createTempDirectory("survives-kill-copy");
            millrace.backUp(copy);
            System.out.println("A copy of it all opens as embedded:" + copy);
        }
    }

    private static void enqueueAndDie(String url) {
        Millrace millrace = Millrace.open(url);
        for (int i = 1; i <= 3; i++) {
            millrace.enqueue("greeting", Payload.json("\"hello " + i + "\""));
        }
        Runtime.getRuntime().halt(9);
    }

    private static int inAnotherProcess(String url) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), SurvivesKill.class.getName(), url)
                .inheritIO()
                .start()
                .waitFor();
    }
}
