package io.millrace.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong, as RFC 9457 has it.
 *
 * @param type a URI that names the kind of problem; clients decide by it
 * @param title the kind in words
 * @param detail what went wrong this time
 * @param errors each bad field, up to the first hundred
 * @param more how many bad fields there are beside these
 * @param accepted of an enqueue by NDJSON that broke off: how many tasks are stored all the same
 */
public record Problem(
        String type,
        String title,
        int status,
        @Nullable String detail,
        List<FieldError> errors,
        int more,
        @Nullable Long accepted) {

    /**
     * @param pointer where in the body, as a JSON pointer; null for a parameter
     * @param parameter the query parameter at fault; null for a field of the body
     */
    public record FieldError(
            @Nullable String pointer, @Nullable String parameter, String detail) {
        public static FieldError field(String pointer, String detail) {
            return new FieldError(pointer, null, detail);
        }

        public static FieldError parameter(String name, String detail) {
            return new FieldError(null, name, detail);
        }
    }

    public Problem(String type, String title, int status, @Nullable String detail) {
        this(type, title, status, detail, List.of(), 0, null);
    }

    public Problem accepted(long tasks) {
        return new Problem(type, title, status, detail, errors, more, tasks);
    }
}
