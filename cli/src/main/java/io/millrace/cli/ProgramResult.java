package io.millrace.cli;

import io.millrace.InvalidValueException;
import io.millrace.Limits;
import io.millrace.Payload;
import io.millrace.wire.JsonOut;
import io.millrace.wire.JsonText;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A program's output as the result of its task: JSON, or a text as a JSON string, or else bytes. */
final class ProgramResult {
    /** JSON is kept as a whole or not at all, so this is as much as a server takes by default. */
    static final int JSON_BYTES = Limits.PAYLOAD_BYTES;
    /** Texts and bytes are cut. As a JSON string, a text can become six times as long. */
    static final int TEXT_BYTES = 128 << 10;

    private ProgramResult() {}

    /** @return null if it said nothing */
    static @Nullable Payload of(Capture output) {
        byte[] bytes = output.bytes();
        if (output.total() <= JSON_BYTES && isJson(bytes)) {
            return Payload.json(bytes);
        }
        boolean cut = output.total() > TEXT_BYTES;
        byte[] part = cut ? Arrays.copyOf(bytes, TEXT_BYTES) : bytes;
        String text = text(part, cut);
        if (text == null) {
            return Payload.bytes(part);
        }
        String said = text.stripTrailing();
        if (said.isEmpty()) {
            return null;
        }
        String rest = cut ? "… (" + output.total() + " bytes in all)" : "";
        return Payload.json(new JsonOut().value(said + rest).toBytes());
    }

    private static boolean isJson(byte[] bytes) {
        try {
            JsonText.check("result", Payload.json(bytes));
            return bytes.length > 0;
        } catch (InvalidValueException e) {
            return false;
        }
    }

    /** Null if it is no text; a cut may have left the beginning of a character at the end. */
    private static @Nullable String text(byte[] bytes, boolean cut) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer text = CharBuffer.allocate(bytes.length);
        return decoder.decode(ByteBuffer.wrap(bytes), text, !cut).isUnderflow()
                ? text.flip().toString()
                : null;
    }
}
