package io.millrace.spi;

import io.millrace.Rate;

/** The arithmetic of a rate, for stores. A topic's pace is when its last start would have been due if all were even. */
public final class Pace {
    private Pace() {}

    /** How many starts the rate allows now. */
    public static long allowed(Rate rate, double pace, long now) {
        double per = rate.per().toMillis();
        double room = now + per - under(rate, pace, now);
        // a hair more than exact, or rounding would cost the last start of a burst
        return (long) Math.min(Integer.MAX_VALUE, Math.floor(room * rate.limit() / per + 1e-6));
    }

    /** The pace when so many more were started. */
    public static double after(int started, Rate rate, double pace, long now) {
        return under(rate, pace, now) + started * ((double) rate.per().toMillis() / rate.limit());
    }

    /** When the rate will allow one more start. */
    public static long next(Rate rate, double pace, long now) {
        double per = rate.per().toMillis();
        return (long) Math.ceil(under(rate, pace, now) + per / rate.limit() - per - 1e-6);
    }

    /** The pace as this rate sees it: never so far ahead that an older, slower rate would be paid for. */
    private static double under(Rate rate, double pace, long now) {
        return Math.min(Math.max(pace, (double) now), (double) now + rate.per().toMillis());
    }
}
