package io.millrace.server;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Percent-encoded text, read strictly. */
final class UrlText {
    private UrlText() {}

    static String decode(String text, boolean plusIsSpace) {
        String decoded = decodeOrNull(text, plusIsSpace);
        if (decoded == null) {
            throw Problems.malformed("the URL is not UTF-8 where it is percent-encoded: " + text);
        }
        return decoded;
    }

    /** Null if it is not UTF-8. */
    private static @Nullable String decodeOrNull(String text, boolean plusIsSpace) {
        if (text.indexOf('%') < 0 && (!plusIsSpace || text.indexOf('+') < 0)) {
            return text;
        }
        ByteBuffer bytes = ByteBuffer.allocate(4 * text.length());
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character == '%') {
                bytes.put(hexadecimal(text, i + 1));
                i += 2;
            } else if (character == '+' && plusIsSpace) {
                bytes.put((byte) ' ');
            } else {
                bytes.put(String.valueOf(character).getBytes(StandardCharsets.UTF_8));
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static String value(String name, String text) {
        String value = decodeOrNull(text, true);
        if (value == null) {
            throw Problems.badParameter(name, "it is not UTF-8 where it is percent-encoded");
        }
        return value;
    }

    private static byte hexadecimal(String text, int at) {
        if (at + 2 <= text.length()) {
            int high = Character.digit(text.charAt(at), 16);
            int low = Character.digit(text.charAt(at + 1), 16);
            if (high >= 0 && low >= 0) {
                return (byte) (high << 4 | low);
            }
        }
        throw Problems.malformed("the URL has a % that is not followed by two hexadecimal digits");
    }

    static Map<String, List<String>> parameters(@Nullable String query) {
        if (query == null || query.isEmpty()) {
            return Map.of();
        }
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        for (String part : query.split("&", -1)) {
            int split = part.indexOf('=');
            String name = decode(split < 0 ? part : part.substring(0, split), true);
            String value = split < 0 ? "" : value(name, part.substring(split + 1));
            parameters.computeIfAbsent(name, any -> new ArrayList<>()).add(value);
        }
        return parameters;
    }
}
