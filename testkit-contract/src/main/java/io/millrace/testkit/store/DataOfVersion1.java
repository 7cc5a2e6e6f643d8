package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.Attempt;
import io.millrace.ClaimOrder;
import io.millrace.NewTask;
import io.millrace.Origin;
import io.millrace.Outcome;
import io.millrace.Page;
import io.millrace.Payload;
import io.millrace.Progress;
import io.millrace.Retry;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.Worker;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.ClaimRequest.TimeFrom;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * What stores of the first version held when the data was written that tests of migrations begin with: the same tasks in
 * every kind of store. A store that has brought such data up to date must show it as it was, and go on with it.
 */
public final class DataOfVersion1 {
    /** The time of the store when the data was written. */
    public static final Instant WRITTEN = Instant.parse("2030-01-01T00:00:02Z");

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private DataOfVersion1() {}

    private static UUID id(int number) {
        return new UUID(0x0198_0000_0000_7000L, 0x8000_0000_0000_0000L | number);
    }

    private static Task read(TaskStore store, int number) {
        return store.get(List.of(id(number))).get(0);
    }

    /** Everything is there, as it was. */
    public static void check(TaskStore store) {
        Page<Task> all = store.list(TaskQuery.ALL, null, 100);
        assertThat(all.items()).hasSize(17);
        assertThat(all.items()).noneMatch(Task::redriven);
        for (int number : new int[] {1, 2, 3, 4}) {
            Task task = read(store, number);
            assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
            assertThat(task.moments().finished()).isEqualTo(WRITTEN);
            assertThat(task.attempts()).extracting(Attempt::outcome).containsExactly(Outcome.SUCCEEDED);
            assertThat(task.payload()).isEqualTo(Payload.json("{\"n\":" + number + "}"));
        }
        assertThat(read(store, 4).result()).isEqualTo(Payload.json("\"done\""));
        assertThat(read(store, 5).lastError()).isEqualTo("it broke");
        assertThat(read(store, 6).state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(read(store, 6).tally()).isEqualTo(new Task.Tally(1, 1, 0, 0));
        assertThat(read(store, 7).attempts()).extracting(Attempt::outcome).containsExactly(Outcome.RELEASED);
        assertThat(read(store, 8).progress()).isEqualTo(new Progress(40, "on it", WRITTEN));
        assertThat(read(store, 9).state()).isEqualTo(TaskState.RUNNING);
        assertThat(StoreGroup.hold(read(store, 9)).until()).isEqualTo(START.plus(Duration.ofMinutes(30)));
        assertThat(read(store, 12).state()).isEqualTo(TaskState.CANCELLED);
        assertThat(read(store, 20).moments().due()).isEqualTo(START.plus(Duration.ofMinutes(5)));
        assertThat(read(store, 21).tally().waitingFor()).isEqualTo(1);
        checkSettings(read(store, 22));
        assertThat(read(store, 23).moments().deadline()).isEqualTo(START.plus(Duration.ofMinutes(2)));
        assertThat(read(store, 24).given().origin()).isEqualTo(new Origin("mail", id(99), "it broke", "k"));
        assertThat(store.workers().list())
                .extracting(Worker::name, Worker::running)
                .contains(tuple("w1", 3));
        assertThat(store.records().get("policy/mail").orElseThrow().value()).contains("deadLetter=dead");
        StoreInvariants.check(store);
    }

    private static void checkSettings(Task task) {
        NewTask given = task.given();
        assertThat(task.state()).isEqualTo(TaskState.RUNNING);
        assertThat(given.uniqueKey()).isEqualTo("march");
        assertThat(given.entityId()).isEqualTo("e1");
        assertThat(given.scope()).containsExactly("acme", "invoices");
        assertThat(given.priority()).isEqualTo(7);
        assertThat(given.timeout()).isEqualTo(Duration.ofSeconds(40));
        assertThat(given.onTimeout()).isNull();
        assertThat(given.retry())
                .isEqualTo(Retry.constant(Duration.ofSeconds(9)).max(3));
        assertThat(given.retention().failed()).isEqualTo(Duration.ofDays(9));
        assertThat(given.callback()).hasToString("https://example.org/done");
    }

    /** Work goes on: leases are lost and run again, keys are held, and every task can come to its end. */
    public static void workOn(TaskStore store, StoreFixture fixture) {
        NewTask sameKey = NewTask.builder("report").uniqueKey("march").build();
        assertThat(store.enqueue(List.of(EnqueueRequest.of(sameKey))))
                .containsExactly(new EnqueueResult.Stored(List.of(new EnqueueResult.Item(id(22), true))));
        fixture.advance(Duration.ofSeconds(31));
        UUID worker = store.workers().register(Introduction.ANONYMOUS, Duration.ofDays(100));
        List<OverdueLease> lost = store.claimExpired(worker, 100);
        assertThat(lost)
                .extracting(overdue -> overdue.leased().task().id())
                .containsExactlyInAnyOrder(id(8), id(9), id(22));
        lost.forEach(overdue ->
                store.complete(List.of(Reports.requeue(overdue.leased().lease(), Next.Reason.LOSS, Duration.ZERO))));
        fixture.advance(Duration.ofMinutes(10));
        List<FromTopic> topics = List.of(from("mail"), from("report"), from("dead"));
        ClaimResult claimed = store.claim(
                        List.of(new ClaimRequest(worker, topics, 100, TimeFrom.START, ClaimOrder.SHARE)))
                .get(0);
        assertThat(claimed.overdue()).extracting(late -> late.task().id()).containsExactly(id(23));
        assertThat(claimed.tasks())
                .extracting(leased -> leased.task().id())
                .containsExactlyInAnyOrder(id(6), id(7), id(8), id(9), id(10), id(11), id(20), id(22), id(24));
        for (LeasedTask leased : claimed.tasks()) {
            boolean last = leased.task().id().equals(id(24));
            store.complete(List.of(last ? Reports.arriving(leased.lease(), id(21)) : Reports.success(leased.lease())));
        }
        assertThat(read(store, 8).attempts())
                .extracting(Attempt::outcome)
                .containsExactly(Outcome.LOST, Outcome.SUCCEEDED);
        assertThat(read(store, 21).state()).isEqualTo(TaskState.READY);
        StoreInvariants.check(store);
    }

    private static FromTopic from(String topic) {
        return new FromTopic(topic, 100, TopicPolicy.DEFAULT);
    }
}
