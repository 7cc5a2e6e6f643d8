package io.millrace.wire;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** Durations as text: {@code 250ms}, {@code 30s}, {@code 5m}, {@code 1h}, {@code 7d}, or ISO 8601 ({@code PT30S}). */
public final class Durations {
    static final String ALLOWED =
            "it must be a duration such as \"250ms\", \"30s\", \"5m\", \"1h\", \"7d\" or \"PT30S\"";

    private static final int MOST_DIGITS = 15;

    private Durations() {}

    /** @throws WireException without a pointer, if the text is no duration */
    public static Duration parse(String text) {
        Duration parsed = parseOrNull(text);
        if (parsed == null) {
            throw WireException.invalid("", ALLOWED);
        }
        return parsed;
    }

    static @Nullable Duration parseOrNull(String text) {
        int digits = 0;
        while (digits < text.length() && isDigit(text.charAt(digits))) {
            digits++;
        }
        return digits == 0 ? iso(text) : simple(text, digits);
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    private static @Nullable Duration simple(String text, int digits) {
        if (digits > MOST_DIGITS) {
            return null;
        }
        long amount = Long.parseLong(text, 0, digits, 10);
        return switch (text.substring(digits)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofSeconds(amount * 60);
            case "h" -> Duration.ofSeconds(amount * 3_600);
            // the largest that still fits; all limits are far below
            case "d" -> amount > 100_000_000_000L ? null : Duration.ofSeconds(amount * 86_400);
            default -> null;
        };
    }

    private static @Nullable Duration iso(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException | ArithmeticException e) {
            return null;
        }
    }

    /** The shortest form that is exact to the millisecond. */
    public static String format(Duration duration) {
        long millis = duration.toMillis();
        if (millis < 0) {
            return duration.toString();
        }
        if (millis % 1_000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1_000;
        if (seconds == 0 || seconds % 60 != 0) {
            return seconds + "s";
        }
        if (seconds % 3_600 != 0) {
            return seconds / 60 + "m";
        }
        return seconds % 86_400 == 0 ? seconds / 86_400 + "d" : seconds / 3_600 + "h";
    }
}
