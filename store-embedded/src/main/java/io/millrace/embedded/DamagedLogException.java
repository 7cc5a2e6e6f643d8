package io.millrace.embedded;

import java.nio.file.Path;

/**
 * A log holds something that no crash leaves behind, so that frames which were durable may be lost. It was not opened,
 * and nothing in its directory was changed.
 */
public final class DamagedLogException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String file;
    private final long offset;
    private final String reason;

    DamagedLogException(Path file, long offset, String reason) {
        super(file + " is damaged at offset " + offset + ": " + reason
                + ". Nothing was changed. Put a copy in place of the directory,"
                + " or let repair write all that is readable to a new directory and open that.");
        this.file = file.toString();
        this.offset = offset;
        this.reason = reason;
    }

    public Path file() {
        return Path.of(file);
    }

    /** Where in the file the damage begins. */
    public long offset() {
        return offset;
    }

    public String reason() {
        return reason;
    }
}
