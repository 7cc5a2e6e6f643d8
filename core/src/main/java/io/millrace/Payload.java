package io.millrace;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The bytes that a task carries, or its result: a JSON text, or anything else. Never changed once made. */
public final class Payload {
    public static final Payload EMPTY = new Payload(new byte[0], false);

    private final byte[] bytes;
    private final boolean json;

    private Payload(byte[] bytes, boolean json) {
        this.bytes = bytes;
        this.json = json;
    }

    /** Any bytes; the array is copied. */
    public static Payload bytes(byte[] bytes) {
        return new Payload(Limits.present("payload", bytes).clone(), false);
    }

    /**
     * A JSON text. It is passed on as it is, not parsed.
     *
     * @throws InvalidValueException if it has half of a surrogate pair, which cannot be written as UTF-8
     */
    public static Payload json(String text) {
        if (Limits.hasLoneSurrogate(Limits.present("payload", text))) {
            throw new InvalidValueException(
                    "payload", text, "it has half of a surrogate pair, which cannot be written as UTF-8");
        }
        return new Payload(Limits.present("payload", text).getBytes(StandardCharsets.UTF_8), true);
    }

    /** A JSON text in UTF-8; the array is copied. */
    public static Payload json(byte[] utf8) {
        return new Payload(Limits.present("payload", utf8).clone(), true);
    }

    /** A JSON text in UTF-8 within a larger array; the part is copied. */
    public static Payload json(byte[] bytes, int from, int to) {
        return new Payload(Arrays.copyOfRange(Limits.present("payload", bytes), from, to), true);
    }

    public boolean isJson() {
        return json;
    }

    public int size() {
        return bytes.length;
    }

    /** A copy of the bytes. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    /** The bytes as UTF-8. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that && json == that.json && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Tells the size, not the content: payloads do not belong in logs. */
    @Override
    public String toString() {
        return (json ? "json" : "bytes") + "[" + bytes.length + "]";
    }
}
