package io.millrace.wire;

import io.millrace.InvalidValueException;
import io.millrace.Limits;
import io.millrace.Payload;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Base64Variants;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;

/**
 * Reads one JSON text, token by token. Every method expects the parser at the first token of a value and leaves it at
 * the last. The way to the current value is the parser's own; it is put together only when something is wrong.
 *
 * <p>A request is read once, up to the first fault, and if there is one, again from the start to find all: good
 * requests cost nothing more, and a reader never sees the difference. In the second reading whatever a field or an
 * element throws is collected, its value is passed over, and the result is of no use.
 */
final class JsonIn implements AutoCloseable {
    static final int DEEPEST = 500;
    private static final String LONE_SURROGATE = "it has half of a surrogate pair, which is no character";
    /** Characters of a bad value in a message. */
    private static final int SHOWN = 80;

    static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .rootValueSeparator("\n")
            .recyclerPool(JsonRecyclerPools.threadLocalPool())
            .build();

    private final byte[] bytes;
    /** Where the text begins; the parser counts from there. */
    private final int start;

    private final boolean strict;
    /** Where to collect what is wrong; null to throw it. */
    private final @Nullable Faults faults;

    private final JsonParser parser;

    /** Reads one field of an object; the parser stands at its value. */
    interface FieldReader {
        void read(String name);
    }

    private JsonIn(byte[] bytes, int from, int to, boolean strict, @Nullable Faults faults) {
        this.bytes = bytes;
        start = from;
        this.strict = strict;
        this.faults = faults;
        parser = JSON.createParser(ObjectReadContext.empty(), bytes, from, to - from);
    }

    /** Reads a request: a text that must be exactly as expected. */
    static <T> T request(byte[] bytes, int from, int to, Function<JsonIn, T> reader) {
        checkUtf8(bytes, from, to);
        try {
            return read(new JsonIn(bytes, from, to, true, null), reader);
        } catch (WireException first) {
            Faults all = new Faults();
            try {
                var unused = read(new JsonIn(bytes, from, to, true, all), reader);
            } catch (WireException last) {
                all.add(last);
            }
            throw all.count() == 0 ? first : all.toException();
        }
    }

    static <T> T request(byte[] bytes, Function<JsonIn, T> reader) {
        return request(bytes, 0, bytes.length, reader);
    }

    /** Reads an answer: unknown fields are passed over. */
    static <T> T answer(byte[] bytes, Function<JsonIn, T> reader) {
        checkUtf8(bytes, 0, bytes.length);
        return read(new JsonIn(bytes, 0, bytes.length, false, null), reader);
    }

    /** The parser guesses the encoding, and passes over what it skips too quickly to notice. */
    private static void checkUtf8(byte[] bytes, int from, int to) {
        int bad = Utf8.firstBad(bytes, from, to);
        if (bad < 0) {
            return;
        }
        boolean isZero = bytes[bad] == 0;
        throw WireException.invalid(
                isZero ? "" : pointerAt(bytes, from, bad),
                "it is not UTF-8 at byte " + (bad - from) + (isZero ? ": it has U+0000, as UTF-16 and UTF-32 do" : ""));
    }

    /** The value that a part of a text ends in. */
    private static String pointerAt(byte[] bytes, int from, int to) {
        try (JsonIn part = new JsonIn(bytes, from, to, true, null)) {
            try {
                while (part.parser.nextToken() != null) {}
            } catch (JacksonException e) {
                // its end
            }
            return part.pointer();
        }
    }

    private static <T> T read(JsonIn in, Function<JsonIn, T> reader) {
        try (in) {
            if (in.parser.nextToken() == null) {
                throw in.wrong("there must be a JSON value");
            }
            T value = reader.apply(in);
            if (in.parser.nextToken() != null) {
                throw WireException.invalid("", "there must be nothing after the JSON value");
            }
            return value;
        } catch (InputCoercionException e) {
            throw in.outOfRange();
        } catch (JacksonException e) {
            throw in.wrong("it is not well-formed JSON: " + firstLine(e) + in.place(e));
        }
    }

    private static String firstLine(JacksonException e) {
        return String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("");
    }

    private String place(JacksonException e) {
        var location = e.getLocation();
        return location == null ? "" : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }

    @Override
    public void close() {
        parser.close();
    }

    /** Where the reader is. */
    String pointer() {
        return Limits.clean(parser.streamReadContext().pathAsPointer().toString());
    }

    WireException wrong(String detail) {
        return WireException.invalid(pointer(), detail);
    }

    /** Refuses the value at hand, with its text if it is short enough to have one. */
    WireException notAllowed(String allowed) {
        return wrong(parser.currentToken().isScalarValue() ? shown(parser) + " is not allowed; " + allowed : allowed);
    }

    private static String shown(JsonParser parser) {
        String text = Limits.clean(String.valueOf(parser.getString()));
        String quote = parser.hasToken(JsonToken.VALUE_STRING) ? "\"" : "";
        return quote + (text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…") + quote;
    }

    /** Throws, or goes on if all is collected. */
    void refuse(WireException e) {
        if (faults == null) {
            throw e;
        }
        faults.add(e);
    }

    /** Refuses a field of the object whose end the parser stands at. */
    void refuse(InvalidValueException e) {
        refuse(invalid(e));
    }

    /** How much was found to be wrong so far; what is only a consequence of that is not to be looked for. */
    int faults() {
        return faults == null ? 0 : faults.count();
    }

    boolean isArray() {
        return parser.hasToken(JsonToken.START_ARRAY);
    }

    private void expect(JsonToken token, String what) {
        if (!parser.hasToken(token)) {
            throw notAllowed("it must be " + what + ", but is " + kind());
        }
    }

    private String kind() {
        return switch (parser.currentToken()) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "an array";
            case VALUE_STRING -> "a string";
            case VALUE_NUMBER_INT -> "a number";
            case VALUE_NUMBER_FLOAT -> "a number with a fraction or exponent";
            case VALUE_TRUE, VALUE_FALSE -> "a boolean";
            case VALUE_NULL -> "null";
            default -> "something else";
        };
    }

    /** Reads an object whose fields are all known, each at most once. */
    void object(List<String> known, FieldReader fields) {
        expect(JsonToken.START_OBJECT, "an object");
        TokenStreamContext here = parser.streamReadContext();
        long seen = 0;
        String name;
        while ((name = parser.nextName()) != null) {
            int index = known.indexOf(name);
            try {
                if (index < 0) {
                    skipUnknown(known);
                    continue;
                }
                if ((seen & 1L << index) != 0 && strict) {
                    throw wrong("the field is given twice");
                }
                seen |= 1L << index;
                parser.nextToken();
                fields.read(name);
            } catch (WireException e) {
                passOver(e, here);
            } catch (InputCoercionException e) {
                passOver(outOfRange(), here);
            }
        }
    }

    /** Goes on behind a value that was refused, in the object or array it belongs to. */
    private void passOver(WireException e, TokenStreamContext whole) {
        refuse(e);
        if (parser.hasToken(JsonToken.PROPERTY_NAME)) {
            parser.nextToken();
        }
        while (parser.streamReadContext() != whole && parser.nextToken() != null) {}
    }

    private WireException outOfRange() {
        return wrong("the number is out of range");
    }

    private void skipUnknown(List<String> known) {
        if (strict) {
            throw wrong("there is no such field; known are " + known);
        }
        parser.nextToken();
        parser.skipChildren();
    }

    /** Reads the elements of an array. */
    void array(Runnable element) {
        array(Integer.MAX_VALUE, element);
    }

    void array(int most, Runnable element) {
        expect(JsonToken.START_ARRAY, "an array");
        TokenStreamContext here = parser.streamReadContext();
        int count = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (++count > most) {
                throw wrong("there may be up to " + most + " elements");
            }
            try {
                element.run();
            } catch (WireException e) {
                passOver(e, here);
            } catch (InputCoercionException e) {
                passOver(outOfRange(), here);
            }
        }
    }

    String string() {
        expect(JsonToken.VALUE_STRING, "a string");
        String text = parser.getString();
        if (strict && Limits.hasLoneSurrogate(text)) {
            throw wrong(LONE_SURROGATE);
        }
        return text;
    }

    boolean bool() {
        if (parser.hasToken(JsonToken.VALUE_TRUE)) {
            return true;
        }
        expect(JsonToken.VALUE_FALSE, "true or false");
        return false;
    }

    int integer() {
        expect(JsonToken.VALUE_NUMBER_INT, "a whole number");
        return parser.getIntValue();
    }

    int integer(int least, int most) {
        String range = "between " + least + " and " + most;
        expect(JsonToken.VALUE_NUMBER_INT, "a whole number " + range);
        long value;
        try {
            value = parser.getLongValue();
        } catch (InputCoercionException e) {
            throw notAllowed("it must be " + range);
        }
        if (value < least || value > most) {
            throw notAllowed("it must be " + range);
        }
        return (int) value;
    }

    long longNumber() {
        expect(JsonToken.VALUE_NUMBER_INT, "a whole number");
        return parser.getLongValue();
    }

    double number() {
        if (!parser.hasToken(JsonToken.VALUE_NUMBER_INT)) {
            expect(JsonToken.VALUE_NUMBER_FLOAT, "a number");
        }
        return parser.getDoubleValue();
    }

    UUID uuid() {
        String text = string();
        UUID parsed = uuidOrNull(text);
        if (parsed == null) {
            throw notAllowed("it must be a UUID such as \"0190d6a4-93f5-7c1b-8f2e-3a5d7c9b1e42\"");
        }
        return parsed;
    }

    /** {@link UUID#fromString} also takes shortened groups, which would come back as another text. */
    static @Nullable UUID uuidOrNull(String text) {
        if (text.length() != 36) {
            return null;
        }
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    Duration duration() {
        expect(JsonToken.VALUE_STRING, "a duration such as \"30s\"");
        Duration parsed = Durations.parseOrNull(parser.getString());
        if (parsed == null) {
            throw notAllowed(Durations.ALLOWED);
        }
        return parsed;
    }

    Instant time() {
        expect(JsonToken.VALUE_STRING, "a time such as \"2030-01-02T03:04:05Z\"");
        Instant parsed = timeOrNull(parser.getString());
        if (parsed == null) {
            throw notAllowed("it must be a time such as \"2030-01-02T03:04:05Z\"");
        }
        return parsed;
    }

    static @Nullable Instant timeOrNull(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    <E extends Enum<E>> E choice(Names<E> names) {
        expect(JsonToken.VALUE_STRING, "a string");
        E found = names.find(parser.getString());
        if (found == null) {
            throw notAllowed(names.allowed());
        }
        return found;
    }

    /** Any JSON value, as the text it is. */
    Payload json(int limit) {
        int from = start + (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        parser.finishToken();
        int to = start + (int) parser.currentLocation().getByteOffset();
        if (to - from > limit) {
            throw tooLarge(to - from, limit);
        }
        if (strict && Utf8.hasLoneSurrogate(bytes, from, to)) {
            throw wrong(LONE_SURROGATE);
        }
        return Payload.json(bytes, from, to);
    }

    Payload base64(int limit) {
        expect(JsonToken.VALUE_STRING, "a string in Base64");
        byte[] decoded;
        if (faults != null) {
            // else the parser would not know where it is when it finds that this is no Base64
            var unused = parser.getString();
        }
        try {
            decoded = parser.getBinaryValue(Base64Variants.MIME_NO_LINEFEEDS);
        } catch (JacksonException e) {
            throw wrong("it must be Base64, with padding");
        }
        if (decoded.length > limit) {
            throw tooLarge(decoded.length, limit);
        }
        return Payload.bytes(decoded);
    }

    private WireException tooLarge(int size, int limit) {
        return WireException.tooLarge(pointer(), "it has " + size + " bytes; it may have up to " + limit);
    }

    /**
     * Makes a value whose own checks name the field at fault. The parser stands at the end of the object it is made of.
     */
    <T> T checked(Supplier<T> maker) {
        try {
            return maker.get();
        } catch (InvalidValueException e) {
            throw invalid(e);
        }
    }

    private WireException invalid(InvalidValueException e) {
        return WireException.invalid(pointer() + "/" + e.field().replace('.', '/'), String.valueOf(e.getMessage()));
    }

    /** Checks the value at hand by a rule of the model. */
    <T> T checkedHere(Supplier<T> maker) {
        try {
            return maker.get();
        } catch (InvalidValueException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    WireException missing(String field) {
        return WireException.invalid(pointer() + "/" + field, "it is required");
    }

    /** Refuses the lack of a field, if it is null. */
    void require(String field, @Nullable Object value) {
        if (value == null) {
            refuse(missing(field));
        }
    }
}
