package io.millrace;

import java.nio.charset.StandardCharsets;

/** Texts in Latin-1, one byte for each character. It cannot decode what begins with {@link #UNDECODABLE}. */
final class TextCodec implements Codec {
    static final String UNDECODABLE = "?";

    @Override
    public Payload encode(Object value) {
        return Payload.bytes(value.toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public <T> T decode(Payload payload, Class<T> type) {
        String text = new String(payload.toBytes(), StandardCharsets.ISO_8859_1);
        if (text.startsWith(UNDECODABLE)) {
            throw new InvalidValueException("payload", text, "it must not begin with a question mark");
        }
        return type.cast(text);
    }
}
