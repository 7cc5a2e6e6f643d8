package io.millrace.embedded;

import io.millrace.InvalidValueException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * The settings of an embedded store: {@code embedded:DIRECTORY?name=value&name=value}.
 *
 * @param forceEvery zero: nobody is answered before the disk has it. Otherwise the disk is asked so often only, and a power
 *     cut may lose what was answered since; the end of the process loses nothing
 */
record EmbeddedUrl(Path directory, int segmentBytes, Duration forceEvery) {
    static final String SCHEME = "embedded:";
    private static final String SEGMENT_BYTES = "segmentBytes";
    private static final String FORCE_EVERY = "forceEveryMillis";
    private static final Set<String> NAMES = Set.of(SEGMENT_BYTES, FORCE_EVERY);

    static EmbeddedUrl parse(String url) {
        String rest = url.substring(SCHEME.length());
        int question = rest.indexOf('?');
        String path = question < 0 ? rest : rest.substring(0, question);
        EmbeddedUrl parsed = new EmbeddedUrl(directory(url, path), LogSettings.DEFAULT_SEGMENT, Duration.ZERO);
        if (question >= 0) {
            for (String setting : rest.substring(question + 1).split("&", -1)) {
                parsed = parsed.with(url, setting);
            }
        }
        return parsed;
    }

    private static Path directory(String url, String path) {
        if (path.isEmpty()) {
            throw new InvalidValueException("url", url, "a directory must follow, as in embedded:./data");
        }
        try {
            return Path.of(path).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new InvalidValueException("url", url, "its directory must be a path: " + e.getMessage());
        }
    }

    private EmbeddedUrl with(String url, String setting) {
        int equals = setting.indexOf('=');
        String name = equals < 0 ? setting : setting.substring(0, equals);
        if (equals < 0 || !NAMES.contains(name)) {
            throw new InvalidValueException("url", url, "its settings are " + NAMES + ", each with a value");
        }
        int value = number(url, name, setting.substring(equals + 1));
        return name.equals(SEGMENT_BYTES)
                ? new EmbeddedUrl(directory, value, forceEvery)
                : new EmbeddedUrl(directory, segmentBytes, Duration.ofMillis(value));
    }

    private static int number(String url, String name, String value) {
        try {
            int number = Integer.parseInt(value);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // answered below
        }
        throw new InvalidValueException("url", url, name + " must be a number, 0 or more");
    }
}
