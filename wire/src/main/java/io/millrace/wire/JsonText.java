package io.millrace.wire;

import io.millrace.InvalidValueException;
import io.millrace.Payload;

/** Payloads that say they are JSON, and go into a larger text as they are. */
public final class JsonText {
    private JsonText() {}

    /**
     * Checks that a payload is one JSON value, if it claims to be JSON: anything else would break the text around it.
     *
     * @throws InvalidValueException if it is not
     */
    public static void check(String field, Payload payload) {
        if (payload.isJson() && payload.size() > 0) {
            try {
                var unused = JsonIn.request(payload.toBytes(), in -> in.json(Integer.MAX_VALUE));
            } catch (WireException e) {
                throw new InvalidValueException(field, payload, "it must be JSON: " + e.detail());
            }
        }
    }

    /** Whether a payload can go into a larger text as it is. What was enqueued beside the server was never checked. */
    static boolean isWhole(Payload payload) {
        try {
            var unused = JsonIn.answer(payload.toBytes(), in -> in.json(Integer.MAX_VALUE));
            return true;
        } catch (WireException e) {
            return false;
        }
    }
}
