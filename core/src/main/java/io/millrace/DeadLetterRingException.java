package io.millrace;

import java.util.List;

/** A dead-letter topic leads, over the dead-letter topics of others, back to where it started. */
public final class DeadLetterRingException extends InvalidValueException {
    /** @param ring the topics in their order, the first one also at the end */
    public DeadLetterRingException(List<String> ring) {
        super("deadLetter", ring.get(1), "dead letters must not come back to where they came from: " + path(ring));
    }

    private static String path(List<String> ring) {
        return String.join(" → ", ring);
    }
}
