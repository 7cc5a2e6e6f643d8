package io.millrace;

/**
 * Turns objects into payloads and back. One is found on the class path through {@link java.util.ServiceLoader} (the
 * module {@code millrace-json} brings it), or set with {@link MillraceOptions.Builder#codec}.
 */
public interface Codec {
    /** @throws InvalidValueException if the value cannot be encoded */
    Payload encode(Object value);

    /** @throws InvalidValueException if the payload is not of that type */
    <T> T decode(Payload payload, Class<T> type);
}
