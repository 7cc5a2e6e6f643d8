package io.millrace;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a final task is kept. What is null is left to the topic, and there to {@link #DEFAULT}. Zero means that
 * nothing is kept: the task is gone with its last report.
 *
 * @param succeeded for tasks that succeeded
 * @param failed for all others: failed, timed out, cancelled, expired
 */
public record Retention(
        @Nullable Duration succeeded, @Nullable Duration failed) {
    /** A day for what succeeded, a week for what did not. */
    public static final Retention DEFAULT = new Retention(Duration.ofDays(1), Duration.ofDays(7));

    public static final Retention UNSET = new Retention(null, null);

    public Retention {
        succeeded = succeeded == null ? null : Limits.notNegative("retention.succeeded", succeeded);
        failed = failed == null ? null : Limits.notNegative("retention.failed", failed);
    }

    public @Nullable Duration of(TaskState state) {
        return state == TaskState.SUCCEEDED ? succeeded : failed;
    }
}
