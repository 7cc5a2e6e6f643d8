package io.millrace.cli;

import io.millrace.Limits;
import picocli.CommandLine.Option;

/** How much load. */
final class BenchPlan {
    @Option(names = "--topic", description = "Where the tasks go. Default: bench")
    private String topic = "bench";

    @Option(names = "--tasks", paramLabel = "NUMBER", description = "How many in all. Default: 10000")
    private int tasks = 10_000;

    @Option(
            names = "--callers",
            paramLabel = "NUMBER",
            description = "So many ask at once, each over a connection of its own. Default: 8")
    private int callers = 8;

    @Option(names = "--batch", paramLabel = "NUMBER", description = "Tasks in one request. Default: 1")
    private int batch = 1;

    @Option(names = "--payload", paramLabel = "BYTES", description = "The size of a payload. Default: 100")
    private int payload = 100;

    @Option(
            names = "--work",
            description = "Also take the tasks and do nothing with them; a caller waits until its tasks are done.")
    private boolean work;

    @Option(names = "--threads", paramLabel = "NUMBER", description = "With --work, so many tasks at once. Default: 16")
    private int threads = 16;

    /** @throws io.millrace.InvalidValueException if a number is out of range */
    void check() {
        Limits.topic("--topic", topic);
        Limits.between("--tasks", tasks, 1, 1_000_000_000);
        Limits.between("--callers", callers, 1, 1_000);
        Limits.between("--batch", batch, 1, Limits.BATCH);
        Limits.between("--payload", payload, 2, Limits.PAYLOAD_BYTES);
        Limits.between("--threads", threads, 1, 1_000);
    }

    String topic() {
        return topic;
    }

    int tasks() {
        return tasks;
    }

    int callers() {
        return callers;
    }

    int batch() {
        return batch;
    }

    int payload() {
        return payload;
    }

    boolean work() {
        return work;
    }

    int threads() {
        return threads;
    }
}
