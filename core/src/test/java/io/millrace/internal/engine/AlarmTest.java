package io.millrace.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlarmTest {
    private final HandClock clock = new HandClock();
    private final List<String> rung = new ArrayList<>();
    /** How far the store's clock is ahead of the node's. */
    private Duration skew = Duration.ZERO;

    private final Alarm alarm = new Alarm(clock, () -> clock.instant().plus(skew), rung::add);

    @Test
    void rings_at_the_moment_and_not_before() {
        alarm.at("email", at(10));
        advance(9);
        assertThat(rung).isEmpty();
        advance(1);
        assertThat(rung).containsExactly("email");
    }

    @Test
    void rings_once() {
        alarm.at("email", at(10));
        advance(1_000);
        assertThat(rung).containsExactly("email");
        assertThat(clock.pending()).isEmpty();
    }

    @Test
    void rings_once_per_topic_at_the_earliest_moment() {
        alarm.at("email", at(30));
        alarm.at("email", at(10));
        alarm.at("email", at(20));
        advance(10);
        assertThat(rung).containsExactly("email");
        advance(1_000);
        assertThat(rung).containsExactly("email");
    }

    @Test
    void a_later_moment_sets_no_timer() {
        alarm.at("email", at(10));
        alarm.at("email", at(20));
        alarm.at("post", at(30));
        alarm.at("post", at(10));
        assertThat(clock.pending()).containsExactly(at(10));
    }

    @Test
    void an_earlier_moment_replaces_the_timer() {
        alarm.at("email", at(30));
        alarm.at("post", at(10));
        assertThat(clock.pending()).containsExactly(at(10));
        advance(10);
        assertThat(rung).containsExactly("post");
        assertThat(clock.pending()).containsExactly(at(30));
        advance(20);
        assertThat(rung).containsExactly("post", "email");
    }

    @Test
    void rings_for_all_topics_that_are_due() {
        alarm.at("a", at(10));
        alarm.at("b", at(10));
        alarm.at("c", at(11));
        advance(10);
        assertThat(rung).containsExactlyInAnyOrder("a", "b");
        advance(1);
        assertThat(rung).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void rings_again_when_it_is_set_again() {
        for (int i = 1; i <= 3; i++) {
            alarm.at("email", at(10 * i));
            advance(10);
            assertThat(rung).hasSize(i);
        }
    }

    @Test
    void can_be_set_again_while_it_rings() {
        List<Instant> moments = new ArrayList<>();
        Alarm[] own = new Alarm[1];
        own[0] = new Alarm(clock, clock::instant, topic -> {
            moments.add(clock.instant());
            if (moments.size() < 3) {
                own[0].at(topic, clock.instant().plusSeconds(5));
            }
        });
        own[0].at("email", at(10));
        advance(100);
        assertThat(moments).containsExactly(at(10), at(15), at(20));
    }

    @Test
    void what_is_due_already_rings_as_soon_as_a_timer_can() {
        alarm.at("email", at(-10));
        assertThat(rung).isEmpty();
        advance(0);
        assertThat(rung).containsExactly("email");
    }

    @Test
    void goes_by_the_clock_of_the_store() {
        skew = Duration.ofSeconds(4);
        alarm.at("email", at(10));
        assertThat(clock.pending()).containsExactly(at(6));
        advance(6);
        assertThat(rung).containsExactly("email");
    }

    @Test
    void waits_on_when_the_clock_of_the_store_is_not_there_yet() {
        alarm.at("email", at(10));
        skew = Duration.ofSeconds(-3);
        advance(10);
        assertThat(rung).isEmpty();
        assertThat(clock.pending()).containsExactly(at(13));
        advance(3);
        assertThat(rung).containsExactly("email");
    }

    @Test
    void is_silent_when_closed() {
        alarm.at("email", at(10));
        alarm.at("post", at(20));
        alarm.close();
        assertThat(clock.pending()).isEmpty();
        advance(100);
        assertThat(rung).isEmpty();
    }

    private static Instant at(long second) {
        return HandClock.START.plusSeconds(second);
    }

    private void advance(long seconds) {
        clock.advance(Duration.ofSeconds(seconds));
    }
}
