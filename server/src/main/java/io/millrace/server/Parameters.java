package io.millrace.server;

import io.millrace.InvalidValueException;
import io.millrace.TaskQuery;
import io.millrace.wire.Durations;
import io.millrace.wire.QueryForm;
import io.millrace.wire.WireException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The query parameters of a request. What is wrong with them is collected while they are read, and thrown by {@link #check},
 * without which they must not be used.
 */
final class Parameters {
    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private final Map<String, String> errors = new LinkedHashMap<>();

    /** Each must be one of the allowed, and have a value. */
    Parameters(Map<String, List<String>> given, List<String> allowed) {
        given.forEach((name, texts) -> {
            if (!allowed.contains(name)) {
                refuse(name, "there is no such parameter; known are " + allowed);
            } else if (texts.contains("")) {
                refuse(name, "it must have a value");
            } else {
                values.put(name, texts);
            }
        });
    }

    /** The first reason counts; what follows from it does not. */
    void refuse(String name, String detail) {
        errors.putIfAbsent(name, detail);
    }

    /** @throws ProblemException that names all bad parameters */
    void check() {
        if (!errors.isEmpty()) {
            throw Problems.badParameters(errors);
        }
    }

    /** Null if it is not given, or bad. */
    @Nullable
    String one(String name) {
        List<String> texts = values.getOrDefault(name, List.of());
        if (texts.size() > 1) {
            refuse(name, "it can be given once only");
        }
        return texts.size() == 1 ? texts.get(0) : null;
    }

    /** The default also if it is bad. */
    int number(String name, int least, int most, int otherwise) {
        String text = one(name);
        if (text == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // answered below
        }
        refuse(new InvalidValueException(name, text, "it must be between " + least + " and " + most));
        return otherwise;
    }

    /** The default also if it is bad. */
    <T> T value(String name, Function<String, T> parser, T otherwise) {
        String text = one(name);
        try {
            return text == null ? otherwise : parser.apply(text);
        } catch (InvalidValueException e) {
            refuse(e);
            return otherwise;
        }
    }

    /** Zero if it is not given, or bad. */
    Duration duration(String name) {
        String text = one(name);
        if (text == null) {
            return Duration.ZERO;
        }
        try {
            Duration duration = Durations.parse(text);
            if (!duration.isNegative()) {
                return duration;
            }
        } catch (WireException e) {
            // answered below
        }
        refuse(new InvalidValueException(name, text, "it must be a duration such as 30s"));
        return Duration.ZERO;
    }

    /** The filters among them, without those that are bad. */
    TaskQuery filters() {
        return QueryForm.read(values, this::refuse);
    }

    private void refuse(InvalidValueException e) {
        refuse(e.field(), String.valueOf(e.getMessage()));
    }
}
