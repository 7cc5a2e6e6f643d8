package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node is asked to do something with tasks in lanes that others have made, and of which it has never heard. */
class OtherNodesLanesTest {
    private static void enqueue(TaskStore store, NewTask task) {
        store.enqueue(List.of(new EnqueueRequest(List.of(task), Map.of())));
    }

    @ParameterizedTest
    @EnumSource
    void changes_a_task_that_would_be_ready_there(DatabaseProduct product) {
        try (TestDatabase database = product.newDatabase();
                TaskStore one = SqlProvider.openBy(null, database.url());
                TaskStore other = SqlProvider.openBy(null, database.url())) {
            enqueue(other, NewTask.builder("topic").build());
            NewTask later = NewTask.builder("topic")
                    .priority(7)
                    .delay(Duration.ofHours(1))
                    .build();
            enqueue(one, later);

            Change cancel = new Change.Cancel(Map.of());
            assertThat(other.change(new Selection.Ids(List.of(later.id())), cancel, 10)
                            .items())
                    .singleElement()
                    .satisfies(item -> assertThat(item.status()).isEqualTo(ChangeResult.Status.CHANGED));
            assertThat(one.get(List.of(later.id())))
                    .singleElement()
                    .satisfies(task -> assertThat(task.state()).isEqualTo(TaskState.CANCELLED));
        }
    }

    @ParameterizedTest
    @EnumSource
    void ends_a_task_that_was_claimed_there(DatabaseProduct product) {
        try (TestDatabase database = product.newDatabase();
                TaskStore one = SqlProvider.openBy(null, database.url());
                TaskStore other = SqlProvider.openBy(null, database.url())) {
            UUID worker = one.workers().register(Introduction.ANONYMOUS, Duration.ofDays(1));
            enqueue(one, NewTask.builder("topic").priority(7).build());
            FromTopic from = new FromTopic("topic", 1, TopicPolicy.DEFAULT);
            LeasedTask leased = one.claim(List.of(new ClaimRequest(worker, List.of(from), 1)))
                    .get(0)
                    .tasks()
                    .get(0);

            Next end = Next.Finish.as(TaskState.SUCCEEDED, Duration.ofDays(1));
            assertThat(other.complete(List.of(new Completion(leased.lease(), Outcome.SUCCEEDED, null, end, end))))
                    .singleElement()
                    .satisfies(result -> assertThat(result.status()).isEqualTo(CompletionResult.Status.APPLIED));
        }
    }
}
