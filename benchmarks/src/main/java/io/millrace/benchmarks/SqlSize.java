package io.millrace.benchmarks;

import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.benchmarks.sql.MillraceQueue;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.sql.SqlProvider;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.OwnServer;
import io.millrace.testkit.servers.TestDatabase;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What calls take with very many finished tasks in the tables, beside few. */
final class SqlSize {
    private static final int FEW = 10_000;
    private static final int CALLS = 200;
    private static final int CLAIM = 100;

    private final Report report;
    private final DatabaseProduct product;
    private final String name;

    SqlSize(Report report, DatabaseProduct product, String name) {
        this.report = report;
        this.product = product;
        this.name = name;
    }

    void run(OwnServer server, int many) throws Exception {
        report.step(many + " finished tasks");
        try (TestDatabase large = server.newDatabase();
                TestDatabase small = server.newDatabase()) {
            finish(large, many);
            finish(small, FEW);
            try (Node ours = new Node(large);
                    Node theirs = new Node(small)) {
                compare("enqueue", many, ours::enqueue, theirs::enqueue);
                compare("claim", many, ours::claim, theirs::claim);
                compare("count", many, ours::count, theirs::count);
                compare("list", many, ours::list, theirs::list);
            }
        }
    }

    private static void finish(TestDatabase database, int tasks) throws Exception {
        try (MillraceQueue queue = new MillraceQueue(database.url(), 10, 2)) {
            List<byte[]> batch = Collections.nCopies(10_000, new byte[200]);
            for (int i = 0; i < tasks; i += batch.size()) {
                queue.enqueueAll(batch);
            }
            var unused = queue.drain(tasks, payload -> {});
        }
    }

    private void compare(String what, int many, Callers.Call ours, Callers.Call theirs) throws Exception {
        Rounds measured = Rounds.measure(CALLS / 4, CALLS, () -> micros(ours), () -> micros(theirs));
        report.row(
                String.format("%s with %,d finished | %,d", what, many, FEW),
                measured.ourRange("us"),
                measured.theirRange("us"));
        report.ratio(name + ".finished." + what, measured.ours() / measured.theirs(), "<=2");
    }

    private static double micros(Callers.Call call) throws Exception {
        long start = System.nanoTime();
        call.make();
        return (System.nanoTime() - start) / 1e3;
    }

    private final class Node implements AutoCloseable {
        private final TaskStore store;
        private final UUID worker;

        Node(TestDatabase database) {
            store = new SqlProvider().open(database.url(), MillraceOptions.DEFAULT.clock());
            worker = store.workers().register(Introduction.ANONYMOUS, Duration.ofHours(1));
            // enough to claim
            NewTask[] ready = new NewTask[CLAIM];
            for (int i = 0; i < 2 * CALLS; i++) {
                for (int j = 0; j < ready.length; j++) {
                    ready[j] = task("claimed");
                }
                enqueue(ready);
            }
        }

        private static NewTask task(String topic) {
            return NewTask.builder(topic).payload(Payload.bytes(new byte[200])).build();
        }

        private void enqueue(NewTask... tasks) {
            var unused = store.enqueue(List.of(new EnqueueRequest(List.of(tasks), Map.of())));
        }

        void enqueue() {
            enqueue(task("bench"));
        }

        void claim() {
            FromTopic from = new FromTopic("claimed", CLAIM, TopicPolicy.DEFAULT);
            int leased = store.claim(List.of(new ClaimRequest(worker, List.of(from), CLAIM)))
                    .get(0)
                    .tasks()
                    .size();
            if (leased != CLAIM) {
                throw new IllegalStateException(product + " had only " + leased + " tasks to claim");
            }
        }

        void count() {
            if (store.count(TaskQuery.ALL).isEmpty()) {
                throw new IllegalStateException("nothing was counted");
            }
        }

        void list() {
            TaskQuery query = TaskQuery.ALL.topic("bench").state(TaskState.SUCCEEDED);
            if (store.list(query, null, 100).items().size() != 100) {
                throw new IllegalStateException("the page is not full");
            }
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
