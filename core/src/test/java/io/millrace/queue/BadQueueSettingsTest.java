package io.millrace.queue;

import static io.millrace.DeadLetterCause.EXPIRED;
import static io.millrace.DeadLetterCause.FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Event;
import io.millrace.ItemOptions;
import io.millrace.Leak;
import io.millrace.Qos;
import io.millrace.Retry;
import io.millrace.Schedule;
import io.millrace.Staffing;
import io.millrace.WorkQueue;
import io.millrace.WorkQueueBuilder;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Settings of a queue and of an item that are refused, and those that are fixed once a queue is built. */
class BadQueueSettingsTest {
    private static final String REQUIRED = "it is required";
    private static final String MILLISECOND = "it must be between 1 millisecond and 36525 days";
    private static final String NOT_NEGATIVE = "it must be between 0 and 36525 days";
    private static final String FACTOR = "it must be between 0 and 0.999999";
    private static final String FIXED = "the number of workers is fixed; set workers(min, max) or a schedule too";
    private static final String WORKERS = "it must be between 1 and 1000000";
    private static final String CUT = "\"" + "n".repeat(80) + "…\" (201 characters)";
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration TOO_LONG = Duration.ofDays(36_526);
    private static final Qos<String> LANES =
            Qos.<String>strict().lane("a", 1, 1).lane("b", 1, 1).priority((item, weight) -> 0);

    @ParameterizedTest
    @MethodSource({"values", "durations", "combinations", "balancing", "options"})
    void is_refused_by_name(Refusal refusal) {
        refusal.check();
    }

    static Stream<Refusal> values() {
        return Stream.of(
                new Refusal(() -> WorkQueue.builder().capacity(1).build(), "handler", "null", REQUIRED),
                new Refusal(() -> WorkQueue.builder().handler(any -> {}).build(), "capacity", "null", REQUIRED),
                set(builder -> builder.name(null), "name", "null", "1 to 200 characters"),
                set(builder -> builder.name(""), "name", "\"\"", "1 to 200 characters"),
                set(builder -> builder.name("a\0"), "name", "\"a\0\"", "none of them U+0000"),
                set(builder -> builder.name("n".repeat(201)), "name", CUT, "1 to 200 characters"),
                set(builder -> builder.capacity(0), "capacity", "0", "it must be between 1 and 67108864"),
                set(builder -> builder.capacity(-1), "capacity", "-1", "it must be between 1 and 67108864"),
                set(builder -> builder.capacity(67_108_865), "capacity", "67108865", "between 1 and 67108864"),
                set(builder -> builder.handler(null), "handler", "null", REQUIRED),
                set(builder -> builder.schedule(null), "schedule", "null", REQUIRED),
                set(builder -> builder.streams(0), "streams", "0", "it must be between 1 and 64"),
                set(builder -> builder.streams(65), "streams", "65", "it must be between 1 and 64"),
                set(builder -> builder.qos(null), "qos", "null", REQUIRED),
                set(builder -> builder.retry(null), "retry", "null", REQUIRED),
                set(builder -> builder.retry(Retry.DEFAULT.max(-1)), "retry.max", "-1", "between 0 and 1000000"),
                set(builder -> builder.deadLetter(null), "deadLetter", "null", REQUIRED),
                set(builder -> builder.deadLetter(any -> {}, null), "deadLetter.causes", "null", REQUIRED),
                set(
                        builder -> builder.deadLetter(any -> {}, new HashSet<>(Arrays.asList(FAILED, null))),
                        "deadLetter.causes",
                        "null",
                        REQUIRED),
                set(builder -> builder.leak(null), "leak", "null", REQUIRED),
                set(builder -> builder.leakAttempts(0), "leakAttempts", "0", "it must be between 1 and 1000"),
                set(builder -> builder.leakAttempts(1_001), "leakAttempts", "1001", "between 1 and 1000"),
                set(builder -> builder.observer(null), "observer", "null", REQUIRED),
                set(builder -> builder.clock(null), "clock", "null", REQUIRED));
    }

    static Stream<Refusal> durations() {
        return Stream.of(
                set(builder -> builder.delay(null), "delay", "null", REQUIRED),
                set(builder -> builder.delay(SECOND.negated()), "delay", "PT-1S", NOT_NEGATIVE),
                set(builder -> builder.delay(TOO_LONG), "delay", "PT876624H", NOT_NEGATIVE),
                set(builder -> builder.deadline(null), "deadline", "null", REQUIRED),
                set(builder -> builder.deadline(Duration.ZERO), "deadline", "PT0S", MILLISECOND),
                set(builder -> builder.deadline(Duration.ofNanos(1)), "deadline", "PT0.000000001S", MILLISECOND),
                set(builder -> builder.deadline(TOO_LONG), "deadline", "PT876624H", NOT_NEGATIVE),
                set(builder -> builder.closeTimeout(null), "closeTimeout", "null", REQUIRED),
                set(builder -> builder.closeTimeout(SECOND.negated()), "closeTimeout", "PT-1S", NOT_NEGATIVE),
                set(builder -> builder.sleepInterval(null), "workers.sleepInterval", "null", REQUIRED),
                set(builder -> builder.sleepInterval(Duration.ZERO), "workers.sleepInterval", "PT0S", MILLISECOND),
                set(builder -> builder.calibrateEvery(null), "workers.calibrateEvery", "null", REQUIRED),
                set(builder -> builder.calibrateEvery(Duration.ZERO), "workers.calibrateEvery", "PT0S", MILLISECOND));
    }

    static Stream<Refusal> combinations() {
        String longer = "it must be longer than the delay, which is PT1S";
        String leaks = "a queue leaks only into a deadLetter target, for the cause FULL";
        String attempts = "only a leak at the FRONT has attempts";
        return Stream.of(
                set(builder -> builder.delay(SECOND).deadline(SECOND), "deadline", "PT1S", longer),
                set(builder -> builder.deadline(SECOND.dividedBy(2)).delay(SECOND), "deadline", "PT0.5S", longer),
                set(builder -> builder.leak(Leak.REAR), "leak", "REAR", leaks),
                set(
                        builder -> builder.leak(Leak.FRONT).deadLetter(any -> {}, EnumSet.of(FAILED, EXPIRED)),
                        "leak",
                        "FRONT",
                        leaks),
                set(builder -> builder.leakAttempts(3), "leakAttempts", "3", attempts),
                set(builder -> builder.leakAttempts(3).deadLetter(any -> {}), "leakAttempts", "3", attempts),
                set(
                        builder -> builder.leakAttempts(3).deadLetter(any -> {}).leak(Leak.REAR),
                        "leakAttempts",
                        "3",
                        attempts),
                set(builder -> builder.streams(11), "streams", "11", "not be more than the capacity, which is 10"),
                set(builder -> builder.qos(LANES), "capacity", "10", "the sub-queues of the qos have their own"),
                set(
                        builder -> builder.streams(2).qos(Qos.fair(item -> item)),
                        "streams",
                        "2",
                        "a queue with a qos has one"));
    }

    static Stream<Refusal> balancing() {
        String below = "it must be less than workers.wakeUpFactor, which is ";
        return Stream.of(
                set(builder -> builder.workers(0), "workers.min", "0", WORKERS),
                set(builder -> builder.workers(1_000_001), "workers.min", "1000001", WORKERS),
                set(builder -> builder.workers(-1, 2), "workers.min", "-1", WORKERS),
                set(builder -> builder.workers(1, 1_000_001), "workers.max", "1000001", WORKERS),
                set(builder -> builder.workers(3, 2), "workers.min", "3", "not be more than workers.max, which is 2"),
                set(builder -> builder.wakeUpFactor(-0.1), "workers.wakeUpFactor", "-0.1", FACTOR),
                set(builder -> builder.wakeUpFactor(1), "workers.wakeUpFactor", "1.0", FACTOR),
                set(builder -> builder.wakeUpFactor(Double.NaN), "workers.wakeUpFactor", "NaN", FACTOR),
                set(builder -> builder.sleepFactor(-1), "workers.sleepFactor", "-1.0", FACTOR),
                set(builder -> builder.sleepFactor(1.5), "workers.sleepFactor", "1.5", FACTOR),
                set(builder -> builder.sleepAtOnce(0), "workers.sleepAtOnce", "0", WORKERS),
                set(builder -> builder.forceCalibrationAt(0), "workers.forceCalibrationAt", "0", "between 1 and"),
                set(
                        builder -> builder.workers(1, 2).wakeUpFactor(0.4).sleepFactor(0.4),
                        "workers.sleepFactor",
                        "0.4",
                        below + "0.4"),
                set(
                        builder -> builder.workers(1, 2).wakeUpFactor(0.4),
                        "workers.sleepFactor",
                        "0.5",
                        below + "0.4; this is its default, so set both"),
                set(
                        builder -> builder.workers(1, 2)
                                .sleepFactor(0.6)
                                .schedule(Schedule.inSystemZone()
                                        .range(
                                                "01:00-02:00",
                                                Staffing.between(1, 4).wakeUpFactor(0.6))),
                        "schedule.range",
                        "\"01:00-02:00\"",
                        "its sleep factor must be less than its wake-up factor"),
                set(builder -> builder.workers(2).wakeUpFactor(0.9), "workers.wakeUpFactor", "0.9", FIXED),
                set(builder -> builder.sleepFactor(0.1).workers(2), "workers.sleepFactor", "0.1", FIXED),
                set(builder -> builder.sleepAtOnce(1), "workers.sleepAtOnce", "1", FIXED),
                set(builder -> builder.sleepInterval(SECOND), "workers.sleepInterval", "PT1S", FIXED),
                set(builder -> builder.calibrateEvery(SECOND), "workers.calibrateEvery", "PT1S", FIXED),
                set(builder -> builder.forceCalibrationAt(1), "workers.forceCalibrationAt", "1", FIXED));
    }

    static Stream<Refusal> options() {
        ItemOptions plain = ItemOptions.DEFAULT;
        return Stream.of(
                new Refusal(() -> plain.delay(null), "delay", "null", REQUIRED),
                new Refusal(() -> plain.delay(SECOND.negated()), "delay", "PT-1S", NOT_NEGATIVE),
                new Refusal(() -> plain.deadline(null), "deadline", "null", REQUIRED),
                new Refusal(() -> plain.deadline(Duration.ZERO), "deadline", "PT0S", MILLISECOND),
                new Refusal(() -> plain.weight(-1), "weight", "-1", "it must be between 0 and 1000000"),
                new Refusal(() -> plain.weight(1_000_001), "weight", "1000001", "it must be between 0 and 1000000"),
                new Refusal(
                        () -> plain.delay(SECOND).deadline(SECOND),
                        "deadline",
                        "PT1S",
                        "it must be longer than the delay, which is PT1S"));
    }

    private static Refusal set(
            UnaryOperator<WorkQueueBuilder<String>> setting, String field, String value, String rule) {
        return new Refusal(
                () -> setting.apply(WorkQueue.<String>builder().capacity(10).handler(item -> {}))
                        .build(),
                field,
                value,
                rule);
    }

    @Test
    void with_a_schedule_the_settings_of_balancing_are_not_in_vain() {
        try (WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(10)
                .workers(1)
                .schedule(Schedule.in(ZoneOffset.UTC).range("*-*", Staffing.between(1, 2)))
                .wakeUpFactor(0.9)
                .sleepFactor(0.1)
                .sleepAtOnce(1)
                .sleepInterval(SECOND)
                .calibrateEvery(SECOND)
                .forceCalibrationAt(2)
                .handler(item -> {})
                .build()) {
            assertThat(queue.workers()).isEqualTo(new WorkQueue.Workers(1, 0, 1));
        }
    }

    @Test
    void what_is_set_after_a_queue_was_built_is_for_the_next_one() throws Exception {
        Gate first = Gate.opened();
        Gate second = Gate.opened();
        Queue<Event> events = new ConcurrentLinkedQueue<>();
        WorkQueueBuilder<String> builder =
                WorkQueue.<String>builder().name("first").capacity(5).workers(1).handler(first);
        try (WorkQueue<String> queue = builder.build();
                WorkQueue<String> next = builder.name("second")
                        .capacity(7)
                        .workers(2)
                        .handler(second)
                        .observer(events::add)
                        .build()) {
            assertThat(queue.name()).isEqualTo("first");
            assertThat(queue.capacity()).isEqualTo(5);
            assertThat(queue.workers().active()).isEqualTo(1);
            queue.put("item");
            first.awaitHandled(1);
            assertThat(second.handled()).isEmpty();
            assertThat(next.name()).isEqualTo("second");
            assertThat(next.capacity()).isEqualTo(7);
            assertThat(next.workers().active()).isEqualTo(2);
            assertThat(events)
                    .noneMatch(event -> ((Event.OfQueue) event).queue().equals("first"));
        }
    }
}
