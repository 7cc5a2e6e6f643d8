package io.millrace;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * How many workers a pool has, by the time of day. Outside of all ranges the schedule has no say.
 *
 * <pre>{@code
 * Schedule.in(ZoneId.of("Europe/Berlin"))
 *         .range("08:00-12:00", Staffing.between(5, 10))
 *         .range("22:00-06:00", Staffing.fixed(1))
 * }</pre>
 *
 * <p>The wall clock of the zone decides, also when it is put forward or back: a range that starts in the hour left out
 * in spring starts at the jump, and one that starts in the hour that comes twice in autumn may start twice.
 *
 * <p>Two schedules are equal if they have the same zone and the same ranges, in whichever order these were added.
 */
public final class Schedule {
    private final ZoneId zone;
    private final List<Shift> shifts;
    private final long[] changes;

    private Schedule(ZoneId zone, List<Shift> shifts) {
        this.zone = zone;
        this.shifts = shifts;
        changes = shifts.stream()
                .map(Shift::span)
                .flatMapToLong(span -> LongStream.of(span.start(), span.end() % DaySpan.DAY))
                .filter(this::isChange)
                .distinct()
                .sorted()
                .toArray();
    }

    /** No ranges yet. */
    public static Schedule in(ZoneId zone) {
        return new Schedule(Limits.present("schedule.zone", zone), List.of());
    }

    /** No ranges yet, in the zone that is the system's now; the schedule keeps it when the system gets another. */
    public static Schedule inSystemZone() {
        return in(ZoneId.systemDefault());
    }

    /**
     * This schedule and one more range.
     *
     * @param text start and end, each as {@code HH:MM}, {@code HH:MM:SS} or {@code HH:MM:SS.mmm}, or {@code *} for the
     *     start and the end of the day. The start belongs to the range, the end does not. A range that ends before it
     *     starts goes across midnight.
     * @throws InvalidValueException if the text is not of that form, ends where it starts, or overlaps another range
     */
    public Schedule range(String text, Staffing staffing) {
        DaySpan span = DaySpan.parse("schedule.range", text);
        for (Shift shift : shifts) {
            if (shift.span.overlaps(span)) {
                throw new InvalidValueException(
                        "schedule.range", text, "it must not overlap \"" + shift.span.text() + "\"");
            }
        }
        List<Shift> more = new ArrayList<>(shifts);
        more.add(new Shift(span, Limits.present("schedule.staffing", staffing)));
        more.sort(Comparator.comparingLong(shift -> shift.span.start()));
        return new Schedule(zone, List.copyOf(more));
    }

    /** The staffing of the range that the zone's wall clock is in at a moment; empty if it is in none. */
    public Optional<Staffing> at(Instant moment) {
        return on(nanoOfDay(Limits.present("moment", moment)));
    }

    /**
     * The next moment after {@code now} at which the answer of {@link #at} may be another: a range starts or ends, or
     * the clock is put forward or back. Between the two moments the answer stays as it is now. Empty if the answer never
     * changes.
     */
    public Optional<Instant> nextChange(Instant now) {
        Limits.present("now", now);
        if (changes.length == 0) {
            return Optional.empty();
        }
        // Up to the next transition the wall clock runs evenly; what lies behind it is asked for from there.
        Instant change = now.plusNanos(nanosToChange(nanoOfDay(now)));
        ZoneOffsetTransition transition = zone.getRules().nextTransition(now);
        return Optional.of(
                transition != null && transition.getInstant().isBefore(change) ? transition.getInstant() : change);
    }

    /**
     * The same ranges, with the factors of {@code base} where a range sets none of its own.
     *
     * @throws InvalidValueException if a range has a sleep factor then that is not below its wake-up factor
     */
    Schedule over(Staffing base) {
        return new Schedule(
                zone,
                shifts.stream()
                        .map(shift -> new Shift(shift.span, shift.over(base)))
                        .toList());
    }

    /** The most workers that any range, or {@code base} outside of the ranges, allows: a pool is sized by it. */
    public int largestMax(Staffing base) {
        int ofBase = Limits.present("base", base).max();
        return shifts.stream().mapToInt(shift -> shift.staffing.max()).reduce(ofBase, Math::max);
    }

    public ZoneId zone() {
        return zone;
    }

    /** All ranges, sorted by their start. */
    public List<Range> ranges() {
        return shifts.stream().map(Shift::toRange).toList();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Schedule that && zone.equals(that.zone) && shifts.equals(that.shifts);
    }

    @Override
    public int hashCode() {
        return Objects.hash(zone, shifts);
    }

    @Override
    public String toString() {
        String text = ranges().stream().map(Range::toString).collect(Collectors.joining(", "));
        return "Schedule[" + zone + ": " + (text.isEmpty() ? "no ranges" : text) + "]";
    }

    private long nanoOfDay(Instant moment) {
        return LocalTime.ofInstant(moment, zone).toNanoOfDay();
    }

    private Optional<Staffing> on(long nanoOfDay) {
        return shifts.stream()
                .filter(shift -> shift.span.contains(nanoOfDay))
                .map(Shift::staffing)
                .findFirst();
    }

    /** Where ranges of the same staffing meet, nothing changes. */
    private boolean isChange(long nanoOfDay) {
        return !on(nanoOfDay).equals(on(Math.floorMod(nanoOfDay - 1, DaySpan.DAY)));
    }

    private long nanosToChange(long nanoOfDay) {
        for (long change : changes) {
            if (change > nanoOfDay) {
                return change - nanoOfDay;
            }
        }
        return DaySpan.DAY - nanoOfDay + changes[0];
    }

    /**
     * A range of a schedule.
     *
     * @param text as it was given
     */
    public record Range(String text, Staffing staffing) {
        public Range {
            Limits.present("schedule.range", text);
            Limits.present("schedule.staffing", staffing);
        }

        @Override
        public String toString() {
            return text + " " + staffing;
        }
    }

    private record Shift(DaySpan span, Staffing staffing) {
        Staffing over(Staffing base) {
            try {
                return staffing.over(base);
            } catch (InvalidValueException e) {
                throw new InvalidValueException(
                        "schedule.range",
                        span.text(),
                        "its sleep factor must be less than its wake-up factor, and a factor that it does not set is that"
                                + " of the queue (" + e.getMessage() + ")");
            }
        }

        Range toRange() {
            return new Range(span.text(), staffing);
        }
    }
}
