package io.millrace;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A topic policy as text: one {@code name=value} a line. Readable in any database, and independent of any library. */
final class PolicyText {
    private PolicyText() {}

    static String of(TopicPolicy policy) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("retry.max", policy.retry().max());
        fields.put("retry.backoff", policy.retry().backoff());
        fields.put("retry.base", policy.retry().base());
        fields.put("retry.cap", policy.retry().cap());
        fields.put("retry.jitter", policy.retry().jitter());
        fields.put("timeout", policy.timeout());
        fields.put("onTimeout", policy.onTimeout());
        fields.put("retention.succeeded", policy.retention().succeeded());
        fields.put("retention.failed", policy.retention().failed());
        fields.put("capacity", policy.capacity());
        fields.put("leak", policy.leak());
        fields.put("deadLetter", policy.deadLetter());
        if (!policy.deadLetterOn().equals(TopicPolicy.DEFAULT_DEAD_LETTER_ON)) {
            fields.put("deadLetterOn", names(policy.deadLetterOn()));
        }
        fields.put("concurrency", policy.concurrency());
        Rate rate = policy.rate();
        if (rate != null) {
            fields.put("rate.limit", rate.limit());
            fields.put("rate.per", rate.per());
        }
        fields.put("weight", policy.weight());
        fields.put("lossLimit", policy.lossLimit());
        return fields.entrySet().stream()
                .filter(field -> field.getValue() != null)
                .map(field -> field.getKey() + "=" + field.getValue() + "\n")
                .collect(Collectors.joining());
    }

    private static String names(Set<TaskState> states) {
        return states.stream().map(TaskState::name).collect(Collectors.joining(","));
    }

    private static Set<TaskState> states(String names) {
        try {
            return Arrays.stream(names.split(",")).map(TaskState::valueOf).collect(Collectors.toSet());
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException(
                    "deadLetterOn", names, "it must be names of states with a comma between them");
        }
    }

    static TopicPolicy parse(String text) {
        Fields fields = new Fields(text);
        TopicPolicy.Builder builder = TopicPolicy.builder();
        Retry retry = Retry.DEFAULT;
        builder.retry(new Retry(
                fields.orElse("retry.max", Integer::valueOf, retry.max()),
                fields.choice("retry.backoff", Backoff.class, retry.backoff()),
                fields.orElse("retry.base", Duration::parse, retry.base()),
                fields.take("retry.cap", Duration::parse),
                fields.choice("retry.jitter", Jitter.class, retry.jitter())));
        builder.timeout(fields.orElse("timeout", Duration::parse, TopicPolicy.DEFAULT_TIMEOUT));
        builder.onTimeout(fields.choice("onTimeout", OnTimeout.class, OnTimeout.FINAL));
        builder.retention(new Retention(
                fields.take("retention.succeeded", Duration::parse), fields.take("retention.failed", Duration::parse)));
        fields.ifPresent("capacity", Integer::valueOf, builder::capacity);
        builder.leak(fields.choice("leak", Leak.class, Leak.REAR));
        fields.ifPresent("deadLetter", name -> name, builder::deadLetter);
        fields.ifPresent("deadLetterOn", PolicyText::states, builder::deadLetterOn);
        fields.ifPresent("concurrency", Integer::valueOf, builder::concurrency);
        Integer limit = fields.take("rate.limit", Integer::valueOf);
        Duration per = fields.take("rate.per", Duration::parse);
        if (limit != null && per != null) {
            builder.rate(new Rate(limit, per));
        } else if (limit != null || per != null) {
            throw new InvalidValueException("rate", limit == null ? per : limit, "it has both a limit and a per");
        }
        builder.weight(fields.orElse("weight", Integer::valueOf, 1));
        builder.lossLimit(fields.orElse("lossLimit", Integer::valueOf, TopicPolicy.DEFAULT_LOSS_LIMIT));
        fields.refuseTheRest();
        return builder.build();
    }

    /** The lines not read yet. */
    private static final class Fields {
        private final Map<String, String> left = new LinkedHashMap<>();

        Fields(String text) {
            text.lines().filter(line -> !line.isBlank()).forEach(line -> {
                int split = line.indexOf('=');
                if (split < 1) {
                    throw new InvalidValueException("policy", line, "a line must be name=value");
                }
                String name = line.substring(0, split).strip();
                if (left.put(name, line.substring(split + 1).strip()) != null) {
                    throw new InvalidValueException(name, line, "it is given twice");
                }
            });
        }

        <T> @Nullable T take(String name, Function<String, T> reader) {
            String value = left.remove(name);
            if (value == null) {
                return null;
            }
            try {
                return reader.apply(value);
            } catch (DateTimeParseException e) {
                throw new InvalidValueException(name, value, "it must be a duration such as PT30S");
            } catch (NumberFormatException e) {
                throw new InvalidValueException(name, value, "it must be a whole number");
            }
        }

        <T> T orElse(String name, Function<String, T> reader, T fallback) {
            T value = take(name, reader);
            return value == null ? fallback : value;
        }

        <E extends Enum<E>> E choice(String name, Class<E> type, E fallback) {
            String value = left.remove(name);
            if (value == null) {
                return fallback;
            }
            for (E constant : type.getEnumConstants()) {
                if (constant.name().equalsIgnoreCase(value)) {
                    return constant;
                }
            }
            throw new InvalidValueException(
                    name, value, "it must be one of " + Arrays.toString(type.getEnumConstants()));
        }

        <T> void ifPresent(String name, Function<String, T> reader, Consumer<T> setter) {
            T value = take(name, reader);
            if (value != null) {
                setter.accept(value);
            }
        }

        void refuseTheRest() {
            left.forEach((name, value) -> {
                throw new InvalidValueException(name, value, "a topic's policy has no such field");
            });
        }
    }
}
