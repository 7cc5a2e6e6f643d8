package io.millrace.cli;

import org.jspecify.annotations.Nullable;

/** What commands have in common. */
final class Commands {
    private Commands() {}

    /** What picocli has set by now. */
    static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("picocli has not set it");
        }
        return value;
    }
}
