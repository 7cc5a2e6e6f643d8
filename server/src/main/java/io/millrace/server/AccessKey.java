package io.millrace.server;

import io.millrace.InvalidValueException;
import io.millrace.Limits;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A key that opens the server, as the server knows it: by its hash. The key itself is 256 random bits, so a plain
 * SHA-256 is as good as any slow hash: there is nothing to guess.
 *
 * @param name who it was made for; shown in logs
 * @param sha256 of the key, in hexadecimal
 * @param topics the only ones it opens; empty for all
 */
public record AccessKey(String name, Role role, String sha256, Set<String> topics) {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String HIDDEN = "(hidden)";

    public AccessKey {
        Limits.text("name", name, Limits.TAG_LENGTH);
        if (name.chars().anyMatch(Character::isWhitespace)) {
            throw new InvalidValueException("name", name, "it must have no spaces");
        }
        Limits.present("role", role);
        if (!sha256.matches("[0-9a-f]{64}")) {
            // what stands here by mistake may be a secret, and errors are logged
            throw new InvalidValueException(
                    "sha256", HIDDEN, "it must have 64 hexadecimal digits in lower case; 'millrace key' makes them");
        }
        topics.forEach(topic -> Limits.topic("topics", topic));
        topics = Set.copyOf(topics);
    }

    /** A new key: the secret for its user, and what the server keeps. */
    public record Generated(String secret, AccessKey key) {}

    public static Generated generate(String name, Role role, Set<String> topics) {
        byte[] random = new byte[32];
        RANDOM.nextBytes(random);
        String secret = "mr_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        return new Generated(secret, new AccessKey(name, role, HexFormat.of().formatHex(hash(secret)), topics));
    }

    /**
     * Reads keys, one a line: {@code NAME ROLE SHA256 [TOPIC,TOPIC…]}. Empty lines, and those that begin with {@code
     * #}, are passed over.
     */
    public static List<AccessKey> parse(String text) {
        List<AccessKey> keys = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().map(String::strip).toList()) {
            number++;
            if (!line.isEmpty() && !line.startsWith("#")) {
                keys.add(parseLine(line, number));
            }
        }
        return List.copyOf(keys);
    }

    /** Errors name the line by its number: what stands there by mistake may be a secret. */
    private static AccessKey parseLine(String line, int number) {
        String[] words = line.split("\\s+", -1);
        if (words.length < 3 || words.length > 4) {
            throw new InvalidValueException(
                    "keys",
                    "line " + number,
                    "a line must be NAME ROLE SHA256 [TOPIC,TOPIC…]; 'millrace key' makes it");
        }
        try {
            return read(words);
        } catch (InvalidValueException e) {
            throw new InvalidValueException(
                    "keys",
                    "line " + number,
                    "its " + e.field() + " is wrong: a line must be NAME ROLE SHA256 [TOPIC,TOPIC…], with the role"
                            + " producer, worker, viewer or admin; 'millrace key' makes it");
        }
    }

    private static AccessKey read(String[] words) {
        Role role;
        try {
            role = Role.valueOf(words[1].toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException("role", HIDDEN, "it must be producer, worker, viewer or admin");
        }
        return new AccessKey(words[0], role, words[2], words.length == 4 ? Set.of(words[3].split(",", -1)) : Set.of());
    }

    /** The line that {@link #parse} reads. */
    public String toLine() {
        String line = name + " " + role.name().toLowerCase(Locale.ROOT) + " " + sha256;
        return topics.isEmpty() ? line : line + " " + String.join(",", topics);
    }

    static byte[] hash(String secret) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    boolean opens(String topic) {
        return topics.isEmpty() || topics.contains(topic);
    }
}
