package io.millrace;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
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

    static TopicPolicy parse(String text) {
        Fields fields = new Fields(text);
        TopicPolicy.Builder builder = TopicPolicy.builder();
        Retry retry = Retry.DEFAULT;
        builder.retry(new Retry(
                fields.orElse("retry.max", Integer::valueOf, retry.max()),
                fields.orElse("retry.backoff", name -> constant(Backoff.class, name), retry.backoff()),
                fields.orElse("retry.base", Duration::parse, retry.base()),
                fields.take("retry.cap", Duration::parse),
                fields.orElse("retry.jitter", name -> constant(Jitter.class, name), retry.jitter())));
        builder.timeout(fields.orElse("timeout", Duration::parse, TopicPolicy.DEFAULT_TIMEOUT));
        builder.onTimeout(fields.orElse("onTimeout", name -> constant(OnTimeout.class, name), OnTimeout.FINAL));
        builder.retention(new Retention(
                fields.take("retention.succeeded", Duration::parse), fields.take("retention.failed", Duration::parse)));
        fields.ifPresent("capacity", Integer::valueOf, builder::capacity);
        builder.leak(fields.orElse("leak", name -> constant(Leak.class, name), Leak.REAR));
        fields.ifPresent("deadLetter", name -> name, builder::deadLetter);
        fields.ifPresent("concurrency", Integer::valueOf, builder::concurrency);
        Integer limit = fields.take("rate.limit", Integer::valueOf);
        Duration per = fields.take("rate.per", Duration::parse);
        if (limit != null && per != null) {
            builder.rate(new Rate(limit, per));
        }
        builder.weight(fields.orElse("weight", Integer::valueOf, 1));
        builder.lossLimit(fields.orElse("lossLimit", Integer::valueOf, TopicPolicy.DEFAULT_LOSS_LIMIT));
        fields.refuseTheRest();
        return builder.build();
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String name) {
        return Enum.valueOf(type, name.toUpperCase(Locale.ROOT));
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
                left.put(
                        line.substring(0, split).strip(),
                        line.substring(split + 1).strip());
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
            } catch (InvalidValueException e) {
                throw e;
            } catch (IllegalArgumentException e) {
                throw new InvalidValueException(name, value, "there is no such " + name);
            }
        }

        <T> T orElse(String name, Function<String, T> reader, T fallback) {
            T value = take(name, reader);
            return value == null ? fallback : value;
        }

        <T> void ifPresent(String name, Function<String, T> reader, java.util.function.Consumer<T> setter) {
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
