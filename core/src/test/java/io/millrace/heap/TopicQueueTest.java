package io.millrace.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.millrace.Rate;
import io.millrace.TaskState;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicQueueTest {
    private static final long NOW = 1_900_000_000_000L;
    private static final Rate TEN_A_SECOND = new Rate(10, Duration.ofSeconds(1));

    private final Nodes nodes = new Nodes();
    private final TopicQueue topic = new TopicQueue("email");

    private TaskNode added(int priority) {
        TaskNode node = nodes.node(0);
        topic.lane(priority).addLast(node);
        return node;
    }

    @Test
    void the_head_is_the_first_of_the_lowest_priority_number() {
        assertThat(topic.head()).isNull();
        TaskNode normal = added(100);
        assertThat(topic.head()).isSameAs(normal);
        TaskNode urgent = added(Integer.MIN_VALUE);
        TaskNode urgentToo = added(Integer.MIN_VALUE);
        added(Integer.MAX_VALUE);
        assertThat(topic.head()).isSameAs(urgent);
        topic.lane(Integer.MIN_VALUE).remove(urgent);
        assertThat(topic.head()).isSameAs(urgentToo);
        topic.lane(Integer.MIN_VALUE).remove(urgentToo);
        assertThat(topic.head()).isSameAs(normal);
    }

    @Test
    void lanes_that_became_empty_are_no_burden_and_can_be_used_again() {
        TaskNode last = added(1_000);
        for (int round = 0; round < 3; round++) {
            for (int priority = 0; priority < 1_000; priority++) {
                TaskNode node = added(priority);
                assertThat(topic.head()).isSameAs(node);
                topic.lane(priority).remove(node);
                assertThat(topic.head()).isSameAs(last);
            }
        }
    }

    @Test
    void tasks_are_counted_by_state() {
        TaskNode first = nodes.node(0);
        TaskNode second = nodes.node(0);
        topic.entered(first);
        topic.entered(second);
        assertThat(topic.count(TaskState.READY)).isEqualTo(2);
        topic.left(first);
        first.state = TaskState.RUNNING;
        topic.entered(first);
        assertThat(topic.count(TaskState.READY)).isEqualTo(1);
        assertThat(topic.count(TaskState.RUNNING)).isEqualTo(1);
        assertThat(topic.inState(TaskState.RUNNING).next(0)).isEqualTo(first.sequence);
        assertThat(topic.isIdle(NOW)).isFalse();
        topic.left(first);
        topic.left(second);
        assertThat(topic.isIdle(NOW)).isTrue();
    }

    @Test
    void after_a_quiet_time_a_rate_allows_a_burst() {
        assertThat(topic.allowedBy(TEN_A_SECOND, NOW)).isEqualTo(10);
        topic.started(10, TEN_A_SECOND, NOW);
        assertThat(topic.allowedBy(TEN_A_SECOND, NOW)).isZero();
        assertThat(topic.allowedBy(TEN_A_SECOND, NOW + 1_000)).isEqualTo(10);
        assertThat(topic.allowedBy(TEN_A_SECOND, NOW + 1_000_000)).isEqualTo(10);
    }

    @Test
    void after_a_burst_a_rate_allows_starts_at_an_even_pace() {
        topic.started(10, TEN_A_SECOND, NOW);
        for (int i = 1; i <= 30; i++) {
            long next = topic.nextAllowedBy(TEN_A_SECOND, NOW + 100L * (i - 1));
            assertThat(next).isEqualTo(NOW + 100L * i);
            assertThat(topic.allowedBy(TEN_A_SECOND, next - 1)).isZero();
            assertThat(topic.allowedBy(TEN_A_SECOND, next)).isEqualTo(1);
            topic.started(1, TEN_A_SECOND, next);
        }
    }

    @Test
    void a_rate_that_was_raised_does_not_wait_for_the_old_one() {
        topic.started(1, new Rate(1, Duration.ofDays(1)), NOW);

        assertThat(topic.allowedBy(TEN_A_SECOND, NOW + 2_000)).isZero();
        assertThat(topic.nextAllowedBy(TEN_A_SECOND, NOW + 2_000)).isEqualTo(NOW + 2_100);
        topic.started(1, TEN_A_SECOND, NOW + 2_100);
        assertThat(topic.allowedBy(TEN_A_SECOND, NOW + 3_200)).isEqualTo(10);
    }

    @Test
    void a_topic_is_not_forgotten_while_its_rate_remembers_starts() {
        topic.started(5, TEN_A_SECOND, NOW);
        assertThat(topic.isIdle(NOW)).isFalse();
        assertThat(topic.isIdle(NOW + 499)).isFalse();
        assertThat(topic.isIdle(NOW + 500)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1000",
        "2, 3, 1000",
        "3, 7, 1000",
        "4, 10, 86400000",
        "5, 1000, 1000",
        "6, 999, 60000",
        "7, 5000, 1",
    })
    void over_any_time_no_more_starts_than_a_burst_and_the_pace(long seed, int limit, long perMillis) {
        Rate rate = new Rate(limit, Duration.ofMillis(perMillis));
        Random chance = new Random(seed);
        long now = NOW;
        long started = 0;
        for (int step = 0; step < 5_000; step++) {
            now += chance.nextLong(1 + 2 * perMillis / limit);
            int allowed = topic.allowedBy(rate, now);
            assertThat(allowed).isBetween(0, limit);
            int taken = chance.nextInt(allowed + 1);
            topic.started(taken, rate, now);
            started += taken;
            double pace = (now - NOW) * (double) limit / perMillis;
            assertThat((double) started).isLessThanOrEqualTo(limit + pace + 0.01);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1000", "3, 1000", "7, 1000", "10, 600000", "999, 60000"})
    void the_next_start_is_allowed_when_it_is_said_to_be_and_no_earlier(int limit, long perMillis) {
        Rate rate = new Rate(limit, Duration.ofMillis(perMillis));
        topic.started(limit, rate, NOW);
        long now = NOW;
        for (int step = 0; step < 1_000; step++) {
            long next = topic.nextAllowedBy(rate, now);
            assertThat(next).isGreaterThanOrEqualTo(now);
            assertThat(topic.allowedBy(rate, next)).isEqualTo(1);
            assertThat(topic.allowedBy(rate, next - 1)).isZero();
            topic.started(1, rate, next);
            now = next;
        }
        // rounding does not add up
        assertThat(now - NOW).isCloseTo(1_000 * perMillis / limit, within(2L));
    }
}
