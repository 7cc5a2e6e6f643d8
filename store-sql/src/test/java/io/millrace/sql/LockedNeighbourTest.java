package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.NewTask;
import io.millrace.TaskState;
import io.millrace.spi.Change;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is to be done to many rows of a small table waits for no other row of it. */
class LockedNeighbourTest {
    @ParameterizedTest
    @EnumSource
    void tasks_are_changed_while_others_hold_one_beside_them(DatabaseProduct product) throws Exception {
        try (TestDatabase database = product.newDatabase();
                TaskStore store = SqlProvider.openBy(null, database.url());
                Connection other = database.connect();
                Statement statement = other.createStatement()) {
            List<NewTask> tasks = Stream.generate(() ->
                            NewTask.builder("t").delay(Duration.ofHours(1)).build())
                    .limit(200)
                    .toList();
            store.enqueue(List.of(new EnqueueRequest(tasks, Map.of())));
            other.setAutoCommit(false);
            statement.execute("select num from millrace_aside order by num desc limit 1 for update");

            List<UUID> changed = tasks.subList(0, 40).stream().map(NewTask::id).toList();
            assertThat(CompletableFuture.runAsync(() -> {
                        store.change(new Selection.Ids(changed), new Change.Cancel(Map.of()), 40);
                        store.change(new Selection.Ids(changed), new Change.Delete(), 40);
                    }))
                    .succeedsWithin(Duration.ofSeconds(20));
            other.rollback();
            assertThat(store.get(tasks.stream().map(NewTask::id).toList()))
                    .hasSize(160)
                    .allSatisfy(task -> assertThat(task.state()).isEqualTo(TaskState.SCHEDULED));
        }
    }
}
