package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.NewTask;
import io.millrace.StoreUnavailableException;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
class PausedNodeTest {
    private static void enqueue(TaskStore store) {
        store.enqueue(List.of(new EnqueueRequest(List.of(NewTask.builder("t").build()), Map.of())));
    }

    @ParameterizedTest
    @EnumSource
    void others_go_on_when_a_node_stops_in_the_middle_of_a_transaction(DatabaseProduct product) throws Exception {
        try (TestDatabase database = product.newDatabase();
                TaskStore store = SqlProvider.openBy(null, database.url());
                Database node = SqlProvider.connect(SqlUrl.parse(database.url()));
                Pause pause = new Pause()) {
            enqueue(store);
            CompletableFuture<Integer> late = CompletableFuture.supplyAsync(() -> node.change(tx -> {
                tx.lockLanes(tx.query("select id from {p}lane", Row::smallNumber));
                tx.send();
                pause.here();
                return tx.update("delete from {p}task");
            }));
            pause.awaitReached(late);
            long start = System.nanoTime();
            enqueue(store);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Dialect.LONGEST_PAUSE.multipliedBy(2));
            pause.close();
            assertThatThrownBy(late::join).hasCauseInstanceOf(StoreUnavailableException.class);
            assertThat(store.count(TaskQuery.ALL)).containsExactly(new TaskCount("t", TaskState.READY, 2));
        }
    }
}
