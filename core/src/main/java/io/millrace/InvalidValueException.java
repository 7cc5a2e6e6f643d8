package io.millrace;

import org.jspecify.annotations.Nullable;

/** A value that Millrace does not take. The message names the field, the value and what is allowed; nothing was changed. */
public final class InvalidValueException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 80;

    private final String field;

    public InvalidValueException(String field, @Nullable Object value, String allowed) {
        super(field + ": " + shorten(value) + " is not allowed; " + allowed);
        this.field = field;
    }

    private InvalidValueException(String message, String field) {
        super(message);
        this.field = field;
    }

    /** One that was thrown elsewhere, with the message that it had there. */
    public static InvalidValueException told(String field, String message) {
        return new InvalidValueException(message, field);
    }

    /** The field at fault, by its name in the HTTP API, such as {@code retry.max}. */
    public String field() {
        return field;
    }

    private static String shorten(@Nullable Object value) {
        String text = String.valueOf(value);
        String quote = value instanceof CharSequence ? "\"" : "";
        return text.length() <= SHOWN
                ? quote + text + quote
                : quote + text.substring(0, SHOWN) + "…" + quote + " (" + text.length() + " characters)";
    }
}
