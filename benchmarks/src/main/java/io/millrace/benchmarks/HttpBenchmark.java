package io.millrace.benchmarks;

import io.millrace.benchmarks.http.Beanstalkd;
import io.millrace.benchmarks.http.Conversation;
import io.millrace.benchmarks.http.HttpTalks;
import io.millrace.benchmarks.http.Load;
import io.millrace.benchmarks.http.ServerProcess;
import io.millrace.benchmarks.http.Waking;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/** The server in a process of its own, beside one that only parses and answers, and beside beanstalkd. */
final class HttpBenchmark implements Bench.Benchmark {
    private static final int CONNECTIONS = 64;
    private static final int BATCH = 100;
    private static final int BATCH_CONNECTIONS = 8;

    @Override
    public String about() {
        return "the server over HTTP beside a bare handler and beanstalkd: enqueue, whole life, latency";
    }

    @Override
    public void run(Report report, boolean isLong) throws Exception {
        int rounds = isLong ? 11 : 5;
        int requests = isLong ? 150_000 : 50_000;
        report.setting(
                "settings",
                CONNECTIONS + " connections (" + BATCH_CONNECTIONS
                        + " for batches), payload 200 bytes, each server in a process of its own, one thread sends for all connections, "
                        + rounds + " rounds in turns, median (least-most)");
        try (Scratch scratch = new Scratch();
                ServerProcess bare = ServerProcess.bare();
                ServerProcess heap = ServerProcess.over("heap:");
                ServerProcess embedded = ServerProcess.over("embedded:" + scratch.fresh())) {
            report.step("warm-up");
            for (int i = 0; i < 5; i++) {
                for (ServerProcess server : List.of(bare, heap, embedded)) {
                    var unused = enqueueRate(server, requests);
                }
            }
            enqueue(report, "heap", heap, bare, ">=0.6", requests, rounds);
            enqueue(report, "embedded", embedded, bare, ">=0.4", requests, rounds);
            batches(report, heap, embedded, isLong ? 1_000_000 : 300_000, rounds);
            latency(report, heap, embedded, isLong ? 10_000 : 2_000);
            if (Beanstalkd.isInstalled()) {
                beanstalkd(report, scratch, embedded, requests, rounds);
            } else {
                report.row("beanstalkd", "not compared:", "not on the PATH");
            }
        }
    }

    // one task a request

    private static void enqueue(
            Report report, String name, ServerProcess ours, ServerProcess bare, String goal, int requests, int rounds)
            throws Exception {
        String what = "enqueue, " + name + " | bare handler";
        report.step(what);
        long ourCpu = ours.cpu().toNanos();
        long bareCpu = bare.cpu().toNanos();
        Rounds measured =
                Rounds.measure(0, rounds, () -> enqueueRate(ours, requests), () -> enqueueRate(bare, requests));
        double all = (double) requests * rounds;
        double ourNanos = (ours.cpu().toNanos() - ourCpu) / all;
        double bareNanos = (bare.cpu().toNanos() - bareCpu) / all;
        report.row(what, measured.ourRange("/s"), measured.theirRange("/s"));
        report.row("  processor time of the server", micros(ourNanos), micros(bareNanos));
        report.ratio("http.enqueue." + name + ".bare", measured.ratio(), goal);
        report.ratio("http.enqueue." + name + ".bare.processor", bareNanos / ourNanos, goal);
    }

    private static double enqueueRate(ServerProcess server, int requests) throws Exception {
        try (Load load = new Load(server.port(), CONNECTIONS, any -> HttpTalks.enqueue())) {
            return load.rate(requests);
        } finally {
            server.clear();
        }
    }

    private static String micros(double nanos) {
        return String.format(Locale.ROOT, "%.1f us", nanos / 1e3);
    }

    // many tasks a request

    private static void batches(Report report, ServerProcess heap, ServerProcess embedded, int tasks, int rounds)
            throws Exception {
        report.step("whole life by " + BATCH);
        Function<String, Conversation> talk = worker -> HttpTalks.batchLife(worker, BATCH);
        int requests = tasks / BATCH * 2;
        Rounds measured = Rounds.measure(
                2,
                rounds,
                () -> lifeRate(heap, BATCH_CONNECTIONS, requests, talk) * BATCH / 2,
                () -> lifeRate(embedded, BATCH_CONNECTIONS, requests, talk) * BATCH / 2);
        String what = "enqueue, claim, report by " + BATCH + ", ";
        report.row(what + "heap", measured.ourRange("/s"), "");
        report.row(what + "embedded", measured.theirRange("/s"), "");
    }

    /** Each connection is a worker, and brings its own tasks. @return requests a second */
    private static double lifeRate(
            ServerProcess server, int connections, int requests, Function<String, Conversation> talk) throws Exception {
        List<String> workers = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            workers.add(server.worker());
        }
        try (Load load = new Load(server.port(), connections, number -> talk.apply(workers.get(number)))) {
            return load.rate(requests);
        } finally {
            for (String worker : workers) {
                server.leave(worker);
            }
            server.clear();
        }
    }

    // latency

    private static void latency(Report report, ServerProcess heap, ServerProcess embedded, int tasks) throws Exception {
        report.step("enqueue -> claim, one waiting worker");
        Histogram heapNanos = new Histogram(3);
        Histogram embeddedNanos = new Histogram(3);
        for (int round = 0; round < 5; round++) {
            wake(heap, tasks / 5, heapNanos);
            wake(embedded, tasks / 5, embeddedNanos);
            if (round == 0) {
                heapNanos.reset();
                embeddedNanos.reset();
            }
        }
        latencyRow(report, "heap", heapNanos);
        latencyRow(report, "embedded", embeddedNanos);
    }

    private static void wake(ServerProcess server, int tasks, Histogram nanos) throws Exception {
        String worker = server.worker();
        try (Waking waking = new Waking(server.port(), worker)) {
            waking.measure(tasks, nanos);
        } finally {
            server.leave(worker);
            server.clear();
        }
    }

    private static void latencyRow(Report report, String name, Histogram nanos) {
        String what = "enqueue -> waiting worker, " + name + ", ";
        report.row(what + "p50", micros((double) nanos.getValueAtPercentile(50)), "");
        report.row(what + "p99", micros((double) nanos.getValueAtPercentile(99)), "");
    }

    // beanstalkd

    private static void beanstalkd(Report report, Scratch scratch, ServerProcess embedded, int requests, int rounds)
            throws Exception {
        report.step("enqueue | beanstalkd");
        Rounds puts = Rounds.measure(
                1,
                rounds,
                () -> enqueueRate(embedded, requests),
                () -> beanstalkdRate(scratch.fresh(), requests / 4, Beanstalkd::put));
        report.row("enqueue, embedded | beanstalkd", puts.ourRange("/s"), puts.theirRange("/s"));
        report.ratio("http.enqueue.embedded.beanstalkd", puts.ratio(), ">1");

        report.step("whole life one by one | beanstalkd");
        Rounds lives = Rounds.measure(
                1,
                rounds,
                () -> lifeRate(embedded, CONNECTIONS, requests, HttpTalks::life) / 3,
                () -> beanstalkdRate(scratch.fresh(), requests / 4, Beanstalkd::life) / 3);
        report.row("enqueue, claim, report, embedded | beanstalkd", lives.ourRange("/s"), lives.theirRange("/s"));
        report.ratio("http.life.embedded.beanstalkd", lives.ratio(), ">1");
    }

    /** It has nothing to warm up, so each round has a new one. */
    private static double beanstalkdRate(Path directory, int requests, Supplier<Conversation> talk) throws Exception {
        try (Beanstalkd peer = new Beanstalkd(directory);
                Load load = new Load(peer.port(), CONNECTIONS, any -> talk.get())) {
            return load.rate(requests);
        } finally {
            Scratch.delete(directory);
        }
    }
}
