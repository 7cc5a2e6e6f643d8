package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.Enqueued;
import io.millrace.InvalidValueException;
import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.StoreUnavailableException;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicFullException;
import io.millrace.TopicPolicy;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EnqueueInTransactionTest {
    /** So that nothing is found by the regular scan. */
    private static final MillraceOptions OPTIONS =
            MillraceOptions.builder().workers(2).scanEvery(Duration.ofHours(1)).build();

    private static Connection begin(TestDatabase database) throws SQLException {
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        return connection;
    }

    private static TaskState ended(Millrace millrace, UUID id) throws Exception {
        return millrace.finished(id).get(20, TimeUnit.SECONDS).state();
    }

    @ParameterizedTest
    @EnumSource
    void a_task_runs_after_the_commit_and_not_before(DatabaseProduct product) throws Exception {
        try (TestDatabase database = product.newDatabase();
                Millrace millrace = Millrace.open(database.url(), OPTIONS);
                Connection transaction = begin(database);
                Statement statement = transaction.createStatement()) {
            statement.execute("create table orders (id int)");
            millrace.handle("t", (payload, context) -> {});
            statement.execute("insert into orders values (1)");
            Enqueued enqueued =
                    millrace.enqueueIn(transaction, NewTask.builder("t").build());
            assertThat(enqueued.duplicate()).isFalse();
            assertThat(millrace.find(enqueued.id())).isEmpty();
            // nobody waits for the transaction, in the same topic neither
            NewTask other = NewTask.builder("t").build();
            millrace.enqueue(other);
            assertThat(ended(millrace, other.id())).isEqualTo(TaskState.SUCCEEDED);
            transaction.commit();
            assertThat(ended(millrace, enqueued.id())).isEqualTo(TaskState.SUCCEEDED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void others_are_changed_meanwhile(DatabaseProduct product) throws Exception {
        try (TestDatabase database = product.newDatabase();
                Millrace millrace = Millrace.open(database.url(), OPTIONS);
                Connection transaction = begin(database)) {
            NewTask before = NewTask.builder("t").build();
            NewTask after = NewTask.builder("t").build();
            millrace.enqueue(before);
            millrace.enqueueIn(transaction, NewTask.builder("t").build());
            millrace.enqueue(after);

            CompletableFuture<Void> changed = CompletableFuture.runAsync(() -> {
                millrace.cancel(before.id());
                millrace.cancel(after.id());
                millrace.enqueue(NewTask.builder("t").build());
            });
            assertThat(changed).succeedsWithin(Duration.ofSeconds(20));
            transaction.commit();
            assertThat(millrace.count(TaskQuery.ALL.state(TaskState.READY)))
                    .singleElement()
                    .matches(count -> count.count() == 2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_task_that_is_rolled_back_never_was(DatabaseProduct product) throws Exception {
        try (TestDatabase database = product.newDatabase();
                Millrace millrace = Millrace.open(database.url(), OPTIONS);
                Connection transaction = begin(database)) {
            NewTask task = NewTask.builder("t").build();
            millrace.enqueueIn(
                    transaction,
                    List.of(
                            task,
                            NewTask.builder("t").delay(Duration.ofHours(1)).build()));
            transaction.rollback();
            assertThat(millrace.count(TaskQuery.ALL)).isEmpty();
            assertThat(millrace.enqueueIn(transaction, task).duplicate()).isFalse();
            assertThat(millrace.enqueueIn(transaction, task).duplicate()).isTrue();
            transaction.commit();
            assertThat(millrace.enqueue(task).duplicate()).isTrue();
            assertThat(millrace.count(TaskQuery.ALL.state(TaskState.READY)))
                    .singleElement()
                    .matches(count -> count.count() == 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void what_would_make_others_wait_or_is_no_transaction_is_refused(DatabaseProduct product) throws Exception {
        try (TestDatabase database = product.newDatabase();
                Millrace millrace = Millrace.open(database.url(), OPTIONS);
                Connection transaction = begin(database);
                Connection noTransaction = database.connect();
                Connection closed = database.connect()) {
            closed.close();
            NewTask task = NewTask.builder("t").build();
            NewTask keyed = NewTask.builder("t").uniqueKey("k").build();
            assertThatThrownBy(() -> millrace.enqueueIn(transaction, keyed))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("uniqueKey");
            assertThatThrownBy(() -> millrace.enqueueIn(noTransaction, task))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("autoCommit");
            assertThatThrownBy(() -> millrace.enqueueIn(closed, task)).isInstanceOf(InvalidValueException.class);
            millrace.topics().setPolicy("t", TopicPolicy.builder().capacity(1).build());
            assertThatThrownBy(() -> millrace.enqueueIn(
                            transaction, List.of(task, NewTask.builder("t").build())))
                    .isInstanceOf(TopicFullException.class);
            transaction.commit();
            assertThat(millrace.count(TaskQuery.ALL)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_transaction_that_does_not_see_that_room_was_made_is_told_so(DatabaseProduct product) throws Exception {
        try (TestDatabase database = product.newDatabase();
                Millrace millrace = Millrace.open(database.url(), OPTIONS);
                Connection transaction = begin(database);
                Statement statement = transaction.createStatement()) {
            millrace.topics().setPolicy("t", TopicPolicy.builder().capacity(1).build());
            UUID overdue = millrace.enqueue(
                            NewTask.builder("t").deadline(Duration.ofMillis(50)).build())
                    .id();
            Instant deadline = Objects.requireNonNull(
                    millrace.find(overdue).orElseThrow().moments().deadline());
            await().until(() -> millrace.local().now().isAfter(deadline));
            transaction.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.executeQuery("select count(*) from millrace_task").close();

            assertThatThrownBy(() ->
                            millrace.enqueueIn(transaction, NewTask.builder("t").build()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("roll it back");
            assertThat(millrace.find(overdue).orElseThrow().state()).isEqualTo(TaskState.EXPIRED);
            transaction.rollback();
            millrace.enqueueIn(transaction, NewTask.builder("t").build());
            transaction.commit();
        }
    }

    @ParameterizedTest
    @EnumSource
    void another_database_is_refused(DatabaseProduct product) throws Exception {
        try (TestDatabase database = product.newDatabase();
                TestDatabase other = product.newDatabase();
                Millrace millrace = Millrace.open(database.url(), OPTIONS);
                Connection transaction = begin(other)) {
            assertThatThrownBy(() ->
                            millrace.enqueueIn(transaction, NewTask.builder("t").build()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("millrace_");
        }
    }
}
