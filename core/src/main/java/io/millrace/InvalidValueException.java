package io.millrace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value that Millrace does not take. The message names the field, the value and what is allowed; nothing was changed.
 * Where several were found, it names all of them, or the first and a number.
 */
public class InvalidValueException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 80;

    private final String field;
    private final List<String> messages;

    public InvalidValueException(String field, @Nullable Object value, String allowed) {
        this(field, List.of(field + ": " + shorten(value) + " is not allowed; " + allowed));
    }

    private InvalidValueException(String field, List<String> messages) {
        super(String.join("; and ", messages));
        this.field = field;
        this.messages = List.copyOf(messages);
    }

    /** One that was thrown elsewhere, with the message that it had there. */
    public static InvalidValueException told(String field, String message) {
        return told(field, List.of(message));
    }

    /**
     * Several values that were refused together.
     *
     * @param field the first field at fault
     * @param messages one for each field; there is at least one
     */
    public static InvalidValueException told(String field, List<String> messages) {
        return new InvalidValueException(field, messages);
    }

    /** What is wrong, each field for itself: the parts of the message. */
    public List<String> messages() {
        return messages;
    }

    /** The field at fault, by its name in the HTTP API, such as {@code retry.max}. */
    public String field() {
        return field;
    }

    private static String shorten(@Nullable Object value) {
        String text = Limits.clean(String.valueOf(value));
        String quote = value instanceof CharSequence ? "\"" : "";
        return text.length() <= SHOWN
                ? quote + text + quote
                : quote + text.substring(0, SHOWN) + "…" + quote + " (" + text.length() + " characters)";
    }
}
