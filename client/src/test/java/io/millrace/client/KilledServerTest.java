package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.Attempt;
import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A server is killed under the load of many clients, at any moment, and started again on its data. Three times, or with
 * {@code -Dmillrace.long=true} twenty times.
 */
@Isolated("its load would starve the others, whose workers would be taken for dead")
@Tag("slow")
class KilledServerTest {
    private static final int KILLS = Boolean.getBoolean("millrace.long") ? 20 : 3;
    private static final int CLIENTS = 8;
    private static final int PRODUCERS = 2 * CLIENTS;
    private static final int AHEAD = 20;
    /** So many tasks of each client are done between two kills. */
    private static final int BETWEEN_KILLS = 20;

    private final Random chance = new Random();
    private final List<Millrace> clients = new ArrayList<>();
    private final ExecutorService producers = Executors.newFixedThreadPool(PRODUCERS);
    /** Those that the server has said to be done. */
    private final Set<UUID> done = ConcurrentHashMap.newKeySet();

    /** How many there are, by client. */
    private final AtomicIntegerArray doneBy = new AtomicIntegerArray(CLIENTS);

    private final Queue<UUID> ranAgain = new ConcurrentLinkedQueue<>();
    private volatile boolean over;

    @Test
    void nothing_acknowledged_is_lost_and_nothing_done_runs_again(@TempDir Path directory) throws Exception {
        try (ServedProcess server = new ServedProcess("embedded:" + directory.resolve("data"))) {
            try {
                List<Future<List<UUID>>> produced = work(server.url());
                for (int kill = 0; kill < KILLS; kill++) {
                    awaitMoreDone();
                    // the moment of the kill is chance on purpose; nothing waits for it
                    server.killAndStart(chance.nextInt(300));
                }
                awaitMoreDone();
                over = true;
                check(produced);
            } finally {
                over = true;
                clients.forEach(Millrace::closeNow);
                producers.shutdownNow();
            }
        }
    }

    private List<Future<List<UUID>>> work(String url) {
        for (int i = 0; i < CLIENTS; i++) {
            Millrace client =
                    Millrace.open(url, MillraceOptions.builder().workers(2).build());
            clients.add(client);
            client.handle("t", (payload, context) -> started(context.task().id()));
        }
        List<Future<List<UUID>>> produced = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++) {
            int client = i % CLIENTS;
            produced.add(producers.submit(() -> produce(client)));
        }
        return produced;
    }

    private void started(UUID id) {
        if (done.contains(id)) {
            ranAgain.add(id);
        }
    }

    /** Stays a little ahead of the handlers. @return what was acknowledged */
    private List<UUID> produce(int number) throws Exception {
        Millrace client = clients.get(number);
        List<UUID> acknowledged = new ArrayList<>();
        Queue<CompletableFuture<Task>> ends = new ArrayDeque<>();
        while (!over || !ends.isEmpty()) {
            if (!over) {
                UUID id = client.enqueue(NewTask.builder("t").build()).id();
                acknowledged.add(id);
                ends.add(client.finished(id).thenApply(task -> finished(task, number)));
            }
            if (over || ends.size() > AHEAD) {
                assertThat(ends.remove().get(2, TimeUnit.MINUTES).state()).isEqualTo(TaskState.SUCCEEDED);
            }
        }
        return acknowledged;
    }

    private Task finished(Task task, int client) {
        done.add(task.id());
        doneBy.incrementAndGet(client);
        return task;
    }

    /** All clients have come back by themselves: each gets something done. */
    private void awaitMoreDone() {
        for (int i = 0; i < CLIENTS; i++) {
            int client = i;
            int wanted = doneBy.get(client) + BETWEEN_KILLS;
            await().atMost(2, TimeUnit.MINUTES).until(() -> doneBy.get(client) >= wanted);
        }
    }

    private void check(List<Future<List<UUID>>> produced) throws Exception {
        List<UUID> acknowledged = new ArrayList<>();
        for (Future<List<UUID>> each : produced) {
            acknowledged.addAll(each.get(3, TimeUnit.MINUTES));
        }
        List<Task> there = clients.get(0).stream(TaskQuery.ALL).toList();
        assertThat(there).extracting(Task::id).containsExactlyInAnyOrderElementsOf(acknowledged);
        assertThat(there).allSatisfy(task -> {
            assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
            assertThat(task.attempts()).extracting(Attempt::outcome).containsOnlyOnce(Outcome.SUCCEEDED);
        });
        assertThat(ranAgain).as("handlers that began after their task was done").isEmpty();
    }
}
