package io.millrace.embedded;

import io.millrace.InvalidValueException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The settings of an embedded store: {@code embedded:DIRECTORY?name=value&name=value}.
 *
 * @param forceEvery zero: nobody is answered before the disk has it. Otherwise the disk is asked so often only, and a power
 *     cut may lose what was answered since; the end of the process loses nothing
 * @param memoryBytes how much memory the tasks may take, about, before new ones are refused
 */
record EmbeddedUrl(Path directory, int segmentBytes, Duration forceEvery, long memoryBytes) {
    static final String SCHEME = "embedded:";
    private static final String SEGMENT_BYTES = "segmentBytes";
    private static final String FORCE_EVERY = "forceEveryMillis";
    private static final String MEMORY_BYTES = "memoryBytes";
    private static final List<String> NAMES = List.of(SEGMENT_BYTES, FORCE_EVERY, MEMORY_BYTES);
    /** Of the memory that the process may use; the rest is for what it does with the tasks. */
    private static final double MEMORY_SHARE = 0.6;

    static EmbeddedUrl parse(String url) {
        String rest = url.substring(SCHEME.length());
        int question = rest.indexOf('?');
        String path = question < 0 ? rest : rest.substring(0, question);
        EmbeddedUrl parsed =
                new EmbeddedUrl(directory(url, path), LogSettings.DEFAULT_SEGMENT, Duration.ZERO, defaultMemory());
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
        long value = number(url, name, setting.substring(equals + 1));
        return switch (name) {
            case SEGMENT_BYTES ->
                new EmbeddedUrl(directory, (int) Math.min(value, Integer.MAX_VALUE), forceEvery, memoryBytes);
            case FORCE_EVERY -> new EmbeddedUrl(directory, segmentBytes, Duration.ofMillis(value), memoryBytes);
            default -> new EmbeddedUrl(directory, segmentBytes, forceEvery, value);
        };
    }

    private static long defaultMemory() {
        long most = Runtime.getRuntime().maxMemory();
        // opening reads whole segments, and must not fail with tasks that fitted before
        long withoutReading = Math.max(most - 2L * LogSettings.DEFAULT_SEGMENT, most / 4);
        return (long) (withoutReading * MEMORY_SHARE);
    }

    private static long number(String url, String name, String value) {
        try {
            long number = Long.parseLong(value);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // answered below
        }
        throw new InvalidValueException("url", url, name + " must be a number, 0 or more");
    }
}
