package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicPolicyTest {
    private static final NewTask PLAIN = NewTask.builder("email").build();
    private static final TopicPolicy FULL = TopicPolicy.builder()
            .retry(new Retry(3, Backoff.FIBONACCI, Duration.ofMillis(1_500), Duration.ofHours(1), Jitter.HALF))
            .timeout(Duration.ofSeconds(90))
            .onTimeout(OnTimeout.RETRY)
            .retention(new Retention(Duration.ZERO, Duration.ofDays(30)))
            .capacity(1_000)
            .leak(Leak.FRONT)
            .deadLetter("email-dead")
            .concurrency(16)
            .rate(new Rate(10, Duration.ofSeconds(1)))
            .weight(7)
            .lossLimit(3)
            .build();

    @Test
    void a_policy_with_all_fields_survives_its_text() {
        assertThat(FULL).hasToString("""
                        retry.max=3
                        retry.backoff=FIBONACCI
                        retry.base=PT1.5S
                        retry.cap=PT1H
                        retry.jitter=HALF
                        timeout=PT1M30S
                        onTimeout=RETRY
                        retention.succeeded=PT0S
                        retention.failed=PT720H
                        capacity=1000
                        leak=FRONT
                        deadLetter=email-dead
                        concurrency=16
                        rate.limit=10
                        rate.per=PT1S
                        weight=7
                        lossLimit=3
                        """);
        assertSameFields(TopicPolicy.parse(FULL.toString()), FULL);
    }

    @Test
    void what_a_text_leaves_out_is_as_in_the_default() {
        assertSameFields(TopicPolicy.parse(""), TopicPolicy.DEFAULT);
        assertSameFields(TopicPolicy.parse(TopicPolicy.DEFAULT.toString()), TopicPolicy.DEFAULT);
        assertSameFields(
                TopicPolicy.parse("weight=2"), TopicPolicy.builder().weight(2).build());
    }

    @Test
    void a_text_written_by_hand_is_read() {
        TopicPolicy read = TopicPolicy.parse("\n  leak = front \r\n\n deadLetter= dead \nonTimeout=retry");
        assertSameFields(
                read,
                TopicPolicy.builder()
                        .leak(Leak.FRONT)
                        .deadLetter("dead")
                        .onTimeout(OnTimeout.RETRY)
                        .build());
    }

    @Test
    void any_policy_survives_its_text() {
        Random chance = new Random(20_300_101);
        for (int i = 0; i < 1_000; i++) {
            TopicPolicy policy = randomPolicy(chance);
            TopicPolicy read = TopicPolicy.parse(policy.toString());
            assertSameFields(read, policy);
            assertThat(read).isEqualTo(policy).hasSameHashCodeAs(policy);
        }
    }

    @Test
    void policies_that_differ_in_one_field_are_not_equal() {
        Stream.of(
                        TopicPolicy.builder().retry(Retry.DEFAULT.max(1)),
                        TopicPolicy.builder().retry(Retry.DEFAULT.cap(Duration.ofHours(1))),
                        TopicPolicy.builder().timeout(Duration.ofHours(1)),
                        TopicPolicy.builder().onTimeout(OnTimeout.RETRY),
                        TopicPolicy.builder().retention(Retention.DEFAULT),
                        TopicPolicy.builder().capacity(1),
                        TopicPolicy.builder().deadLetter("dead"),
                        TopicPolicy.builder().concurrency(1),
                        TopicPolicy.builder().rate(new Rate(1, Duration.ofSeconds(1))),
                        TopicPolicy.builder().weight(2),
                        TopicPolicy.builder().lossLimit(2))
                .map(TopicPolicy.Builder::build)
                .forEach(policy -> assertThat(policy).isNotEqualTo(TopicPolicy.DEFAULT));
    }

    @Test
    void the_default_policy_is_as_documented() {
        TopicPolicy policy = TopicPolicy.DEFAULT;
        assertThat(policy.retry())
                .isEqualTo(new Retry(0, Backoff.EXPONENTIAL, Duration.ofSeconds(20), null, Jitter.NONE));
        assertThat(policy.timeout()).isEqualTo(Duration.ofMinutes(30));
        assertThat(policy.onTimeout()).isEqualTo(OnTimeout.FINAL);
        assertThat(policy.lossLimit()).isEqualTo(5);
        assertThat(policy.weight()).isEqualTo(1);
        assertThat(policy.capacity()).isNull();
        assertThat(policy.deadLetter()).isNull();
    }

    @Test
    void the_retries_of_a_task_come_before_those_of_its_topic() {
        Retry own = Retry.constant(Duration.ofSeconds(1)).max(9);
        assertThat(FULL.retryOf(PLAIN)).isEqualTo(FULL.retry());
        assertThat(FULL.retryOf(PLAIN.toBuilder().retry(own).build())).isEqualTo(own);
        assertThat(FULL.retryOf(PLAIN.toBuilder().retry(own.max(0)).build()).max())
                .isZero();
    }

    static Stream<TaskState> finalStates() {
        return Stream.of(TaskState.values()).filter(TaskState::isFinal);
    }

    @ParameterizedTest
    @MethodSource("finalStates")
    void retention_is_the_tasks_own_then_the_topics_then_the_default(TaskState state) {
        Duration hour = Duration.ofHours(1);
        Duration minute = Duration.ofMinutes(1);
        boolean success = state == TaskState.SUCCEEDED;
        Retention onlyThis = success ? new Retention(hour, null) : new Retention(null, hour);
        Retention onlyOther = success ? new Retention(null, hour) : new Retention(hour, null);
        Retention topics = new Retention(minute, minute);
        Duration byDefault = success ? Duration.ofDays(1) : Duration.ofDays(7);

        assertThat(retention(Retention.UNSET, Retention.UNSET, state)).isEqualTo(byDefault);
        assertThat(retention(Retention.UNSET, onlyOther, state)).isEqualTo(byDefault);
        assertThat(retention(onlyOther, Retention.UNSET, state)).isEqualTo(byDefault);
        assertThat(retention(Retention.UNSET, topics, state)).isEqualTo(minute);
        assertThat(retention(onlyOther, topics, state)).isEqualTo(minute);
        assertThat(retention(onlyThis, topics, state)).isEqualTo(hour);
        assertThat(retention(new Retention(Duration.ZERO, Duration.ZERO), topics, state))
                .isZero();
    }

    @ParameterizedTest
    @EnumSource(TaskState.class)
    void a_state_is_either_pending_or_final(TaskState state) {
        assertThat(state.isFinal()).isNotEqualTo(state.isPending());
        assertThat(TaskState.PENDING.contains(state)).isEqualTo(state.isPending());
    }

    private static Duration retention(Retention tasks, Retention topics, TaskState state) {
        NewTask task = NewTask.builder("email").retention(tasks).build();
        return TopicPolicy.builder().retention(topics).build().retentionOf(task, state);
    }

    private static TopicPolicy randomPolicy(Random chance) {
        TopicPolicy.Builder builder = TopicPolicy.builder()
                .retry(new Retry(
                        chance.nextInt(0, 1_000_001),
                        oneOf(chance, Backoff.values()),
                        duration(chance),
                        chance.nextBoolean() ? duration(chance).plusMillis(1) : null,
                        oneOf(chance, Jitter.values())))
                .timeout(duration(chance).plusMillis(1))
                .onTimeout(oneOf(chance, OnTimeout.values()))
                .retention(new Retention(
                        chance.nextBoolean() ? duration(chance) : null, chance.nextBoolean() ? duration(chance) : null))
                .weight(chance.nextInt(1, 1_000_001))
                .lossLimit(chance.nextInt(1, Integer.MAX_VALUE));
        if (chance.nextBoolean()) {
            builder.capacity(chance.nextInt(1, Integer.MAX_VALUE));
        }
        if (chance.nextBoolean()) {
            builder.concurrency(chance.nextInt(1, Integer.MAX_VALUE));
        }
        if (chance.nextBoolean()) {
            builder.rate(
                    new Rate(chance.nextInt(1, 1_000_000_001), duration(chance).plusMillis(1)));
        }
        if (chance.nextBoolean()) {
            builder.deadLetter("dead/" + chance.nextInt(100) + "@v1:-_.").leak(oneOf(chance, Leak.values()));
        }
        return builder.build();
    }

    private static Duration duration(Random chance) {
        return Duration.ofMillis(chance.nextLong(Limits.LONGEST.toMillis()) >> chance.nextInt(40));
    }

    @SafeVarargs
    private static <T> T oneOf(Random chance, T... values) {
        return values[chance.nextInt(values.length)];
    }

    /** By the fields themselves: equality goes by the text, which is what is tested here. */
    private static void assertSameFields(TopicPolicy actual, TopicPolicy expected) {
        assertThat(fields(actual)).isEqualTo(fields(expected));
    }

    private static List<Object> fields(TopicPolicy policy) {
        return Arrays.asList(
                policy.retry(),
                policy.timeout(),
                policy.onTimeout(),
                policy.retention(),
                policy.capacity(),
                policy.leak(),
                policy.deadLetter(),
                policy.concurrency(),
                policy.rate(),
                policy.weight(),
                policy.lossLimit());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rate.limit=10", "rate.per=PT1S", "weight=2\nweight=3", "leak=sideways", "nonsense"})
    void a_text_that_says_half_or_twice_or_nonsense_is_refused(String text) {
        assertThatThrownBy(() -> TopicPolicy.parse(text)).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void an_unknown_choice_is_answered_with_those_there_are() {
        assertThatThrownBy(() -> TopicPolicy.parse("retry.jitter=sideways"))
                .hasMessage(
                        "retry.jitter: \"sideways\" is not allowed; it must be one of [NONE, FULL, HALF, DECORRELATED]");
        assertThatThrownBy(() -> TopicPolicy.parse(null)).isInstanceOf(InvalidValueException.class);
    }
}
