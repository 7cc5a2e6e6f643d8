package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Staffing ONE = Staffing.fixed(1);
    private static final Staffing TWO = Staffing.fixed(2);
    private static final Staffing DAY = Staffing.between(5, 10);
    private static final Schedule EMPTY = Schedule.in(ZoneOffset.UTC);

    @ParameterizedTest
    @CsvSource({
        "08:00-12:00, 07:59:59.999, false",
        "08:00-12:00, 08:00:00.000, true",
        "08:00-12:00, 11:59:59.999, true",
        "08:00-12:00, 12:00:00.000, false",
        "08:00:30-12:00, 08:00:29.999, false",
        "08:00:30-12:00, 08:00:30.000, true",
        "08:00-08:00:00.001, 08:00:00.000, true",
        "08:00-08:00:00.001, 08:00:00.001, false",
        "22:00-06:00, 21:59:59.999, false",
        "22:00-06:00, 22:00:00.000, true",
        "22:00-06:00, 00:00:00.000, true",
        "22:00-06:00, 05:59:59.999, true",
        "22:00-06:00, 06:00:00.000, false",
        "22:00-00:00, 23:59:59.999, true",
        "22:00-00:00, 00:00:00.000, false",
        "22:00-*, 21:59:59.999, false",
        "22:00-*, 23:59:59.999, true",
        "22:00-*, 00:00:00.000, false",
        "*-06:00, 00:00:00.000, true",
        "*-06:00, 06:00:00.000, false",
        "*-06:00, 23:59:59.999, false",
        "00:00-*, 00:00:00.000, true",
        "*-*, 00:00:00.000, true",
        "*-*, 23:59:59.999, true",
    })
    void a_range_holds_its_start_and_not_its_end(String range, String time, boolean inside) {
        Instant moment = Instant.parse("2024-06-01T" + time + "Z");
        assertThat(EMPTY.range(range, ONE).at(moment).isPresent()).isEqualTo(inside);
    }

    @Test
    void the_wall_clock_of_the_zone_decides() {
        Schedule schedule = Schedule.in(BERLIN).range("08:00-12:00", DAY);
        assertThat(schedule.at(Instant.parse("2024-01-15T07:00:00Z"))).contains(DAY);
        assertThat(schedule.at(Instant.parse("2024-07-15T05:59:59.999Z"))).isEmpty();
        assertThat(schedule.at(Instant.parse("2024-07-15T06:00:00Z"))).contains(DAY);
        assertThat(schedule.at(Instant.parse("2024-07-15T10:00:00Z"))).isEmpty();
    }

    @Test
    void each_range_has_its_own_staffing() {
        Schedule schedule =
                EMPTY.range("08:00-12:00", DAY).range("12:00-13:00", TWO).range("22:00-06:00", ONE);
        assertThat(schedule.at(Instant.parse("2024-06-01T09:00:00Z"))).contains(DAY);
        assertThat(schedule.at(Instant.parse("2024-06-01T12:00:00Z"))).contains(TWO);
        assertThat(schedule.at(Instant.parse("2024-06-01T15:00:00Z"))).isEmpty();
        assertThat(schedule.at(Instant.parse("2024-06-01T03:00:00Z"))).contains(ONE);
    }

    @Test
    void adding_a_range_leaves_the_schedule_as_it_was() {
        Schedule one = EMPTY.range("08:00-12:00", DAY);
        one.range("12:00-13:00", ONE);
        assertThat(EMPTY.ranges()).isEmpty();
        assertThat(one.ranges()).containsExactly(new Schedule.Range("08:00-12:00", DAY));
    }

    @Test
    void the_ranges_are_sorted_by_start_and_cannot_be_changed() {
        List<Schedule.Range> ranges =
                EMPTY.range("22:00-06:00", ONE).range("08:00-12:00", DAY).ranges();
        assertThat(ranges)
                .containsExactly(new Schedule.Range("08:00-12:00", DAY), new Schedule.Range("22:00-06:00", ONE))
                .isUnmodifiable();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "*",
                "08:00",
                "08:00-",
                "-12:00",
                "08:00-12:00-",
                "08:00--12:00",
                "08:00-12:00-13:00",
                "8:00-12:00",
                "08:0-12:00",
                "08:00-12:5",
                "008:00-12:00",
                "08:000-12:00",
                "08:00:1-12:00",
                "08:00:00.1-12:00",
                "08:00:00.1234-12:00",
                "08:00:00,123-12:00",
                "08:00.123-12:00",
                "08-12",
                "0800-1200",
                "24:00-12:00",
                "08:00-24:00",
                "08:60-12:00",
                "08:00-12:00:60",
                "08:00-12:00x",
                "08:00-12:00\n",
                "x08:00-12:00",
                "08:00-12:00Z",
                "08: 00-12:00",
                "08:00 - 12:00",
                " 08:00-12:00",
                "08:00-12:00 ",
                "**-12:00",
                "08:00-noon",
                "٠٨:٠٠-12:00",
                "08:00–12:00",
            })
    void a_malformed_range_is_refused(String range) {
        refused(EMPTY, range, "it must be START-END, such as 08:00-12:00");
    }

    @ParameterizedTest
    @ValueSource(strings = {"08:00-08:00", "08:00-08:00:00.000", "00:00-00:00", "*-00:00"})
    void a_range_that_ends_where_it_starts_is_refused(String range) {
        refused(EMPTY, range, "it must not end where it starts; use *-* for the whole day");
    }

    @ParameterizedTest
    @CsvSource({
        "08:00-12:00, 08:00-12:00",
        "08:00-12:00, 09:00-10:00",
        "09:00-10:00, 08:00-12:00",
        "08:00-12:00, 11:59:59.999-13:00",
        "08:00-12:00, 07:00-08:00:00.001",
        "22:00-06:00, 05:00-07:00",
        "22:00-06:00, 23:00-*",
        "22:00-06:00, *-01:00",
        "22:00-06:00, 23:00-01:00",
        "22:00-06:00, 20:00-04:00",
        "*-*, 08:00-12:00",
        "08:00-12:00, *-*",
        "08:00-12:00, 12:00-11:00",
    })
    void a_range_that_overlaps_another_is_refused_with_both_named(String first, String second) {
        refused(EMPTY.range(first, ONE), second, "it must not overlap \"" + first + "\"");
    }

    @ParameterizedTest
    @CsvSource({
        "08:00-12:00, 12:00-13:00",
        "12:00-13:00, 08:00-12:00",
        "22:00-06:00, 06:00-22:00",
        "22:00-*, *-06:00",
        "22:00-00:00, 00:00-06:00",
        "08:00-12:00, 12:00-08:00",
    })
    void ranges_that_only_meet_are_taken(String first, String second) {
        assertThat(EMPTY.range(first, ONE).range(second, TWO).ranges()).hasSize(2);
    }

    @Test
    void what_is_missing_is_refused_by_name() {
        String required = "it is required";
        new BadInput("text", () -> EMPTY.range(null, ONE), "schedule.range", "null", required).assertRefused();
        new BadInput("staffing", () -> EMPTY.range("*-*", null), "schedule.staffing", "null", required).assertRefused();
        new BadInput("zone", () -> Schedule.in(null), "schedule.zone", "null", required).assertRefused();
        new BadInput("moment", () -> EMPTY.at(null), "moment", "null", required).assertRefused();
        new BadInput("now", () -> EMPTY.nextChange(null), "now", "null", required).assertRefused();
        new BadInput("base", () -> EMPTY.largestMax(null), "base", "null", required).assertRefused();
    }

    @Test
    void an_over_long_range_is_shown_in_part() {
        assertThatThrownBy(() -> EMPTY.range("0".repeat(100_000), ONE)).hasMessageContaining("(100000 characters)");
    }

    @Test
    void the_system_zone_is_taken_when_asked_for() {
        assertThat(Schedule.inSystemZone()).isEqualTo(Schedule.in(ZoneId.systemDefault()));
        assertThat(Schedule.in(BERLIN).zone()).isEqualTo(BERLIN);
    }

    @Test
    void the_largest_maximum_is_that_of_a_range_or_of_the_base() {
        Schedule schedule = EMPTY.range("08:00-12:00", DAY).range("22:00-06:00", ONE);
        assertThat(schedule.largestMax(TWO)).isEqualTo(10);
        assertThat(schedule.largestMax(Staffing.between(1, 11))).isEqualTo(11);
        assertThat(EMPTY.largestMax(TWO)).isEqualTo(2);
    }

    @Test
    void equality_is_of_zone_and_ranges() {
        Schedule schedule = EMPTY.range("08:00-12:00", DAY).range("22:00-06:00", ONE);
        assertThat(EMPTY.range("22:00-06:00", ONE).range("08:00-12:00", DAY))
                .isEqualTo(schedule)
                .hasSameHashCodeAs(schedule);
        assertThat(schedule)
                .isNotEqualTo(EMPTY)
                .isNotEqualTo(EMPTY.range("08:00-12:00", DAY).range("22:00-06:00", TWO))
                .isNotEqualTo(EMPTY.range("08:00-12:00", DAY).range("22:00-05:00", ONE))
                .isNotEqualTo(Schedule.in(BERLIN).range("08:00-12:00", DAY).range("22:00-06:00", ONE));
    }

    @Test
    void it_prints_zone_ranges_and_staffing() {
        assertThat(Schedule.in(BERLIN).range("22:00-06:00", ONE).range("08:00-12:00", DAY))
                .hasToString("Schedule[Europe/Berlin: 08:00-12:00 " + DAY + ", 22:00-06:00 " + ONE + "]");
        assertThat(EMPTY).hasToString("Schedule[Z: no ranges]");
    }

    private static void refused(Schedule schedule, String range, String allowed) {
        new BadInput(range, () -> schedule.range(range, TWO), "schedule.range", "\"" + range + "\"", allowed)
                .assertRefused();
    }
}
