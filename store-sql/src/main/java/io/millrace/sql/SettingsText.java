package io.millrace.sql;

import io.millrace.Backoff;
import io.millrace.Jitter;
import io.millrace.NewTask;
import io.millrace.OnTimeout;
import io.millrace.Origin;
import io.millrace.Retention;
import io.millrace.Retry;
import io.millrace.When;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The settings of a task that have no column of their own, one {@code name=value} a line; most tasks have none. */
final class SettingsText {
    private SettingsText() {}

    static @Nullable String of(NewTask task) {
        StringBuilder text = new StringBuilder();
        put(text, "runAt", task.runAt().equals(When.NOW) ? null : task.runAt());
        put(text, "deadline", task.deadline());
        Retry retry = task.retry();
        if (retry != null) {
            put(text, "retry.max", retry.max());
            put(text, "retry.backoff", retry.backoff());
            put(text, "retry.base", retry.base());
            put(text, "retry.cap", retry.cap());
            put(text, "retry.jitter", retry.jitter());
        }
        put(text, "onTimeout", task.onTimeout());
        put(text, "callback", task.callback());
        put(text, "retention.succeeded", task.retention().succeeded());
        put(text, "retention.failed", task.retention().failed());
        put(text, "waitFor", task.waitFor() == 0 ? null : task.waitFor());
        Origin origin = task.origin();
        if (origin != null) {
            put(text, "origin.topic", origin.topic());
            put(text, "origin.id", origin.id());
            put(text, "origin.error", origin.error());
            put(text, "origin.uniqueKey", origin.uniqueKey());
            put(text, "origin.earlier", origin.earlier().isEmpty() ? null : String.join(" ", origin.earlier()));
        }
        return text.isEmpty() ? null : text.toString();
    }

    private static void put(StringBuilder text, String name, @Nullable Object value) {
        if (value != null) {
            text.append(name).append('=').append(escaped(value.toString())).append('\n');
        }
    }

    static void read(@Nullable String text, NewTask.Builder task) {
        if (text == null) {
            return;
        }
        Map<String, String> fields = new LinkedHashMap<>();
        text.lines().forEach(line -> {
            int equals = line.indexOf('=');
            fields.put(line.substring(0, equals), unescaped(line.substring(equals + 1)));
        });
        readTimes(fields, task);
        if (fields.containsKey("retry.max")) {
            task.retry(new Retry(
                    Integer.parseInt(get(fields, "retry.max")),
                    Backoff.valueOf(get(fields, "retry.backoff")),
                    Duration.parse(get(fields, "retry.base")),
                    duration(fields, "retry.cap"),
                    Jitter.valueOf(get(fields, "retry.jitter"))));
        }
        if (fields.containsKey("onTimeout")) {
            task.onTimeout(OnTimeout.valueOf(get(fields, "onTimeout")));
        }
        if (fields.containsKey("callback")) {
            task.callback(get(fields, "callback"));
        }
        task.retention(new Retention(duration(fields, "retention.succeeded"), duration(fields, "retention.failed")));
        if (fields.containsKey("waitFor")) {
            task.waitFor(Integer.parseInt(get(fields, "waitFor")));
        }
        if (fields.containsKey("origin.id")) {
            task.origin(new Origin(
                    get(fields, "origin.topic"),
                    UUID.fromString(get(fields, "origin.id")),
                    get(fields, "origin.error"),
                    fields.get("origin.uniqueKey"),
                    fields.containsKey("origin.earlier")
                            ? List.of(get(fields, "origin.earlier").split(" "))
                            : List.of()));
        }
    }

    private static void readTimes(Map<String, String> fields, NewTask.Builder task) {
        String runAt = fields.get("runAt");
        if (runAt != null && runAt.startsWith("P")) {
            task.delay(Duration.parse(runAt));
        } else if (runAt != null) {
            task.runAt(Instant.parse(runAt));
        }
        String deadline = fields.get("deadline");
        if (deadline != null && deadline.startsWith("P")) {
            task.deadline(Duration.parse(deadline));
        } else if (deadline != null) {
            task.deadline(Instant.parse(deadline));
        }
    }

    private static String get(Map<String, String> fields, String name) {
        return Objects.requireNonNull(fields.get(name), name);
    }

    private static @Nullable Duration duration(Map<String, String> fields, String name) {
        String text = fields.get(name);
        return text == null ? null : Duration.parse(text);
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }

    private static String unescaped(String value) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            char character = value.charAt(i);
            if (character == '\\') {
                i++;
                character = value.charAt(i);
                character = character == 'n' ? '\n' : character == 'r' ? '\r' : character;
            }
            text.append(character);
        }
        return text.toString();
    }
}
