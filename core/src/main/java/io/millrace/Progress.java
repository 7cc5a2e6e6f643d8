package io.millrace;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a running task last said of itself. */
public record Progress(@Nullable Integer percent, @Nullable String message, Instant at) {
    public Progress {
        if (percent != null) {
            Limits.between("percent", percent, 0, 100);
        }
        if (message != null) {
            Limits.atMost("message", message, Limits.ERROR_LENGTH);
        }
    }
}
