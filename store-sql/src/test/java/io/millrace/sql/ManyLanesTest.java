package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.NewTask;
import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tasks are found lane by lane, and there are more lanes than one statement asks for. */
class ManyLanesTest {
    private static final int TOPICS = Union.PARTS / 2 + 20;
    /** Each has a lane and a parking lane. */
    private static final int MANY_TOPICS = 300;

    @ParameterizedTest
    @EnumSource
    void all_tasks_are_listed_in_the_order_of_their_creation_and_changed(DatabaseProduct product) {
        try (TestDatabase database = product.newDatabase();
                TaskStore store = SqlProvider.openBy(null, database.url())) {
            List<NewTask> tasks = new ArrayList<>();
            for (int i = 0; i < TOPICS; i++) {
                // one in the topic's queue, and one that is parked
                tasks.add(NewTask.builder("topic-" + i).build());
                tasks.add(
                        NewTask.builder("topic-" + i).delay(Duration.ofHours(1)).build());
            }
            store.enqueue(List.of(new EnqueueRequest(tasks, Map.of())));
            List<UUID> ids = tasks.stream().map(NewTask::id).toList();

            assertThat(list(store)).extracting(Task::id).containsExactlyElementsOf(ids);
            assertThat(store.get(ids)).extracting(Task::id).containsExactlyElementsOf(ids);

            ChangeResult cancelled =
                    store.change(new Selection.Matching(TaskQuery.ALL, null), new Change.Cancel(Map.of()), 1_000);
            assertThat(cancelled.items())
                    .extracting(ChangeResult.Item::status)
                    .hasSize(tasks.size())
                    .containsOnly(ChangeResult.Status.CHANGED);
            assertThat(list(store))
                    .allSatisfy(task -> assertThat(task.state()).isEqualTo(TaskState.CANCELLED))
                    .extracting(Task::id)
                    .containsExactlyElementsOf(ids);
        }
    }

    @ParameterizedTest
    @EnumSource
    void where_lanes_are_very_many_all_tasks_are_looked_at(DatabaseProduct product) {
        try (TestDatabase database = product.newDatabase();
                TaskStore store = SqlProvider.openBy(null, database.url())) {
            List<NewTask> tasks = new ArrayList<>();
            for (int i = 0; i < MANY_TOPICS; i++) {
                tasks.add(NewTask.builder("topic-" + i).build());
            }
            tasks.add(NewTask.builder("topic-7").delay(Duration.ofHours(1)).build());
            tasks.add(NewTask.builder("topic-8").build());
            store.enqueue(List.of(new EnqueueRequest(tasks, Map.of())));
            List<UUID> ids = tasks.stream().map(NewTask::id).toList();
            List<String> topics = tasks.stream().map(NewTask::topic).distinct().toList();

            assertThat(list(store)).extracting(Task::id).containsExactlyElementsOf(ids);
            assertThat(list(store, TaskQuery.ALL.state(TaskState.SCHEDULED)))
                    .extracting(Task::id)
                    .containsExactly(ids.get(MANY_TOPICS));
            assertThat(store.oldestReady(topics)).hasSize(MANY_TOPICS);
            assertThat(store.count(TaskQuery.ALL)).hasSize(MANY_TOPICS + 1);
            assertThat(store.count(TaskQuery.ALL.topic("topic-8")))
                    .containsExactly(new TaskCount("topic-8", TaskState.READY, 2));
        }
    }

    private static List<Task> list(TaskStore store) {
        return list(store, TaskQuery.ALL);
    }

    private static List<Task> list(TaskStore store, TaskQuery query) {
        List<Task> all = new ArrayList<>();
        String cursor = null;
        do {
            Page<Task> page = store.list(query, cursor, 50);
            all.addAll(page.items());
            cursor = page.next();
        } while (cursor != null);
        return all;
    }
}
