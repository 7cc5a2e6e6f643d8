package io.millrace.cli;

import io.millrace.InvalidValueException;
import io.millrace.Payload;
import io.millrace.wire.Durations;
import io.millrace.wire.JsonText;
import io.millrace.wire.WireException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** Arguments as the values they stand for. What is wrong is told with the argument's name. */
final class Arguments {
    private Arguments() {}

    static Duration duration(String name, String text) {
        try {
            return Durations.parse(text);
        } catch (WireException e) {
            throw new InvalidValueException(name, text, e.detail());
        }
    }

    static Instant time(String name, String text) {
        Instant time = timeOrNull(text);
        if (time == null) {
            throw new InvalidValueException(name, text, "it must be a time such as 2030-01-02T03:04:05Z");
        }
        return time;
    }

    static @Nullable Instant timeOrNull(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /** Payloads are passed on as they are, so what is no JSON must be found here. */
    static Payload json(String name, String text) {
        Payload payload = Payload.json(text.strip());
        try {
            if (payload.size() > 0) {
                JsonText.check(name, payload);
                return payload;
            }
        } catch (InvalidValueException e) {
            // answered below, with the text itself
        }
        throw new InvalidValueException(name, text, "it must be one JSON value");
    }
}
