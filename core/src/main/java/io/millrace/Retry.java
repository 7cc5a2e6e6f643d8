package io.millrace;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How often and when a failed task, or item of an in-process queue, is tried again. M retries mean M + 1 attempts.
 *
 * <pre>{@code Retry.exponential(Duration.ofSeconds(1)).max(3).cap(Duration.ofMinutes(1)).jitter(Jitter.FULL)}</pre>
 *
 * @param max how many retries
 * @param backoff how the delay grows
 * @param base the first delay
 * @param cap the longest delay, jitter included; null for none
 * @param jitter how the delay varies
 */
public record Retry(
        int max, Backoff backoff, Duration base, @Nullable Duration cap, Jitter jitter) {
    /** No retries; when {@link #max(int)} raises that: 20 s, 40 s, 80 s, … */
    public static final Retry DEFAULT = exponential(Duration.ofSeconds(20));

    public Retry {
        Limits.between("retry.max", max, 0, Limits.RETRIES);
        Limits.present("retry.backoff", backoff);
        base = Limits.notNegative("retry.base", base);
        cap = cap == null ? null : Limits.positive("retry.cap", cap);
        Limits.present("retry.jitter", jitter);
    }

    public static Retry of(Backoff backoff, Duration base) {
        return new Retry(0, backoff, base, null, Jitter.NONE);
    }

    public static Retry exponential(Duration base) {
        return of(Backoff.EXPONENTIAL, base);
    }

    public static Retry constant(Duration delay) {
        return of(Backoff.CONSTANT, delay);
    }

    public Retry max(int retries) {
        return new Retry(retries, backoff, base, cap, jitter);
    }

    public Retry cap(Duration longest) {
        return new Retry(max, backoff, base, longest, jitter);
    }

    public Retry jitter(Jitter chosen) {
        return new Retry(max, backoff, base, cap, chosen);
    }
}
