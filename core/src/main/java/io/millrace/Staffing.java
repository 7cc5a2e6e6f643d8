package io.millrace;

/**
 * How many workers a pool has. Above the wake-up factor, which is a fill rate of the queue, one more worker is woken or
 * started; below the sleep factor workers go to sleep. There are never fewer than {@code min} nor more than {@code max}.
 *
 * <pre>{@code Staffing.between(5, 10).sleepFactor(0.2).wakeUpFactor(0.4)}</pre>
 *
 * @param min the fewest workers, 1 to 1,000,000
 * @param max the most workers, {@code min} to 1,000,000
 * @param wakeUpFactor how full the queue is when a worker wakes up; more than {@code sleepFactor}, up to 0.999999
 * @param sleepFactor how full the queue is when workers go to sleep; 0 or more
 */
public record Staffing(int min, int max, double wakeUpFactor, double sleepFactor) {
    public static final double DEFAULT_WAKE_UP_FACTOR = 0.75;
    public static final double DEFAULT_SLEEP_FACTOR = 0.5;

    static final int MOST_WORKERS = 1_000_000;
    /** At a factor of 1 only a queue that overflows would wake anybody. */
    private static final double LARGEST_FACTOR = 0.999999;

    /** @throws InvalidValueException if a number is out of its bounds; unused factors are checked too */
    public Staffing {
        Limits.between("workers.min", min, 1, MOST_WORKERS);
        Limits.between("workers.max", max, 1, MOST_WORKERS);
        if (min > max) {
            throw new InvalidValueException(
                    "workers.min", min, "it must not be more than workers.max, which is " + max);
        }
        factor("workers.wakeUpFactor", wakeUpFactor);
        factor("workers.sleepFactor", sleepFactor);
        if (sleepFactor >= wakeUpFactor) {
            throw new InvalidValueException(
                    "workers.sleepFactor",
                    sleepFactor,
                    "it must be less than workers.wakeUpFactor, which is " + wakeUpFactor
                            + (sleepFactor == DEFAULT_SLEEP_FACTOR ? "; this is its default, so set both" : ""));
        }
    }

    /** As many workers as the queue calls for, with the default factors. */
    public static Staffing between(int min, int max) {
        return new Staffing(min, max, DEFAULT_WAKE_UP_FACTOR, DEFAULT_SLEEP_FACTOR);
    }

    /** Always the same number of workers, however full the queue is. */
    public static Staffing fixed(int workers) {
        Limits.between("workers", workers, 1, MOST_WORKERS);
        return between(workers, workers);
    }

    /** For a value of 0.5 or less, lower the {@link #sleepFactor(double)} first. */
    public Staffing wakeUpFactor(double fillRate) {
        return new Staffing(min, max, fillRate, sleepFactor);
    }

    /** For a value of 0.75 or more, raise the {@link #wakeUpFactor(double)} first. */
    public Staffing sleepFactor(double fillRate) {
        return new Staffing(min, max, wakeUpFactor, fillRate);
    }

    /** Asks for what is allowed, not for what is wrong, so that NaN does not slip through. */
    static double factor(String field, double factor) {
        boolean allowed = factor >= 0 && factor <= LARGEST_FACTOR;
        if (!allowed) {
            throw new InvalidValueException(field, factor, "it must be between 0 and " + LARGEST_FACTOR);
        }
        return factor;
    }
}
