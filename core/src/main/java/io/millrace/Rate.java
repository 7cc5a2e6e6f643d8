package io.millrace;

import java.time.Duration;

/**
 * How quickly tasks start: {@code limit} in {@code per}, evenly spread. After a quiet time up to {@code limit} start at
 * once before the even pace goes on.
 */
public record Rate(int limit, Duration per) {
    public Rate {
        Limits.between("rate.limit", limit, 1, 1_000_000_000);
        per = Limits.positive("rate.per", per);
    }
}
