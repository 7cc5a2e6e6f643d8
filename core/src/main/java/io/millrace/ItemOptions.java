package io.millrace;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is said about one item when it is put: {@code queue.put(mail, ItemOptions.DEFAULT.delay(Duration.ofMinutes(1)))}.
 *
 * @param delay it does not run before this has passed; null for the queue's delay
 * @param deadline it is skipped if no worker has taken it within this time; null for the queue's deadline
 * @param weight what {@link Qos#byWeight} goes by
 */
public record ItemOptions(
        @Nullable Duration delay, @Nullable Duration deadline, int weight) {
    /** Nothing special. */
    public static final ItemOptions DEFAULT = new ItemOptions(null, null, 1);

    public ItemOptions {
        delay = delay == null ? null : Limits.notNegative("delay", delay);
        deadline = deadline == null ? null : Limits.positive("deadline", deadline);
        Limits.between("weight", weight, 0, Qos.HEAVIEST);
        if (delay != null && deadline != null && delay.compareTo(deadline) >= 0) {
            throw new InvalidValueException(
                    "deadline", deadline, "it must be longer than the delay, which is " + delay);
        }
    }

    public ItemOptions delay(Duration value) {
        return new ItemOptions(Limits.present("delay", value), deadline, weight);
    }

    public ItemOptions deadline(Duration value) {
        return new ItemOptions(delay, Limits.present("deadline", value), weight);
    }

    public ItemOptions weight(int value) {
        return new ItemOptions(delay, deadline, value);
    }
}
