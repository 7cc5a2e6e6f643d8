package io.millrace.internal.engine;

import io.millrace.spi.Records;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/** 256 random bits that are kept in the store: all its nodes know them, and nobody else does. */
final class StoreSecret {
    private static final String KEY = "secret";
    private static final int BYTES = 32;

    private StoreSecret() {}

    /** The secret; whoever asks first makes it. */
    static byte[] of(Records records) {
        Optional<Records.Entry> known = records.get(KEY);
        while (known.isEmpty()) {
            byte[] random = new byte[BYTES];
            new SecureRandom().nextBytes(random);
            // another node may be quicker; then its secret counts
            var unused = records.put(KEY, HexFormat.of().formatHex(random), Records.ABSENT);
            known = records.get(KEY);
        }
        return HexFormat.of().parseHex(known.get().value());
    }
}
