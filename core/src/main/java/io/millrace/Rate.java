package io.millrace;

import java.time.Duration;

/** At most {@code limit} starts in {@code per}, evenly spread, with bursts of up to {@code limit} after a quiet time. */
public record Rate(int limit, Duration per) {
    public Rate {
        Limits.between("rate.limit", limit, 1, 1_000_000_000);
        per = Limits.positive("rate.per", per);
    }
}
