package io.millrace.benchmarks;

import io.millrace.Event;
import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.StoreUnavailableException;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.testkit.servers.OwnServer;
import io.millrace.testkit.servers.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** How many tasks go through an engine before its database is killed and started again under load, and how many after. */
final class SqlRestart {
    private static final int CALLERS = 16;
    private static final Duration WINDOW = Duration.ofSeconds(5);
    /** Until a pool has made its connections, and code is compiled. */
    private static final Duration SETTLE = Duration.ofSeconds(3);

    private final Report report;
    private final String name;
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong succeeded = new AtomicLong();
    private volatile boolean over;

    SqlRestart(Report report, String name) {
        this.report = report;
        this.name = name;
    }

    void run(OwnServer server, int rounds) throws Exception {
        report.step("restart of the database");
        try (TestDatabase database = server.newDatabase();
                Millrace millrace = Millrace.open(
                        database.url(),
                        MillraceOptions.builder()
                                .workers(2)
                                .observer(this::count)
                                .build())) {
            millrace.handle("load", (payload, context) -> {});
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                callers.add(new Thread(() -> call(millrace)));
            }
            callers.forEach(Thread::start);
            try {
                LockSupport.parkNanos(SETTLE.toNanos());
                Rounds measured = Rounds.measure(1, rounds, this::measure, () -> restartAndMeasure(server));
                report.row(
                        "tasks through, before | after a restart", measured.ourRange("/s"), measured.theirRange("/s"));
                report.ratio(name + ".restart", measured.theirs() / measured.ours(), ">=0.95");
            } finally {
                over = true;
                for (Thread caller : callers) {
                    caller.join();
                }
            }
            while (!millrace.count(TaskQuery.ALL.pending()).isEmpty()) {
                LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
            }
            long kept = millrace.count(TaskQuery.ALL.state(TaskState.SUCCEEDED)).stream()
                    .mapToLong(count -> count.count())
                    .sum();
            if (kept < acknowledged.get()) {
                throw new IllegalStateException(kept + " of " + acknowledged + " acknowledged tasks were done");
            }
        }
    }

    private void count(Event event) {
        if (event instanceof Event.AttemptEnded ended && ended.state() == TaskState.SUCCEEDED) {
            succeeded.incrementAndGet();
        }
    }

    private void call(Millrace millrace) {
        while (!over) {
            try {
                var unused = millrace.enqueue(NewTask.builder("load")
                        .payload(Payload.bytes(new byte[200]))
                        .build());
                acknowledged.incrementAndGet();
            } catch (StoreUnavailableException e) {
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            }
        }
    }

    private double restartAndMeasure(OwnServer server) {
        server.kill();
        server.start();
        long before = succeeded.get();
        while (succeeded.get() == before) {
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
        LockSupport.parkNanos(SETTLE.toNanos());
        return measure();
    }

    private double measure() {
        long before = succeeded.get();
        long start = System.nanoTime();
        LockSupport.parkNanos(WINDOW.toNanos());
        return (succeeded.get() - before) * 1e9 / (System.nanoTime() - start);
    }
}
