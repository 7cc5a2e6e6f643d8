package io.millrace.json;

import io.millrace.Codec;
import io.millrace.InvalidValueException;
import io.millrace.Payload;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Objects as JSON. Records, beans, collections and {@code java.time} work without annotations; unknown fields are
 * passed over and missing ones empty, so that producers and workers may be of different age.
 */
public final class JacksonCodec implements Codec {
    private final JsonMapper mapper;

    public JacksonCodec() {
        this(JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
                .build());
    }

    /** With a mapper of your own. */
    public JacksonCodec(JsonMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public Payload encode(Object value) {
        try {
            return Payload.json(mapper.writeValueAsBytes(value));
        } catch (JacksonException e) {
            throw new InvalidValueException(
                    "payload", value.getClass().getName(), "Jackson cannot write it: " + e.getOriginalMessage());
        }
    }

    @Override
    public <T> T decode(Payload payload, Class<T> type) {
        try {
            T value = mapper.readValue(payload.toBytes(), type);
            if (value == null) {
                throw new InvalidValueException("payload", "null", "it must be a " + type.getName());
            }
            return value;
        } catch (JacksonException e) {
            throw new InvalidValueException(
                    "payload", payload, "Jackson cannot read it as " + type.getName() + ": " + e.getOriginalMessage());
        }
    }
}
