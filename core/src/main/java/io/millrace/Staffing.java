package io.millrace;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How many workers a pool has. Above the wake-up factor, which is a fill rate of the queue, one more worker is woken or
 * started; below the sleep factor workers go to sleep. There are never fewer than {@code min} nor more than {@code max}.
 *
 * <pre>{@code Staffing.between(5, 10).sleepFactor(0.2).wakeUpFactor(0.4)}</pre>
 *
 * <p>A factor that is not set is that of the queue in a range of a {@link Schedule}, and otherwise the default.
 */
public final class Staffing {
    public static final double DEFAULT_WAKE_UP_FACTOR = 0.75;
    public static final double DEFAULT_SLEEP_FACTOR = 0.5;

    static final int MOST_WORKERS = 1_000_000;
    /** At a factor of 1 only a queue that overflows would wake anybody. */
    private static final double LARGEST_FACTOR = 0.999999;

    private final int min;
    private final int max;
    private final @Nullable Double wakeUpFactor;
    private final @Nullable Double sleepFactor;

    private Staffing(int min, int max, @Nullable Double wakeUpFactor, @Nullable Double sleepFactor) {
        this.min = min;
        this.max = max;
        this.wakeUpFactor = wakeUpFactor;
        this.sleepFactor = sleepFactor;
    }

    /**
     * As many workers as the queue calls for.
     *
     * @param min the fewest workers, 1 to 1,000,000
     * @param max the most workers, {@code min} to 1,000,000
     * @throws InvalidValueException if a number is out of its bounds
     */
    public static Staffing between(int min, int max) {
        Limits.between("workers.min", min, 1, MOST_WORKERS);
        Limits.between("workers.max", max, 1, MOST_WORKERS);
        if (min > max) {
            throw new InvalidValueException(
                    "workers.min", min, "it must not be more than workers.max, which is " + max);
        }
        return new Staffing(min, max, null, null);
    }

    /** Always the same number of workers, however full the queue is. */
    public static Staffing fixed(int workers) {
        Limits.between("workers", workers, 1, MOST_WORKERS);
        return between(workers, workers);
    }

    /**
     * @param fillRate how full the queue is when a worker wakes up; more than the sleep factor, up to 0.999999
     * @throws InvalidValueException if it is out of its bounds, or not above a sleep factor that was set
     */
    public Staffing wakeUpFactor(double fillRate) {
        return new Staffing(min, max, factor("workers.wakeUpFactor", fillRate), sleepFactor).checkedIfBothSet();
    }

    /**
     * @param fillRate how full the queue is when workers go to sleep; 0 or more, less than the wake-up factor
     * @throws InvalidValueException if it is out of its bounds, or not below a wake-up factor that was set
     */
    public Staffing sleepFactor(double fillRate) {
        return new Staffing(min, max, wakeUpFactor, factor("workers.sleepFactor", fillRate)).checkedIfBothSet();
    }

    public int min() {
        return min;
    }

    public int max() {
        return max;
    }

    /** The wake-up factor; the default if none was set. */
    public double wakeUpFactor() {
        return wakeUpFactor == null ? DEFAULT_WAKE_UP_FACTOR : wakeUpFactor;
    }

    /** The sleep factor; the default if none was set. */
    public double sleepFactor() {
        return sleepFactor == null ? DEFAULT_SLEEP_FACTOR : sleepFactor;
    }

    /** The same with both factors set: those not set here are those of {@code base}, or the defaults. */
    Staffing over(Staffing base) {
        return new Staffing(
                        min,
                        max,
                        wakeUpFactor == null ? base.wakeUpFactor() : wakeUpFactor,
                        sleepFactor == null ? base.sleepFactor() : sleepFactor)
                .checked(sleepFactor == null && base.sleepFactor == null);
    }

    /** A factor alone may fit those that it will be completed with. */
    private Staffing checkedIfBothSet() {
        return wakeUpFactor == null || sleepFactor == null ? this : checked(false);
    }

    private Staffing checked(boolean isDefault) {
        if (sleepFactor() >= wakeUpFactor()) {
            throw new InvalidValueException(
                    "workers.sleepFactor",
                    sleepFactor(),
                    "it must be less than workers.wakeUpFactor, which is " + wakeUpFactor()
                            + (isDefault ? "; this is its default, so set both" : ""));
        }
        return this;
    }

    /** Asks for what is allowed, not for what is wrong, so that NaN does not slip through. */
    static double factor(String field, double factor) {
        boolean allowed = factor >= 0 && factor <= LARGEST_FACTOR;
        if (!allowed) {
            throw new InvalidValueException(field, factor, "it must be between 0 and " + LARGEST_FACTOR);
        }
        return factor;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Staffing that
                && min == that.min
                && max == that.max
                && Objects.equals(wakeUpFactor, that.wakeUpFactor)
                && Objects.equals(sleepFactor, that.sleepFactor);
    }

    @Override
    public int hashCode() {
        return Objects.hash(min, max, wakeUpFactor, sleepFactor);
    }

    @Override
    public String toString() {
        return "Staffing[min=" + min + ", max=" + max
                + (wakeUpFactor == null ? "" : ", wakeUpFactor=" + wakeUpFactor)
                + (sleepFactor == null ? "" : ", sleepFactor=" + sleepFactor) + "]";
    }
}
