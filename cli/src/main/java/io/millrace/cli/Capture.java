package io.millrace.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** What a program prints, read to the end so that the program never waits, and kept up to a limit. */
final class Capture {
    private final byte[] kept;
    private final boolean keepsLast;
    private final CompletableFuture<Capture> ended;
    private long total;

    private Capture(InputStream in, int limit, boolean keepsLast, Executor executor) {
        kept = new byte[limit];
        this.keepsLast = keepsLast;
        ended = CompletableFuture.supplyAsync(() -> readAll(in), executor);
    }

    static Capture first(InputStream in, int limit, Executor executor) {
        return new Capture(in, limit, false, executor);
    }

    static Capture last(InputStream in, int limit, Executor executor) {
        return new Capture(in, limit, true, executor);
    }

    private Capture readAll(InputStream in) {
        byte[] buffer = new byte[8_192];
        try (in) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                add(buffer, count);
            }
        } catch (IOException e) {
            // the program is gone, and what it said until then is here
        }
        return this;
    }

    private synchronized void add(byte[] buffer, int count) {
        for (int i = 0; i < count; i++) {
            if (keepsLast || total < kept.length) {
                kept[(int) (total % kept.length)] = buffer[i];
            }
            total++;
        }
    }

    /** Done when there is nothing more to read. */
    CompletableFuture<Capture> ended() {
        return ended;
    }

    /** How many bytes there were, kept or not. */
    synchronized long total() {
        return total;
    }

    synchronized byte[] bytes() {
        if (total <= kept.length) {
            return Arrays.copyOf(kept, (int) total);
        }
        byte[] bytes = new byte[kept.length];
        int from = keepsLast ? (int) (total % kept.length) : 0;
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = kept[(from + i) % kept.length];
        }
        return bytes;
    }
}
