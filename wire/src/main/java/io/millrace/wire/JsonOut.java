package io.millrace.wire;

import io.millrace.Payload;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;

/** Writes JSON into memory. Nulls are left out, with their names. */
public final class JsonOut {
    private final Sink sink = new Sink();
    private final JsonGenerator json = JsonIn.JSON.createGenerator(ObjectWriteContext.empty(), sink);
    private final boolean inOneLine;

    /** Hands out its array without a copy. */
    private static final class Sink extends ByteArrayOutputStream {
        Sink() {
            super(512);
        }

        byte[] array() {
            return buf;
        }
    }

    public JsonOut() {
        this(false);
    }

    private JsonOut(boolean inOneLine) {
        this.inOneLine = inOneLine;
    }

    /** For NDJSON: each value is a line of its own, and payloads lose their line breaks. */
    public static JsonOut inOneLine() {
        return new JsonOut(true);
    }

    /** What was written. Nothing more may be. */
    public byte[] toBytes() {
        json.close();
        return sink.toByteArray();
    }

    /** What was written since the last call; the writing goes on. */
    public byte[] takeBytes() {
        json.flush();
        byte[] taken = sink.toByteArray();
        sink.reset();
        return taken;
    }

    /** How many bytes there are to take. */
    public int size() {
        return sink.size() + json.streamWriteOutputBuffered();
    }

    public JsonOut startObject() {
        json.writeStartObject();
        return this;
    }

    public JsonOut startObject(String name) {
        json.writeName(name);
        return startObject();
    }

    public JsonOut endObject() {
        json.writeEndObject();
        return this;
    }

    public JsonOut startArray() {
        json.writeStartArray();
        return this;
    }

    public JsonOut startArray(String name) {
        json.writeName(name);
        return startArray();
    }

    public JsonOut endArray() {
        json.writeEndArray();
        return this;
    }

    public JsonOut value(String value) {
        json.writeString(value);
        return this;
    }

    public JsonOut field(String name, @Nullable String value) {
        if (value != null) {
            json.writeStringProperty(name, value);
        }
        return this;
    }

    public JsonOut field(String name, @Nullable UUID value) {
        return value == null ? this : field(name, value.toString());
    }

    public JsonOut field(String name, @Nullable Duration value) {
        return value == null ? this : field(name, Durations.format(value));
    }

    public JsonOut field(String name, @Nullable Instant value) {
        return value == null ? this : field(name, DateTimeFormatter.ISO_INSTANT.format(value));
    }

    public JsonOut field(String name, long value) {
        json.writeNumberProperty(name, value);
        return this;
    }

    public JsonOut field(String name, double value) {
        json.writeNumberProperty(name, value);
        return this;
    }

    public JsonOut field(String name, boolean value) {
        json.writeBooleanProperty(name, value);
        return this;
    }

    JsonOut field(String name, @Nullable Integer value) {
        return value == null ? this : field(name, (long) value);
    }

    JsonOut texts(String name, Collection<?> values) {
        startArray(name);
        values.forEach(value -> json.writeString(value.toString()));
        return endArray();
    }

    /** JSON as it is, bytes and broken JSON as Base64 under the other name, and nothing if it is empty. */
    JsonOut payload(String jsonName, String bytesName, @Nullable Payload payload) {
        if (payload == null || payload.size() == 0) {
            return this;
        }
        if (!payload.isJson() || !JsonText.isWhole(payload)) {
            return field(bytesName, Base64.getEncoder().encodeToString(payload.toBytes()));
        }
        json.writeName(jsonName);
        raw(payload);
        return this;
    }

    void raw(Payload payload) {
        // the separator first, then past the generator, which would take texts only
        json.writeRawValue("");
        json.flush();
        int from = sink.size();
        sink.writeBytes(payload.toBytes());
        if (inOneLine) {
            withoutLineBreaks(from);
        }
    }

    /** In JSON a raw line break is nothing but white space. */
    private void withoutLineBreaks(int from) {
        byte[] array = sink.array();
        for (int i = from; i < sink.size(); i++) {
            if (array[i] == '\n' || array[i] == '\r') {
                array[i] = ' ';
            }
        }
    }
}
