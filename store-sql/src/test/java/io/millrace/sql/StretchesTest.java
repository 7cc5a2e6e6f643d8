package io.millrace.sql;

import static io.millrace.spi.CompletionResult.Status.APPLIED;
import static io.millrace.spi.CompletionResult.Status.LEASE_LOST;
import static io.millrace.spi.CompletionResult.Status.REPEATED;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.Change;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.testkit.SettableClock;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import io.millrace.testkit.store.StoreInvariants;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tasks that end together share a row, which is divided where they part. */
@Tag("slow")
class StretchesTest {
    private final SettableClock clock = new SettableClock();

    /** A store with tasks that a worker holds. */
    private final class Held implements AutoCloseable {
        final TestDatabase database;
        final TaskStore store;
        final UUID worker;
        final List<LeasedTask> tasks = new ArrayList<>();

        Held(DatabaseProduct product, int count) {
            database = product.newDatabase();
            store = SqlProvider.openBy(clock, database.url());
            worker = store.workers().register(Introduction.ANONYMOUS, Duration.ofDays(1));
            enqueue(count);
            claim(count);
        }

        void enqueue(int count) {
            List<NewTask> all = IntStream.range(0, count)
                    .mapToObj(any -> NewTask.builder("t").build())
                    .toList();
            store.enqueue(List.of(new EnqueueRequest(all, Map.of())));
        }

        void claim(int count) {
            FromTopic from = new FromTopic("t", count, TopicPolicy.DEFAULT);
            tasks.addAll(store.claim(List.of(new ClaimRequest(worker, List.of(from), count)))
                    .get(0)
                    .tasks());
        }

        List<CompletionResult> succeed(@Nullable Payload result, int... positions) {
            Next done = new Next.Finish(TaskState.SUCCEEDED, Duration.ofDays(1), result, List.of(), List.of());
            return store.complete(IntStream.of(positions)
                    .mapToObj(i -> new Completion(tasks.get(i).lease(), Outcome.SUCCEEDED, null, done, done))
                    .toList());
        }

        List<UUID> ids(int... positions) {
            return IntStream.of(positions)
                    .mapToObj(i -> tasks.get(i).task().id())
                    .toList();
        }

        void change(Change change, int... positions) {
            store.change(new Selection.Ids(ids(positions)), change, 1_000);
        }

        List<UUID> succeeded(int page) {
            List<UUID> found = new ArrayList<>();
            String cursor = null;
            do {
                var tasks = store.list(TaskQuery.ALL.topic("t").state(TaskState.SUCCEEDED), cursor, page);
                tasks.items().stream().map(Task::id).forEach(found::add);
                cursor = tasks.next();
            } while (cursor != null);
            return found;
        }

        int rows() throws Exception {
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("select count(*) from millrace_finished")) {
                rows.next();
                return rows.getInt(1);
            }
        }

        @Override
        public void close() {
            store.close();
            database.close();
        }
    }

    private static int[] range(int from, int to) {
        return IntStream.range(from, to).toArray();
    }

    @ParameterizedTest
    @EnumSource
    void tasks_that_were_leased_together_and_end_together_share_a_row(DatabaseProduct product) throws Exception {
        try (Held held = new Held(product, 50)) {
            assertThat(held.succeed(null, range(0, 50)))
                    .allMatch(result -> result.status() == CompletionResult.Status.APPLIED);
            assertThat(held.rows()).isEqualTo(1);
            assertThat(held.succeeded(7)).containsExactlyElementsOf(held.ids(range(0, 50)));
            assertThat(held.succeed(null, 3)).containsExactly(CompletionResult.REPEATED);
            StoreInvariants.check(held.store);
        }
    }

    @ParameterizedTest
    @EnumSource
    void parts_share_rows_too_and_results_have_their_own(DatabaseProduct product) throws Exception {
        try (Held held = new Held(product, 50)) {
            held.succeed(null, range(0, 20));
            held.succeed(null, 20, 21, 22, 24, 25, 26, 27, 29);
            assertThat(held.rows()).isEqualTo(4);
            held.succeed(Payload.json("1"), 23, 28);
            assertThat(held.rows()).isEqualTo(6);
            held.succeed(null, range(30, 50));
            assertThat(held.rows()).isEqualTo(7);
            assertThat(held.succeeded(3)).containsExactlyElementsOf(held.ids(range(0, 50)));
            StoreInvariants.check(held.store);
        }
    }

    @ParameterizedTest
    @EnumSource
    void tasks_that_are_far_apart_have_their_own_rows(DatabaseProduct product) throws Exception {
        try (Held held = new Held(product, 100)) {
            held.succeed(null, 5, 90);
            assertThat(held.rows()).isEqualTo(2);
            assertThat(held.succeed(null, 6, 7, 50, 70, 90))
                    .extracting(CompletionResult::status)
                    .containsExactly(APPLIED, APPLIED, APPLIED, APPLIED, REPEATED);
            assertThat(held.rows()).isEqualTo(5);
            assertThat(held.succeeded(3)).containsExactlyElementsOf(held.ids(5, 6, 7, 50, 70, 90));
            held.succeed(null, range(0, 100));
            assertThat(held.succeeded(100)).containsExactlyElementsOf(held.ids(range(0, 100)));
            StoreInvariants.check(held.store);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_task_that_is_retried_leaves_its_row_and_gets_its_own(DatabaseProduct product) throws Exception {
        try (Held held = new Held(product, 10)) {
            held.succeed(null, range(0, 10));
            held.change(new Change.Retry(), 0, 4, 9);
            StoreInvariants.check(held.store);
            assertThat(held.rows()).isEqualTo(2);
            assertThat(held.succeeded(2)).containsExactlyElementsOf(held.ids(1, 2, 3, 5, 6, 7, 8));
            held.claim(10);
            assertThat(held.tasks).hasSize(13);
            held.succeed(null, 10, 11, 12);
            assertThat(held.succeeded(4)).containsExactlyElementsOf(held.ids(range(0, 10)));
            StoreInvariants.check(held.store);
        }
    }

    @ParameterizedTest
    @EnumSource
    void deleted_tasks_leave_the_row_to_the_others_until_none_is_left(DatabaseProduct product) throws Exception {
        try (Held held = new Held(product, 10)) {
            held.succeed(null, range(0, 10));
            held.change(new Change.Delete(), 0, 5, 9);
            assertThat(held.rows()).isEqualTo(1);
            assertThat(held.succeeded(2)).containsExactlyElementsOf(held.ids(1, 2, 3, 4, 6, 7, 8));
            held.change(new Change.Retry(), 6);
            assertThat(held.succeeded(100)).containsExactlyElementsOf(held.ids(1, 2, 3, 4, 7, 8));
            held.change(new Change.Delete(), 1, 2, 3, 4, 7, 8);
            assertThat(held.rows()).isZero();
            StoreInvariants.check(held.store);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_report_of_a_deleted_task_does_not_count_for_its_neighbour(DatabaseProduct product) {
        try (Held held = new Held(product, 10)) {
            held.succeed(null, 5);
            held.change(new Change.Delete(), 5);
            assertThat(held.succeed(null, 2, 3, 5, 6, 7))
                    .extracting(CompletionResult::status)
                    .containsExactly(APPLIED, APPLIED, LEASE_LOST, APPLIED, APPLIED);
            assertThat(held.succeeded(10)).containsExactlyElementsOf(held.ids(2, 3, 6, 7));
            StoreInvariants.check(held.store);
        }
    }

    @ParameterizedTest
    @EnumSource
    void retention_ends_for_all_of_a_row_in_as_many_steps_as_it_takes(DatabaseProduct product) throws Exception {
        try (Held held = new Held(product, 25)) {
            held.succeed(null, range(0, 25));
            clock.advance(Duration.ofDays(2));
            int steps = 0;
            while (!held.store
                    .change(new Selection.PastRetention(), new Change.Delete(), 10)
                    .items()
                    .isEmpty()) {
                steps++;
            }
            assertThat(steps).isEqualTo(3);
            assertThat(held.rows()).isZero();
            StoreInvariants.check(held.store);
        }
    }

    @ParameterizedTest
    @EnumSource
    void reports_of_another_lane_or_of_tasks_that_do_not_exist_change_nothing(DatabaseProduct product) {
        try (Held held = new Held(product, 5)) {
            held.enqueue(5);
            held.enqueue(5);
            held.claim(10);
            Token first = token(held.tasks.get(0));
            LeasedTask later = held.tasks.get(7);
            // the number and the mark of another task, under a lease that does not hold it
            Token other = Token.of(
                    first.lease(),
                    first.lane(),
                    token(later).num(),
                    later.task().id());
            assertThat(held.store.complete(
                            List.of(success(new Lease(later.task().id(), 1, held.worker, other.toString())))))
                    .containsExactly(CompletionResult.LEASE_LOST);
            StoreInvariants.check(held.store);

            // a number behind the last of one enqueue and before the first of the next, under a lease for both
            Token last = token(held.tasks.get(14));
            UUID nobody = UUID.randomUUID();
            Token none =
                    Token.of(last.lease(), last.lane(), token(held.tasks.get(9)).num() + 1, nobody);
            Completion forged = success(new Lease(nobody, 1, held.worker, none.toString()));
            assertThat(held.store.complete(List.of(forged))).containsExactly(CompletionResult.LEASE_LOST);
            List<Completion> all = new ArrayList<>(List.of(forged));
            held.tasks.subList(5, 15).forEach(task -> all.add(success(task.lease())));
            assertThat(held.store.complete(all))
                    .extracting(CompletionResult::status)
                    .startsWith(LEASE_LOST)
                    .filteredOn(APPLIED::equals)
                    .hasSize(10);
            StoreInvariants.check(held.store);
        }
    }

    private static Completion success(Lease lease) {
        Next done = Next.Finish.as(TaskState.SUCCEEDED, Duration.ofDays(1));
        return new Completion(lease, Outcome.SUCCEEDED, null, done, done);
    }

    private static Token token(LeasedTask task) {
        return Objects.requireNonNull(Token.of(task.lease()));
    }

    /** Random reports, retries and deletions; the invariants and the list are looked at all the time. */
    @ParameterizedTest
    @EnumSource
    void whatever_happens_to_them_the_rows_say_what_happened(DatabaseProduct product) throws Exception {
        Random chance = new Random(5);
        try (Held held = new Held(product, 40)) {
            for (int i = 0; i < 30; i++) {
                int from = chance.nextInt(held.tasks.size());
                int[] some = range(from, Math.min(held.tasks.size(), from + 1 + chance.nextInt(20)));
                switch (chance.nextInt(4)) {
                    case 0, 1 -> held.succeed(chance.nextInt(5) == 0 ? Payload.json("2") : null, some);
                    case 2 -> held.change(new Change.Retry(), some);
                    default -> {
                        held.change(new Change.Delete(), range(from, from + 1));
                        held.enqueue(3);
                        held.claim(chance.nextInt(20) + 1);
                    }
                }
                StoreInvariants.check(held.store);
                assertThat(held.succeeded(1 + chance.nextInt(10))).doesNotHaveDuplicates();
            }
        }
    }
}
