package io.millrace;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The bounds of every field, and the checks that hold them. */
public final class Limits {
    public static final int TOPIC_LENGTH = 200;
    public static final int TAG_LENGTH = 200;
    public static final int SCOPE_TAGS = 8;
    public static final int PAYLOAD_BYTES = 1 << 20;
    public static final int ERROR_LENGTH = 10_000;
    public static final int CALLBACK_LENGTH = 2_000;
    public static final int BATCH = 10_000;
    public static final int PAGE = 1_000;
    public static final int CLAIM = 1_000;
    public static final int WORKER_TOPICS = 1_000;
    /** Workers of a store. One access key may register half of them. */
    public static final int WORKERS = 10_000;
    /** Names and topics of all workers of a store, in bytes. One access key may use half of it. */
    public static final long WORKER_BYTES = 64L << 20;
    /** What a worker names to serve every topic. */
    public static final String ALL_TOPICS = "*";

    public static final int RETRIES = 1_000_000;
    /** Of an in-process queue: 64 M items. */
    public static final int QUEUE_CAPACITY = 1 << 26;

    /** No delay, deadline or retention reaches further than this. */
    public static final Duration LONGEST = Duration.ofDays(36_525);

    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");
    private static final boolean[] TOPIC_CHARACTERS = new boolean[128];

    static {
        String letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        (letters + "0123456789-_.:@/").chars().forEach(allowed -> TOPIC_CHARACTERS[allowed] = true);
    }

    private Limits() {}

    /** Checks that a value is there at all. */
    public static <T> T present(String field, @Nullable T value) {
        if (value == null) {
            throw new InvalidValueException(field, null, "it is required");
        }
        return value;
    }

    /** Refuses a URL to call: until there is push, nobody would. Tasks that are stored may have one. */
    public static void noCallback(@Nullable Object url) {
        if (url != null) {
            throw new InvalidValueException(
                    "callback", url.toString(), "push is not available yet, and nobody would call it; leave it out");
        }
    }

    /** Checks the name of a topic, or of all of them. */
    public static String topicOrAll(String field, @Nullable String name) {
        return ALL_TOPICS.equals(name) ? ALL_TOPICS : topic(field, name);
    }

    /** Checks a topic's name: 1 to 200 letters, digits and {@code -_.:@/}. */
    public static String topic(String field, @Nullable String name) {
        if (name == null || name.isEmpty() || name.length() > TOPIC_LENGTH || !isAllowed(name)) {
            throw new InvalidValueException(
                    field, name, "it must have 1 to " + TOPIC_LENGTH + " letters, digits and -_.:@/");
        }
        return name;
    }

    /** A table instead of a pattern: every task that is built comes by here. */
    private static boolean isAllowed(String name) {
        for (int i = 0; i < name.length(); i++) {
            char character = name.charAt(i);
            if (character >= TOPIC_CHARACTERS.length || !TOPIC_CHARACTERS[character]) {
                return false;
            }
        }
        return true;
    }

    /**
     * An error is cut, not refused: what it belongs to has happened. U+0000 and halves of surrogate pairs go too,
     * because databases do not take them.
     */
    public static String cutError(String error) {
        String clean = clean(error.indexOf('\0') < 0 ? error : error.replace('\0', '\uFFFD'));
        if (clean.length() <= ERROR_LENGTH) {
            return clean;
        }
        boolean splits = Character.isHighSurrogate(clean.charAt(ERROR_LENGTH - 1));
        return clean.substring(0, splits ? ERROR_LENGTH - 1 : ERROR_LENGTH);
    }

    /** Whether a text has half of a surrogate pair: it is no character, and cannot be written as UTF-8. */
    public static boolean hasLoneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!isPair(text, i)) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    private static boolean isPair(String text, int at) {
        return at + 1 < text.length() && Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1));
    }

    /** Replaces halves of surrogate pairs by U+FFFD. */
    public static String clean(String text) {
        if (!hasLoneSurrogate(text)) {
            return text;
        }
        StringBuilder clean = new StringBuilder(text);
        for (int i = 0; i < text.length(); i++) {
            if (isPair(text, i)) {
                i++;
            } else if (Character.isSurrogate(text.charAt(i))) {
                clean.setCharAt(i, '\uFFFD');
            }
        }
        return clean.toString();
    }

    private static void checkCharacters(String field, String text) {
        if (hasLoneSurrogate(text)) {
            throw new InvalidValueException(
                    field, clean(text), "it has half of a surrogate pair, which is no character");
        }
    }

    /** Checks that a text is not too long and can be stored everywhere. */
    public static String atMost(String field, @Nullable String value, int longest) {
        String text = present(field, value);
        if (text.length() > longest || text.indexOf('\0') >= 0) {
            throw new InvalidValueException(
                    field, value, "it may have up to " + longest + " characters, and none of them U+0000");
        }
        checkCharacters(field, text);
        return text;
    }

    /** Checks that a text is there, is not too long and can be stored everywhere. */
    public static String text(String field, @Nullable String value, int longest) {
        if (value == null || value.isEmpty() || value.length() > longest || value.indexOf('\0') >= 0) {
            throw new InvalidValueException(
                    field, value, "it must have 1 to " + longest + " characters, and none of them U+0000");
        }
        checkCharacters(field, value);
        return value;
    }

    /** Checks that a number lies between two others, both included. */
    public static int between(String field, int value, int least, int most) {
        if (value < least || value > most) {
            throw new InvalidValueException(field, value, "it must be between " + least + " and " + most);
        }
        return value;
    }

    /** Checks that a duration is zero or more and within {@link #LONGEST}; cuts it to milliseconds. */
    public static Duration notNegative(String field, @Nullable Duration given) {
        Duration value = present(field, given);
        if (value.isNegative() || value.compareTo(LONGEST) > 0) {
            throw new InvalidValueException(field, value, "it must be between 0 and " + LONGEST.toDays() + " days");
        }
        return Duration.ofMillis(value.toMillis());
    }

    /** Checks that a duration is at least a millisecond; cuts it to milliseconds. */
    public static Duration positive(String field, @Nullable Duration value) {
        Duration checked = notNegative(field, value);
        if (checked.isZero()) {
            throw new InvalidValueException(
                    field, value, "it must be between 1 millisecond and " + LONGEST.toDays() + " days");
        }
        return checked;
    }

    /** Millrace keeps time in milliseconds: all stores can, and no work queue needs more. */
    static Instant moment(String field, @Nullable Instant given) {
        Instant value = present(field, given);
        if (value.isBefore(Instant.EPOCH) || value.isAfter(LATEST)) {
            throw new InvalidValueException(field, value, "it must lie between 1970 and 9999");
        }
        return Instant.ofEpochMilli(value.toEpochMilli());
    }
}
