package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Attempt;
import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.Completion;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.testkit.SettableClock;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows of attempts that are not kept any more go away, several at a time. */
class StoredAttemptsTest {
    private static final int KEPT_BEFORE = 1_000;

    private final SettableClock clock = new SettableClock();
    private final NewTask task = NewTask.builder("topic").build();

    private UUID worker(TaskStore store) {
        store.enqueue(List.of(EnqueueRequest.of(task)));
        return store.workers().register(Introduction.ANONYMOUS, Duration.ofDays(1));
    }

    private static LeasedTask claim(TaskStore store, UUID worker) {
        FromTopic from = new FromTopic("topic", 1, TopicPolicy.DEFAULT);
        return store.claim(List.of(new ClaimRequest(worker, List.of(from), 1)))
                .get(0)
                .tasks()
                .get(0);
    }

    private static void fail(TaskStore store, UUID worker, String error) {
        Next again = new Next.Requeue(Duration.ZERO, Next.Reason.RETRY);
        store.complete(List.of(new Completion(claim(store, worker).lease(), Outcome.FAILED, error, again, again)));
    }

    private static int rows(TestDatabase database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("select count(*) from millrace_attempt")) {
            assertThat(count.next()).isTrue();
            return count.getInt(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void rows_are_bounded_by_the_length_of_errors(DatabaseProduct product) throws Exception {
        try (TestDatabase database = product.newDatabase();
                TaskStore store = SqlProvider.openBy(clock, database.url())) {
            UUID worker = worker(store);
            int fit = Task.ERRORS_KEPT / Limits.ERROR_LENGTH;
            int most = 0;
            for (int i = 0; i < 5 * fit; i++) {
                fail(store, worker, "x".repeat(Limits.ERROR_LENGTH));
                most = Math.max(most, rows(database));
            }
            assertThat(most).isBetween(fit + 1, 2 * fit);
        }
    }

    @ParameterizedTest
    @EnumSource
    void longer_histories_of_earlier_versions_are_cut_when_read_and_removed_with_the_next_claim(DatabaseProduct product)
            throws Exception {
        try (TestDatabase database = product.newDatabase();
                TaskStore store = SqlProvider.openBy(clock, database.url())) {
            UUID worker = worker(store);
            fail(store, worker, "first");
            addAttempts(database);

            Task read = store.get(List.of(task.id())).get(0);
            assertThat(read.attempts()).hasSize(Task.ATTEMPTS_KEPT);
            assertThat(read.attempts().get(Task.ATTEMPTS_KEPT - 1).number()).isEqualTo(KEPT_BEFORE);
            assertThat(read.attemptsDropped()).isEqualTo(KEPT_BEFORE - Task.ATTEMPTS_KEPT);

            LeasedTask leased = claim(store, worker);
            assertThat(leased.task().attempts()).isEqualTo(read.attempts());
            assertThat(rows(database)).isEqualTo(Task.ATTEMPTS_KEPT);
            Next end = Next.Finish.as(TaskState.FAILED, Duration.ofDays(1));
            store.complete(List.of(new Completion(leased.lease(), Outcome.FAILED, "last", end, end)));
            List<Attempt> all = store.get(List.of(task.id())).get(0).attempts();
            assertThat(all).hasSize(Task.ATTEMPTS_KEPT);
            assertThat(all.get(Task.ATTEMPTS_KEPT - 1).error()).isEqualTo("last");
        }
    }

    /** As they were kept before. */
    private static void addAttempts(TestDatabase database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                PreparedStatement add =
                        connection.prepareStatement("insert into millrace_attempt (num, number, runner, since,"
                                + " ended, outcome, error) select num, ?, runner, since, ended, outcome, 'e' from millrace_attempt"
                                + " where number = 1")) {
            connection.setAutoCommit(false);
            for (int number = 2; number <= KEPT_BEFORE; number++) {
                add.setInt(1, number);
                add.executeUpdate();
            }
            statement.executeUpdate("update millrace_aside set attempts = " + KEPT_BEFORE);
            connection.commit();
        }
    }
}
