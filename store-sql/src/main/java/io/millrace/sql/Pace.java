package io.millrace.sql;

import io.millrace.Rate;

/** The arithmetic of a rate: when the last start would have been due at an even pace. */
final class Pace {
    private Pace() {}

    /** How many starts the rate allows now. */
    static long allowed(Rate rate, double pace, long now) {
        double per = rate.per().toMillis();
        double room = now + per - under(rate, pace, now);
        // a hair more than exact, or rounding would cost the last start of a burst
        return (long) Math.min(Integer.MAX_VALUE, Math.floor(room * rate.limit() / per + 1e-6));
    }

    static double after(int started, Rate rate, double pace, long now) {
        return under(rate, pace, now) + started * ((double) rate.per().toMillis() / rate.limit());
    }

    /** When the rate will allow one more start. */
    static long next(Rate rate, double pace, long now) {
        double per = rate.per().toMillis();
        return (long) Math.ceil(under(rate, pace, now) + per / rate.limit() - per - 1e-6);
    }

    /** The pace as this rate sees it: never so far ahead that an older, slower rate would be paid for. */
    private static double under(Rate rate, double pace, long now) {
        return Math.min(Math.max(pace, (double) now), (double) now + rate.per().toMillis());
    }
}
