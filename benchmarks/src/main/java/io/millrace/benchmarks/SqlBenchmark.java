package io.millrace.benchmarks;

import io.millrace.benchmarks.sql.DbSchedulerQueue;
import io.millrace.benchmarks.sql.GroupedQueue;
import io.millrace.benchmarks.sql.JobRunrQueue;
import io.millrace.benchmarks.sql.MillraceQueue;
import io.millrace.benchmarks.sql.RawQueue;
import io.millrace.benchmarks.sql.SqlQueue;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.OwnServer;
import io.millrace.testkit.servers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The engine over a database beside raw statements, db-scheduler and JobRunr, on one server with durable commits. */
final class SqlBenchmark implements Bench.Benchmark {
    private static final byte[] PAYLOAD = new byte[200];
    /** So many at once; the raw statements insert them by 1000. */
    private static final int BULK = 10_000;

    private static final int CALLERS = 64;
    private static final int NODES = 8;
    /** As many for everybody, so that every caller has one. */
    private static final int CONNECTIONS = CALLERS;

    private final DatabaseProduct product;

    SqlBenchmark(DatabaseProduct product) {
        this.product = product;
    }

    /** Opens a queue in a database that is empty. */
    private interface Opener {
        SqlQueue open(String url) throws Exception;
    }

    private record Peer(String name, String key, Opener opener) {}

    private Peer millrace() {
        return new Peer("Millrace", "millrace", url -> new MillraceQueue(url, CONNECTIONS, 2));
    }

    private Peer raw() {
        return new Peer("raw", "raw", url -> RawQueue.open(product, url, CONNECTIONS, 2));
    }

    /** The bound of what callers who wait can get: they are gathered and woken, and nothing else is done. */
    private Peer grouped() {
        return new Peer(
                "raw, group commit",
                "raw-group-commit",
                url -> new GroupedQueue(RawQueue.open(product, url, CONNECTIONS, 2)));
    }

    private Peer wide() {
        return new Peer("wide table", "wide", url -> RawQueue.openWide(url, CONNECTIONS, 2));
    }

    private Peer dbScheduler() {
        return new Peer("db-scheduler", "db-scheduler", url -> new DbSchedulerQueue(product, url, CONNECTIONS, 20));
    }

    private Peer jobRunr() {
        return new Peer("JobRunr", "jobrunr", url -> new JobRunrQueue(product, url, CONNECTIONS, 20));
    }

    private String key(String what, Peer peer) {
        return name() + "." + what + "." + peer.key;
    }

    private String name() {
        return product == DatabaseProduct.POSTGRES ? "postgres" : "mariadb";
    }

    @Override
    public String about() {
        return "the engine on " + name() + " beside raw statements, db-scheduler and JobRunr: enqueue one by one and in"
                + " bulk, drain, old snapshots, many finished tasks";
    }

    @Override
    public void run(Report report, boolean isLong) throws Exception {
        int rounds = isLong ? 7 : 3;
        report.setting(
                "settings",
                "payload " + PAYLOAD.length + " bytes, server with durable commits on the same machine, " + rounds
                        + " rounds in turns, median (least-most)");
        try (OwnServer server = product.startOwn()) {
            Comparison comparison = new Comparison(server, report, rounds);
            comparison.singles(raw(), "-", 60_000, 60_000);
            comparison.singles(grouped(), "-", 60_000, 60_000);
            comparison.fleet(raw(), 10_000);
            comparison.singles(dbScheduler(), ">=10", 60_000, 8_000);
            comparison.bound(grouped(), dbScheduler(), 60_000, 8_000);
            comparison.singles(jobRunr(), "-", 60_000, 8_000);
            comparison.warmUp(200_000);
            comparison.bulk(raw(), ">=0.65", 200_000, 200_000);
            comparison.bulk(dbScheduler(), ">=1.5", 200_000, 100_000);
            comparison.bulk(jobRunr(), "-", 200_000, 20_000);
            comparison.drain(raw(), ">=1", 200_000, 200_000);
            if (product == DatabaseProduct.MARIADB) {
                comparison.drain(wide(), ">=3", 200_000, 100_000);
            }
            comparison.drain(dbScheduler(), ">=10", 200_000, 20_000);
            comparison.drain(jobRunr(), "-", 200_000, 10_000);
            if (product == DatabaseProduct.POSTGRES) {
                comparison.heldHorizon(500_000);
            }
            new SqlRestart(report, name()).run(server, 2 * rounds - 1);
            new SqlSize(report, product, name()).run(server, isLong ? 10_000_000 : 1_000_000);
        }
    }

    private final class Comparison {
        private final OwnServer server;
        private final Report report;
        private final int rounds;
        private long deadRows;

        Comparison(OwnServer server, Report report, int rounds) {
            this.server = server;
            this.report = report;
            this.rounds = rounds;
        }

        void singles(Peer peer, String goal, int ours, int theirs) throws Exception {
            compare("enqueue, " + CALLERS + " callers", "enqueue", peer, goal, this::singles, ours, theirs);
        }

        /** What group commit alone reaches beside a peer. */
        void bound(Peer bound, Peer peer, int tasks, int theirs) throws Exception {
            compare(
                    "enqueue, " + CALLERS + " callers, " + bound.name + " | " + peer.name,
                    name() + ".enqueue." + bound.key + "." + peer.key,
                    "-",
                    () -> singles(bound, tasks),
                    () -> singles(peer, theirs));
        }

        /** Nodes that cannot gather calls into batches, since each has only one caller. */
        void fleet(Peer peer, int tasks) throws Exception {
            compare(
                    "enqueue, " + NODES + " nodes, one caller each | " + peer.name + ", " + NODES + " callers",
                    key("enqueue-by-nodes", peer),
                    "-",
                    () -> fleet(tasks),
                    () -> singles(peer, NODES, tasks));
        }

        void bulk(Peer peer, String goal, int ours, int theirs) throws Exception {
            compare("enqueue by " + BULK, "bulk", peer, goal, this::bulk, ours, theirs);
        }

        void drain(Peer peer, String goal, int ours, int theirs) throws Exception {
            compare("drain", "drain", peer, goal, this::drain, ours, theirs);
        }

        /** A node runs for weeks; its compiler needs more than the first few seconds. */
        void warmUp(int tasks) throws Exception {
            report.step("warming up");
            for (int i = 0; i < 5; i++) {
                drain(millrace(), tasks);
            }
        }

        private void compare(String what, String key, Peer peer, String goal, Measure measure, int ours, int theirs)
                throws Exception {
            compare(
                    what + " | " + peer.name,
                    key(key, peer),
                    goal,
                    () -> measure.rate(millrace(), ours),
                    () -> measure.rate(peer, theirs));
        }

        private void compare(String what, String key, String goal, Rounds.Round ours, Rounds.Round theirs)
                throws Exception {
            report.step(what);
            Rounds measured = Rounds.measure(2, rounds, ours, theirs);
            report.row(what, measured.ourRange("/s"), measured.theirRange("/s"));
            report.ratio(key, measured.ratio(), goal);
        }

        private double singles(Peer peer, int tasks) throws Exception {
            return singles(peer, CALLERS, tasks);
        }

        private double singles(Peer peer, int callers, int tasks) throws Exception {
            try (TestDatabase database = server.newDatabase();
                    SqlQueue queue = peer.opener.open(database.url())) {
                Callers.rate(callers, tasks / 4, () -> queue.enqueue(PAYLOAD));
                return Callers.rate(callers, tasks, () -> queue.enqueue(PAYLOAD));
            }
        }

        private double fleet(int tasks) throws Exception {
            List<SqlQueue> nodes = new ArrayList<>();
            try (TestDatabase database = server.newDatabase()) {
                try {
                    for (int i = 0; i < NODES; i++) {
                        nodes.add(new MillraceQueue(database.url(), 10, 2));
                    }
                    Queue<SqlQueue> idle = new ConcurrentLinkedQueue<>(nodes);
                    Callers.Call call = () -> {
                        SqlQueue node = idle.remove();
                        node.enqueue(PAYLOAD);
                        idle.add(node);
                    };
                    Callers.rate(NODES, tasks / 4, call);
                    return Callers.rate(NODES, tasks, call);
                } finally {
                    for (SqlQueue node : nodes) {
                        node.close();
                    }
                }
            }
        }

        private double bulk(Peer peer, int tasks) throws Exception {
            try (TestDatabase database = server.newDatabase();
                    SqlQueue queue = peer.opener.open(database.url())) {
                return fill(queue, tasks);
            }
        }

        /** Drains while another session keeps a snapshot, so that nothing that dies can be cleaned up, and without. */
        void heldHorizon(int tasks) throws Exception {
            report.step("drain with a snapshot held");
            Rounds measured =
                    Rounds.measure(1, rounds, () -> drainUnderSnapshot(tasks), () -> drain(millrace(), tasks));
            report.row(
                    "drain of " + tasks + ", a snapshot held | none",
                    measured.ourRange("/s"),
                    measured.theirRange("/s"));
            report.row("dead rows after it", String.format(Locale.ROOT, "%,d", deadRows), "");
            report.ratio(name() + ".drain.held-horizon", measured.ratio(), ">=0.85");
        }

        private double drainUnderSnapshot(int tasks) throws Exception {
            try (TestDatabase database = server.newDatabase();
                    SqlQueue queue = millrace().opener.open(database.url());
                    Connection other = database.connect();
                    Statement statement = other.createStatement()) {
                other.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                other.setAutoCommit(false);
                statement.execute("select count(*) from pg_class");
                fill(queue, tasks);
                double rate = tasks * 1e9 / queue.drain(tasks, payload -> {}).toNanos();
                deadRows = deadRows(database);
                return rate;
            }
        }

        private static long deadRows(TestDatabase database) throws SQLException {
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement();
                    ResultSet sum = statement.executeQuery("select sum(n_dead_tup) from pg_stat_user_tables")) {
                sum.next();
                return sum.getLong(1);
            }
        }

        private double drain(Peer peer, int tasks) throws Exception {
            try (TestDatabase database = server.newDatabase();
                    SqlQueue queue = peer.opener.open(database.url())) {
                fill(queue, tasks);
                return tasks * 1e9 / queue.drain(tasks, payload -> {}).toNanos();
            }
        }
    }

    private interface Measure {
        double rate(Peer peer, int tasks) throws Exception;
    }

    private static double fill(SqlQueue queue, int tasks) throws Exception {
        List<byte[]> batch = Collections.nCopies(BULK, PAYLOAD);
        return BULK * Callers.rate(1, tasks / BULK, () -> queue.enqueueAll(batch));
    }
}
