package io.millrace.benchmarks;

import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.benchmarks.durable.BareLog;
import io.millrace.benchmarks.durable.DurableLog;
import io.millrace.benchmarks.durable.RocksLog;
import io.millrace.benchmarks.durable.SqliteLog;
import io.millrace.embedded.EmbeddedProvider;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.Completion;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** The engine over the embedded store beside logs that only keep bytes: a bare one, SQLite and RocksDB. */
final class EmbeddedBenchmark implements Bench.Benchmark {
    private static final int PAYLOAD_BYTES = 200;
    private static final Payload PAYLOAD = Payload.bytes(new byte[PAYLOAD_BYTES]);
    private static final int BATCH = 100;

    /** Opens a peer in a place that is free. */
    private interface Peer {
        DurableLog open(Path path) throws IOException;
    }

    @Override
    public String about() {
        return "the engine on the embedded store beside a bare log, SQLite and RocksDB: durable enqueue, claim and"
                + " complete, restart, memory, disk";
    }

    @Override
    public void run(Report report, boolean isLong) throws Exception {
        int rounds = isLong ? 11 : 5;
        report.setting(
                "settings",
                "payload " + PAYLOAD_BYTES + " bytes, every call durable before it returns, " + rounds
                        + " rounds in turns, median (least-most)");
        try (Scratch scratch = new Scratch()) {
            enqueue(report, scratch, 64, isLong ? 400_000 : 150_000, rounds);
            enqueue(report, scratch, 1_000, isLong ? 400_000 : 150_000, rounds);
            oneProducer(report, scratch, isLong ? 10_000 : 2_000, rounds);
            // so many that the bare log, too, has to prepare its file on the way
            claimAndComplete(report, scratch, 1, 600_000, rounds);
            claimAndComplete(report, scratch, 4, 600_000, rounds);
            new EmbeddedSize(report, scratch).run(isLong);
        }
    }

    private static NewTask task() {
        return NewTask.builder("bench").payload(PAYLOAD).build();
    }

    // enqueue

    private void enqueue(Report report, Scratch scratch, int producers, int tasks, int rounds) throws Exception {
        String what = "enqueue, " + producers + " producers";
        enqueueBeside(report, scratch, what, "bare log", BareLog::new, ">=0.6", producers, tasks, rounds);
        enqueueBeside(report, scratch, what, "SQLite", SqliteLog::new, ">1", producers, tasks, rounds);
        enqueueBeside(report, scratch, what, "RocksDB", RocksLog::new, ">1", producers, tasks, rounds);
    }

    private static void enqueueBeside(
            Report report,
            Scratch scratch,
            String what,
            String name,
            Peer peer,
            String goal,
            int producers,
            int tasks,
            int rounds)
            throws Exception {
        report.step(what + " | " + name);
        Rounds measured = Rounds.measure(
                1,
                rounds,
                () -> enqueueRate(scratch.fresh(), producers, tasks),
                () -> appendRate(peer, scratch.fresh(), producers, tasks));
        report.row(what + " | " + name, measured.ourRange("/s"), measured.theirRange("/s"));
        report.ratio("embedded.enqueue." + producers + "." + key(name), measured.ratio(), goal);
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT).replace(' ', '-');
    }

    private static double enqueueRate(Path directory, int producers, int tasks) throws Exception {
        MillraceOptions options = MillraceOptions.builder().workers(1).build();
        try (Millrace millrace = Millrace.open("embedded:" + directory, options)) {
            Callers.Call enqueue = () -> millrace.enqueue(task());
            Callers.rate(producers, tasks / 4, enqueue);
            return Callers.rate(producers, tasks, enqueue);
        } finally {
            Scratch.delete(directory);
        }
    }

    private static double appendRate(Peer peer, Path path, int producers, int records) throws Exception {
        byte[] record = new byte[PAYLOAD_BYTES];
        try (DurableLog log = peer.open(path)) {
            Callers.rate(producers, records / 4, () -> log.append(record));
            return Callers.rate(producers, records, () -> log.append(record));
        } finally {
            Scratch.delete(path);
        }
    }

    private void oneProducer(Report report, Scratch scratch, int tasks, int rounds) throws Exception {
        report.step("enqueue, one producer | bare log");
        Rounds measured = Rounds.measure(
                1,
                rounds,
                () -> 1e6 / enqueueRate(scratch.fresh(), 1, tasks),
                () -> 1e6 / appendRate(BareLog::new, scratch.fresh(), 1, tasks));
        report.row("enqueue, 1 producer | a write and a force", measured.ourRange("us"), measured.theirRange("us"));
        report.ratio("embedded.enqueue.1.time", measured.ratio(), "<=1.3");
    }

    // claim and complete

    private void claimAndComplete(Report report, Scratch scratch, int workers, int tasks, int rounds) throws Exception {
        String what = "claim + complete by 100, " + workers + (workers == 1 ? " worker" : " workers");
        report.step(what);
        Rounds measured = Rounds.measure(
                1,
                rounds,
                () -> claimRate(scratch.fresh(), workers, tasks),
                () -> batchRate(scratch.fresh(), workers, tasks));
        report.row(what + " | bare log", measured.ourRange("/s"), measured.theirRange("/s"));
        report.ratio("embedded.claim-complete." + workers + ".bare-log", measured.ratio(), ">=0.5");
    }

    private static double claimRate(Path directory, int workers, int tasks) throws Exception {
        try (TaskStore store = new EmbeddedProvider().open("embedded:" + directory, MillraceOptions.DEFAULT.clock())) {
            fill(store, tasks);
            UUID worker = store.workers().register(Introduction.ANONYMOUS, Duration.ofHours(1));
            return BATCH * Callers.rate(workers, tasks / BATCH, () -> claimAndComplete(store, worker));
        } finally {
            Scratch.delete(directory);
        }
    }

    static void fill(TaskStore store, int tasks) {
        for (int i = 0; i < tasks; i += 1_000) {
            List<NewTask> together = new ArrayList<>();
            for (int j = 0; j < Math.min(1_000, tasks - i); j++) {
                together.add(task());
            }
            store.enqueue(List.of(new EnqueueRequest(together, Map.of())));
        }
    }

    private static void claimAndComplete(TaskStore store, UUID worker) {
        FromTopic from = new FromTopic("bench", BATCH, TopicPolicy.DEFAULT);
        List<LeasedTask> leased = store.claim(List.of(new ClaimRequest(worker, List.of(from), BATCH)))
                .get(0)
                .tasks();
        if (leased.size() != BATCH) {
            throw new IllegalStateException("only " + leased.size() + " tasks were ready");
        }
        Next done = Next.Finish.as(TaskState.SUCCEEDED, Duration.ofDays(1));
        store.complete(leased.stream()
                .map(task -> new Completion(task.lease(), Outcome.SUCCEEDED, null, done, done))
                .toList());
    }

    /** What the bare log needs to keep as many records, in as large batches. */
    private static double batchRate(Path path, int threads, int records) throws Exception {
        List<byte[]> batch = Collections.nCopies(BATCH, new byte[PAYLOAD_BYTES]);
        try (DurableLog log = new BareLog(path)) {
            return BATCH * Callers.rate(threads, records / BATCH, () -> log.appendAll(batch));
        } finally {
            Scratch.delete(path);
        }
    }
}
