package io.millrace.internal.lifecycle;

import io.millrace.Limits;
import io.millrace.Retry;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long after a failure the next attempt comes. */
public final class RetryDelay {
    private static final double LONGEST_MILLIS = Limits.LONGEST.toMillis();

    private RetryDelay() {}

    /** @param number which retry this is, from 1 */
    public static Duration of(Retry retry, int number, RandomGenerator chance) {
        double most = retry.cap() == null ? LONGEST_MILLIS : retry.cap().toMillis();
        double plain = Math.min(plain(retry, number, chance), most);
        double delay = switch (retry.jitter()) {
            case NONE -> plain;
            case FULL -> plain * chance.nextDouble();
            case HALF -> plain / 2 + plain / 2 * chance.nextDouble();
            case DECORRELATED -> decorrelated(retry, number, most, chance);
        };
        return Duration.ofMillis(Math.round(Math.min(delay, most)));
    }

    /** The delay in milliseconds without cap and jitter; doubles saturate where longs would overflow. */
    private static double plain(Retry retry, int n, RandomGenerator chance) {
        double base = retry.base().toMillis();
        return switch (retry.backoff()) {
            case CONSTANT -> base;
            case LINEAR -> base * n;
            case EXPONENTIAL -> base * Math.pow(2, n - 1);
            case QUADRATIC -> base * n * n;
            case POLYNOMIAL -> base * Math.pow(n, 3);
            case LOGARITHMIC -> base * Math.log(n + 1) / Math.log(2);
            case FIBONACCI -> base * fibonacci(n);
            case RANDOM -> 2 * base * chance.nextDouble();
        };
    }

    private static double decorrelated(Retry retry, int number, double most, RandomGenerator chance) {
        double base = retry.base().toMillis();
        double previous = number == 1 ? base : Math.min(plain(retry, number - 1, chance), most);
        double reach = Math.max(0, 3 * previous - base);
        return base + reach * chance.nextDouble();
    }

    private static double fibonacci(int n) {
        double before = 0;
        double current = 1;
        for (int i = 1; i < n && current < LONGEST_MILLIS; i++) {
            double next = before + current;
            before = current;
            current = next;
        }
        return current;
    }
}
