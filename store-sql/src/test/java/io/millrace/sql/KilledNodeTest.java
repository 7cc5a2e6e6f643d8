package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.Millrace;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.Worker;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Three processes work on one database; again and again one of them is killed under load, and another takes its place. */
@Tag("slow")
class KilledNodeTest {
    private static final Logger log = LoggerFactory.getLogger(KilledNodeTest.class);
    private static final int KILLS = Boolean.getBoolean("millrace.long") ? 50 : 3;
    private static final int NODES = 3;
    /** What a slow machine may need beyond the time after which a node counts as dead. */
    private static final Duration SLACK = Duration.ofSeconds(10);

    private final Random random = new Random();
    private final Set<UUID> enqueued = ConcurrentHashMap.newKeySet();
    private final Map<UUID, Queue<Long>> starts = new ConcurrentHashMap<>();
    private final Map<UUID, Queue<Long>> completions = new ConcurrentHashMap<>();
    private final AtomicInteger lines = new AtomicInteger();
    private final List<RunningNode> nodes = new ArrayList<>();
    private Duration longest = Duration.ZERO;
    private int orphans;

    @ParameterizedTest
    @EnumSource
    void what_a_killed_node_acknowledged_is_kept_and_what_it_held_runs_elsewhere(DatabaseProduct product)
            throws Exception {
        try (TestDatabase database = product.newDatabase();
                Millrace observer =
                        Millrace.open(database.url(), NodeProcess.options().build())) {
            try {
                for (int i = 0; i < NODES; i++) {
                    start(database, "node " + i);
                }
                for (int kill = 1; kill <= KILLS; kill++) {
                    awaitLines(200 + random.nextInt(800));
                    RunningNode victim = nodes.remove(random.nextInt(NODES));
                    victim.kill();
                    awaitTakenOver(observer, victim);
                    start(database, victim.name() + "'");
                }
                awaitLines(500);
            } finally {
                for (RunningNode node : nodes) {
                    node.close();
                }
            }
            observer.handle(
                    "load", (payload, context) -> note('S', context.task().id(), System.nanoTime()));
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> observer.count(TaskQuery.ALL.pending()).isEmpty());
            log.info(
                    "{}: {} tasks, {} kills, {} tasks held by the killed, the last of them let go after {}",
                    product,
                    enqueued.size(),
                    KILLS,
                    orphans,
                    longest);

            checkTasks(observer);
        }
    }

    private void start(TestDatabase database, String name) {
        nodes.add(new RunningNode(database.url(), name, this::note));
    }

    private void awaitLines(int more) {
        int before = lines.get();
        await().atMost(Duration.ofSeconds(60)).until(() -> lines.get() > before + more);
    }

    /** What a dead node held is somebody else's as soon as the node counts as dead. */
    private void awaitTakenOver(Millrace observer, RunningNode dead) {
        long start = System.nanoTime();
        for (Worker worker : observer.workers().list()) {
            if (dead.name().equals(worker.name())) {
                TaskQuery held = TaskQuery.ALL.heldBy(worker.id());
                orphans += observer.list(held, null, 1_000).items().size();
                await().pollInterval(Duration.ofMillis(50))
                        .atMost(NodeProcess.EXPIRY.plus(SLACK))
                        .until(() -> observer.list(held, null, 1).items().isEmpty());
                Duration taken = Duration.ofNanos(System.nanoTime() - start);
                longest = taken.compareTo(longest) > 0 ? taken : longest;
            }
        }
    }

    private void checkTasks(Millrace observer) {
        assertThat(enqueued).isNotEmpty();
        List<UUID> notDone = enqueued.stream()
                .filter(id -> observer.find(id).map(Task::state).orElse(null) != TaskState.SUCCEEDED)
                .toList();
        assertThat(notDone).as("acknowledged, and not done").isEmpty();
        assertThat(completions).isNotEmpty().allSatisfy((id, times) -> {
            assertThat(times).as("completions of %s", id).hasSize(1);
            assertThat(starts.get(id)).as("starts of %s", id).allMatch(start -> start <= times.element());
        });
    }

    private void note(String line) {
        String[] parts = line.split(" ", -1);
        if (parts.length == 3) {
            note(line.charAt(0), UUID.fromString(parts[1]), Long.parseLong(parts[2]));
        }
    }

    private void note(char what, UUID id, long nanos) {
        lines.incrementAndGet();
        switch (what) {
            case 'E' -> enqueued.add(id);
            case 'S' ->
                starts.computeIfAbsent(id, any -> new ConcurrentLinkedQueue<>()).add(nanos);
            case 'C' ->
                completions
                        .computeIfAbsent(id, any -> new ConcurrentLinkedQueue<>())
                        .add(nanos);
            default -> throw new IllegalArgumentException("line " + what);
        }
    }
}
