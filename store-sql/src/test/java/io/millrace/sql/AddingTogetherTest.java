package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.NewTask;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On PostgreSQL nodes that add tasks to the same lane do not wait for each other's commits, and a claim waits for all. */
class AddingTogetherTest {
    private static final NewTask SLOW = NewTask.builder("t").build();
    private static final NewTask QUICK = NewTask.builder("t").build();

    private TestDatabase database;
    private TaskStore store;
    /** Another one, of which a transaction is held. */
    private Database node;

    private Lanes lanes;
    private Pause pause;

    @BeforeEach
    void open() {
        database = DatabaseProduct.POSTGRES.newDatabase();
        store = SqlProvider.openBy(null, database.url());
        node = SqlProvider.connect(SqlUrl.parse(database.url()));
        lanes = new Lanes(node);
        lanes.prepare(Enqueuing.priorities(List.of(SLOW)));
        pause = new Pause();
    }

    @AfterEach
    void close() {
        pause.close();
        node.close();
        store.close();
        database.close();
    }

    @Test
    void a_node_adds_while_another_does_and_a_claim_overtakes_neither() throws Exception {
        CompletableFuture<Boolean> slow = CompletableFuture.supplyAsync(() -> node.change(tx -> {
            add(tx);
            pause.here();
            return true;
        }));
        pause.awaitReached(slow);

        CompletableFuture.runAsync(() -> store.enqueue(List.of(new EnqueueRequest(List.of(QUICK), Map.of()))))
                .get(4, TimeUnit.SECONDS);
        CompletableFuture<List<ClaimResult>> claimed = CompletableFuture.supplyAsync(() -> claim());
        await().atMost(Duration.ofSeconds(4)).until(() -> claimed.isDone() || somebodyWaitsForALock());
        pause.close();

        assertThat(claimed.get(30, TimeUnit.SECONDS).get(0).tasks())
                .extracting(leased -> leased.task().id())
                .containsExactly(SLOW.id(), QUICK.id());
    }

    @ParameterizedTest
    @ValueSource(strings = {"t", "u"})
    void what_waited_for_a_lane_comes_behind_what_was_added_meanwhile(String topicOfNeighbour) throws Exception {
        CompletableFuture<Boolean> slow = CompletableFuture.supplyAsync(() -> node.change(tx -> {
            tx.lockLanes(Set.of(lanes.get("t", SLOW.priority()).id()));
            tx.send();
            pause.here();
            add(tx);
            return true;
        }));
        pause.awaitReached(slow);

        // of another topic, it makes it a statement over several lanes
        NewTask neighbour = NewTask.builder(topicOfNeighbour).build();
        CompletableFuture<?> quick = CompletableFuture.runAsync(
                () -> store.enqueue(List.of(new EnqueueRequest(List.of(QUICK, neighbour), Map.of()))));
        await().atMost(Duration.ofSeconds(4)).until(() -> quick.isDone() || somebodyWaitsForALock());
        pause.close();
        quick.get(30, TimeUnit.SECONDS);

        assertThat(claim().get(0).tasks())
                .extracting(leased -> leased.task().id())
                .startsWith(SLOW.id(), QUICK.id());
    }

    private void add(Tx tx) throws SQLException {
        Lane lane = lanes.get("t", SLOW.priority());
        Tallies tallies = new Tallies();
        tallies.add(lane.topicId(), TaskState.READY, 1);
        Tx.Answer<?> added = tx.insertUnlessDue(
                List.<Object[]>of(TaskReader.values(0, lane.id(), 0, null, SLOW)),
                tallies.rows(),
                Set.of(lane.id()),
                0);
        tx.send();
        assertThat(added.changed()).isEqualTo(1);
    }

    private List<ClaimResult> claim() {
        UUID worker = store.workers().register(new Introduction("worker", "here", Set.of("t")), Duration.ofMinutes(1));
        FromTopic from = new FromTopic("t", 10, TopicPolicy.DEFAULT);
        return store.claim(List.of(new ClaimRequest(worker, List.of(from), 10)));
    }

    private boolean somebodyWaitsForALock() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet waiting = statement.executeQuery("select 1 from pg_locks where not granted and database ="
                        + " (select oid from pg_database where datname = current_database())")) {
            return waiting.next();
        }
    }
}
