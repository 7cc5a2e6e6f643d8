package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.millrace.Attempt;
import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.internal.SystemClock;
import io.millrace.spi.EngineClock;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The database's clock rules: nodes whose own clocks are hours apart behave as if they were not. */
class WrongClockTest {
    private static final Duration DELAY = Duration.ofMillis(300);

    /** A clock that runs as it should but shows another time. */
    private record Shifted(Duration by) implements EngineClock {
        @Override
        public Instant instant() {
            return SystemClock.shared().instant().plus(by);
        }

        @Override
        public long elapsedNanos() {
            return SystemClock.shared().elapsedNanos();
        }

        @Override
        public Timer after(Duration delay, Runnable action) {
            return SystemClock.shared().after(delay, action);
        }
    }

    private static Millrace open(TestDatabase database, Duration by) {
        return Millrace.open(
                database.url(),
                NodeProcess.options().workers(2).clock(new Shifted(by)).build());
    }

    @ParameterizedTest
    @EnumSource
    void nodes_with_wrong_clocks_agree_with_the_database(DatabaseProduct product) throws Exception {
        try (TestDatabase database = product.newDatabase();
                Millrace ahead = open(database, Duration.ofHours(1));
                Millrace behind = open(database, Duration.ofHours(-1))) {
            Instant start = Instant.now();
            behind.handle("from-ahead", (payload, context) -> {});
            ahead.handle("from-behind", (payload, context) -> {});
            UUID one = enqueueDelayed(ahead, "from-ahead");
            UUID other = enqueueDelayed(behind, "from-behind");

            checkTimes(finished(behind, one), start);
            checkTimes(finished(ahead, other), start);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_worker_with_a_wrong_clock_is_not_taken_for_dead(DatabaseProduct product) throws Exception {
        try (TestDatabase database = product.newDatabase();
                Millrace ahead = open(database, Duration.ofHours(1));
                Millrace behind = open(database, Duration.ofHours(-1))) {
            // longer than a node may be silent
            long slow = NodeProcess.EXPIRY.multipliedBy(2).toMillis();
            ahead.handle("slow-ahead", (payload, context) -> Thread.sleep(slow));
            behind.handle("slow-behind", (payload, context) -> Thread.sleep(slow));
            UUID one = behind.enqueue(NewTask.builder("slow-ahead").build()).id();
            UUID other = ahead.enqueue(NewTask.builder("slow-behind").build()).id();

            assertThat(finished(behind, one).tally().attempts()).isEqualTo(1);
            assertThat(finished(ahead, other).tally().attempts()).isEqualTo(1);
        }
    }

    private static UUID enqueueDelayed(Millrace node, String topic) {
        return node.enqueue(NewTask.builder(topic)
                        .delay(DELAY)
                        .deadline(Duration.ofMinutes(10))
                        .build())
                .id();
    }

    private static Task finished(Millrace node, UUID id) throws Exception {
        return node.finished(id).get(30, TimeUnit.SECONDS);
    }

    private static void checkTimes(Task task, Instant start) {
        assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
        Task.Moments moments = task.moments();
        assertThat(moments.created()).isCloseTo(start, within(1, ChronoUnit.MINUTES));
        assertThat(moments.due()).isEqualTo(moments.created().plus(DELAY));
        Attempt attempt = task.attempts().get(0);
        assertThat(attempt.startedAt()).isBetween(moments.due(), start.plusSeconds(60));
        assertThat(attempt.endedAt()).isAfterOrEqualTo(attempt.startedAt());
    }
}
