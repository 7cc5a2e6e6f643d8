package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When the answer of a schedule changes, above all on the days on which clocks are put forward or back. */
class ScheduleChangesTest {
    private static final Staffing ONE = Staffing.fixed(1);
    private static final Staffing TWO = Staffing.fixed(2);
    private static final Duration STEP = Duration.ofSeconds(30);
    private static final int SCHEDULES = 12;

    @Test
    void without_ranges_nothing_ever_changes() {
        assertThat(berlin().nextChange(Instant.EPOCH)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"*-*", "00:00-*"})
    void a_range_of_the_whole_day_never_changes(String range) {
        assertThat(berlin().range(range, ONE).nextChange(Instant.EPOCH)).isEmpty();
    }

    @Test
    void where_ranges_of_the_same_staffing_meet_nothing_changes() {
        Schedule whole = utc().range("*-06:00", ONE).range("06:00-*", ONE);
        assertThat(whole.nextChange(Instant.EPOCH)).isEmpty();
        Schedule night = utc().range("22:00-*", ONE).range("*-06:00", ONE);
        assertThat(night.nextChange(Instant.parse("2024-06-01T22:00:00Z")))
                .contains(Instant.parse("2024-06-02T06:00:00Z"));
    }

    @Test
    void ranges_of_another_staffing_change_where_they_meet() {
        Schedule schedule = utc().range("*-06:00", ONE).range("06:00-*", TWO);
        assertThat(changes(schedule, "2024-06-01T01:00:00Z", "2024-06-03T00:00:00Z"))
                .containsExactly(
                        "2024-06-01T06:00:00Z", "2024-06-02T00:00:00Z", "2024-06-02T06:00:00Z", "2024-06-03T00:00:00Z");
    }

    @Test
    void the_next_change_lies_strictly_after_now() {
        Schedule schedule = utc().range("08:00-12:00:00.001", ONE);
        Instant start = Instant.parse("2024-06-01T08:00:00Z");
        Instant end = Instant.parse("2024-06-01T12:00:00.001Z");
        assertThat(schedule.nextChange(start.minusNanos(1))).contains(start);
        assertThat(schedule.nextChange(start)).contains(end);
        assertThat(schedule.nextChange(end.minusNanos(1))).contains(end);
        assertThat(schedule.nextChange(end)).contains(Instant.parse("2024-06-02T08:00:00Z"));
    }

    @Test
    void a_boundary_in_the_hour_left_out_in_spring_takes_effect_at_the_jump() {
        Instant jump = Instant.parse("2024-03-31T01:00:00Z");
        Schedule starts = berlin().range("02:30-04:00", ONE);
        assertThat(starts.nextChange(jump.minusSeconds(1))).contains(jump);
        assertThat(starts.at(jump.minusMillis(1))).isEmpty();
        assertThat(starts.at(jump)).contains(ONE);
        Schedule ends = berlin().range("01:00-02:30", ONE);
        assertThat(ends.nextChange(jump.minusSeconds(1))).contains(jump);
        assertThat(ends.at(jump.minusMillis(1))).contains(ONE);
        assertThat(ends.at(jump)).isEmpty();
    }

    @Test
    void a_range_inside_the_hour_left_out_does_not_take_place_that_day() {
        Schedule schedule = berlin().range("02:10-02:50", ONE);
        assertThat(answers(schedule, "2024-03-30T12:00:00Z", "2024-03-31T22:00:00Z"))
                .isEmpty();
    }

    @Test
    void a_range_in_the_hour_that_comes_twice_takes_place_twice() {
        Schedule schedule = berlin().range("02:10-02:50", ONE);
        assertThat(answers(schedule, "2024-10-26T12:00:00Z", "2024-10-27T12:00:00Z"))
                .containsExactly(
                        "2024-10-27T00:10:00Z on", "2024-10-27T00:50:00Z off",
                        "2024-10-27T01:10:00Z on", "2024-10-27T01:50:00Z off");
    }

    @Test
    void a_range_up_to_the_middle_of_the_hour_that_comes_twice_is_left_and_entered_again() {
        Schedule schedule = berlin().range("01:00-02:30", ONE);
        assertThat(answers(schedule, "2024-10-26T12:00:00Z", "2024-10-27T12:00:00Z"))
                .containsExactly(
                        "2024-10-26T23:00:00Z on", "2024-10-27T00:30:00Z off",
                        "2024-10-27T01:00:00Z on", "2024-10-27T01:30:00Z off");
    }

    @Test
    void a_range_that_starts_at_a_midnight_that_does_not_exist_starts_at_the_jump() {
        Schedule schedule = Schedule.in(ZoneId.of("America/Sao_Paulo"))
                .range("*-00:30", ONE)
                .range("00:30-06:00", TWO);
        assertThat(changes(schedule, "2017-10-14T20:00:00Z", "2017-10-15T12:00:00Z"))
                .containsExactly("2017-10-15T03:00:00Z", "2017-10-15T08:00:00Z");
        assertThat(schedule.at(Instant.parse("2017-10-15T03:00:00Z"))).contains(TWO);
    }

    @Test
    void a_day_that_is_skipped_skips_its_ranges() {
        Schedule schedule = Schedule.in(ZoneId.of("Pacific/Apia")).range("08:00-12:00", ONE);
        assertThat(answers(schedule, "2011-12-29T10:00:00Z", "2011-12-31T10:00:00Z"))
                .containsExactly(
                        "2011-12-29T18:00:00Z on", "2011-12-29T22:00:00Z off",
                        "2011-12-30T18:00:00Z on", "2011-12-30T22:00:00Z off");
    }

    @ParameterizedTest
    @CsvSource({
        "UTC, 2024-02-28",
        "Europe/Berlin, 2024-03-30",
        "Europe/Berlin, 2024-10-26",
        "Europe/Berlin, 2045-03-25",
        "America/New_York, 2024-03-09",
        "America/New_York, 2024-11-02",
        "Australia/Lord_Howe, 2024-04-06",
        "Australia/Lord_Howe, 2024-10-05",
        "Pacific/Apia, 2011-12-29",
        "America/Sao_Paulo, 2017-10-14",
        "America/Sao_Paulo, 2018-02-17",
        "Africa/Cairo, 2014-05-15",
        "Africa/Cairo, 2014-09-25",
        "Asia/Kathmandu, 1985-12-31",
    })
    void walking_from_change_to_change_misses_none(String zone, String firstDay) {
        Instant from = Instant.parse(firstDay + "T00:00:00Z").minus(Duration.ofHours(14));
        Instant until = from.plus(Duration.ofHours(84));
        IntStream.range(0, SCHEDULES).forEach(seed -> {
            WallClockSchedule expected = WallClockSchedule.random(ZoneId.of(zone), new Random(seed));
            assertSameWalk(expected, expected.toSchedule(), from, until);
        });
    }

    /** Between two changes every step has the answer of the first; so a change that is skipped shows at the next step. */
    private static void assertSameWalk(WallClockSchedule expected, Schedule schedule, Instant from, Instant until) {
        Instant change = from;
        Instant next = nextChange(schedule, from);
        for (Instant step = from; step.isBefore(until); step = step.plus(STEP)) {
            while (!next.isAfter(step)) {
                assertSameAnswer(expected, schedule, next.minusMillis(1), change);
                assertThat(next).isAfter(change);
                change = next;
                assertSameAnswer(expected, schedule, change, change);
                next = nextChange(schedule, change);
            }
            assertSameAnswer(expected, schedule, step, change);
            assertThat(nextChange(schedule, step)).isEqualTo(next);
        }
    }

    private static Instant nextChange(Schedule schedule, Instant now) {
        return schedule.nextChange(now).orElse(Instant.MAX);
    }

    private static void assertSameAnswer(
            WallClockSchedule expected, Schedule schedule, Instant moment, Instant lastChange) {
        assertThat(schedule.at(moment)).as("%s at %s", schedule, moment).isEqualTo(expected.at(moment));
        assertThat(expected.at(moment))
                .as("%s at %s, since %s", schedule, moment, lastChange)
                .isEqualTo(expected.at(lastChange));
    }

    private static List<String> changes(Schedule schedule, String from, String until) {
        List<String> moments = new ArrayList<>();
        Instant end = Instant.parse(until);
        Instant next = schedule.nextChange(Instant.parse(from)).orElseThrow();
        while (!next.isAfter(end)) {
            moments.add(next.toString());
            next = schedule.nextChange(next).orElseThrow();
        }
        return moments;
    }

    /** Only the changes at which the answer is indeed another. */
    private static List<String> answers(Schedule schedule, String from, String until) {
        return changes(schedule, from, until).stream()
                .map(Instant::parse)
                .filter(change -> !schedule.at(change).equals(schedule.at(change.minusMillis(1))))
                .map(change -> change + (schedule.at(change).isPresent() ? " on" : " off"))
                .toList();
    }

    private static Schedule berlin() {
        return Schedule.in(ZoneId.of("Europe/Berlin"));
    }

    private static Schedule utc() {
        return Schedule.in(ZoneOffset.UTC);
    }
}
