package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.spi.TaskStore;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import io.millrace.testkit.store.StoreInvariants;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Several nodes do everything at once that a store can do. */
@Tag("slow")
class ConcurrentStoresTest {
    private static final Logger log = LoggerFactory.getLogger(ConcurrentStoresTest.class);
    private static final int STEPS = Boolean.getBoolean("millrace.long") ? 5_000 : 50;
    private static final int PATIENCE = Boolean.getBoolean("millrace.long") ? 1_000 : 60;

    private final Ledger ledger = new Ledger();
    private final MixedLoad load = new MixedLoad(ledger);
    private final List<Future<?>> busy = new ArrayList<>();
    private final List<Future<?>> others = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger seeds = new AtomicInteger();
    private volatile boolean over;

    private interface Step {
        void run(Random chance);
    }

    @ParameterizedTest
    @EnumSource
    void no_task_is_lost_or_done_twice_and_the_counts_are_right(DatabaseProduct product) throws Exception {
        try (TestDatabase database = product.newDatabase();
                Nodes nodes = new Nodes(database, 3)) {
            for (int i = 0; i < 2; i++) {
                TaskStore store = nodes.store(i);
                start(busy, STEPS, chance -> load.produce(store, chance));
                start(busy, STEPS, chance -> load.operate(store, chance));
            }
            for (int i = 0; i < 4; i++) {
                startWorker(nodes.store(i));
            }
            startOthers(nodes);
            for (Future<?> each : busy) {
                each.get(PATIENCE, TimeUnit.SECONDS);
            }
            over = true;
            for (Future<?> each : others) {
                each.get(PATIENCE, TimeUnit.SECONDS);
            }
            drainAndCheck(nodes);
            log.warn("{}: {} tasks, {} transactions tried again", product, ledger.size(), nodes.conflicts());
        } finally {
            threads.shutdownNow();
        }
    }

    private void startOthers(Nodes nodes) {
        UUID reaper = load.register(nodes.store(0));
        UUID another = load.register(nodes.store(1));
        start(others, Integer.MAX_VALUE, chance -> load.reap(nodes.store(0), reaper));
        start(others, Integer.MAX_VALUE, chance -> load.reap(nodes.store(1), another));
        start(others, Integer.MAX_VALUE, chance -> load.tell(nodes.store(2), chance));
        start(others, Integer.MAX_VALUE, chance -> load.look(nodes.store(2), chance));
    }

    /** A worker leaves now and then, with what it has forgotten, and another comes. */
    private void startWorker(TaskStore store) {
        UUID[] worker = {load.register(store)};
        start(others, Integer.MAX_VALUE, chance -> {
            var unused = load.work(store, worker[0], chance);
            if (chance.nextInt(15) == 0) {
                assertThat(store.workers().leave(worker[0])).isTrue();
                worker[0] = load.register(store);
            }
        });
    }

    private void start(List<Future<?>> among, int steps, Step step) {
        Random chance = new Random(seeds.incrementAndGet());
        among.add(threads.submit(() -> {
            try {
                for (int i = 0; i < steps && !over; i++) {
                    step.run(chance);
                }
            } catch (Throwable e) {
                over = true;
                throw e;
            }
        }));
    }

    private void drainAndCheck(Nodes nodes) {
        TaskStore store = nodes.store(0);
        UUID last = load.register(store);
        nodes.store(0).workers().list().stream()
                .filter(worker -> !worker.id().equals(last))
                .forEach(worker -> store.workers().leave(worker.id()));
        try {
            await().atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> load.drain(store, last));
        } finally {
            ledger.check(nodes.store(1));
        }
        assertThat(StoreInvariants.checkShared(nodes.store(2))).isNotEmpty();
    }
}
