package io.millrace;

import java.time.LocalTime;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A part of every day, as written in a schedule.
 *
 * @param text as given
 * @param start the first nanosecond of the day that belongs to it
 * @param end the first nanosecond that no longer does; before the start if the span goes across midnight
 */
record DaySpan(String text, long start, long end) {
    static final long DAY = TimeUnit.DAYS.toNanos(1);

    private static final String OPEN = "*";
    private static final Pattern TIME = Pattern.compile("([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{3})?)?");

    static DaySpan parse(String field, String given) {
        String text = Limits.present(field, given);
        int dash = text.indexOf('-');
        if (dash < 0) {
            throw malformed(field, text);
        }
        long start = nanoOfDay(field, text, text.substring(0, dash), 0);
        long end = nanoOfDay(field, text, text.substring(dash + 1), DAY);
        if (start == end) {
            throw new InvalidValueException(field, text, "it must not end where it starts; use *-* for the whole day");
        }
        return new DaySpan(text, start, end);
    }

    boolean contains(long nanoOfDay) {
        return start < end ? nanoOfDay >= start && nanoOfDay < end : nanoOfDay >= start || nanoOfDay < end;
    }

    /** Of two spans that meet, one holds the start of the other. */
    boolean overlaps(DaySpan other) {
        return contains(other.start) || other.contains(start);
    }

    private static long nanoOfDay(String field, String text, String side, long open) {
        if (side.equals(OPEN)) {
            return open;
        }
        if (!TIME.matcher(side).matches()) {
            throw malformed(field, text);
        }
        return LocalTime.parse(side).toNanoOfDay();
    }

    private static InvalidValueException malformed(String field, String text) {
        return new InvalidValueException(
                field,
                text,
                "it must be START-END, such as 08:00-12:00, each of them HH:MM, HH:MM:SS or HH:MM:SS.mmm from 00:00 to"
                        + " 23:59:59.999, or * for the start or the end of the day");
    }
}
