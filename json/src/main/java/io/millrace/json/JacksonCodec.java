package io.millrace.json;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.millrace.Codec;
import io.millrace.InvalidValueException;
import io.millrace.Payload;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;

/**
 * Objects as JSON. Records, beans, collections and {@code java.time} work without annotations; unknown properties are
 * passed over and missing ones empty, so that producers and workers may be of different age. But a JSON object that has
 * properties, and none of them is one of the type, is of another type and is refused.
 */
public final class JacksonCodec implements Codec {
    /** Of the properties that came; the rest is counted. */
    private static final int NAMED = 20;

    private final JsonMapper mapper;
    private final @Nullable KnownProperties required;

    public JacksonCodec() {
        this(JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
                .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .annotationIntrospector(new Annotations())
                .build());
    }

    /**
     * With a mapper of your own, whose settings count. A type that is annotated to ignore unknown properties is then read from
     * any object.
     */
    public JacksonCodec(JsonMapper mapper) {
        this(mapper, null);
    }

    private JacksonCodec(JsonMapper mapper, @Nullable KnownProperties required) {
        this.mapper = mapper;
        this.required = required;
    }

    /**
     * The same codec, but a property of the type that is missing is refused: in the payload itself, and in records and other
     * types made by a constructor also within it. Mind that a type which gains a property then fails what is pending.
     */
    public JacksonCodec strict() {
        KnownProperties known = new KnownProperties();
        return new JacksonCodec(
                mapper.rebuild()
                        .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                        .addModule(known.module())
                        .build(),
                known);
    }

    /**
     * Unknown properties are passed over without an annotation. With one, Jackson would not even tell of them, and a payload of
     * another type could not be noticed.
     */
    private static final class Annotations extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1L;

        @Override
        public JsonIgnoreProperties.Value findPropertyIgnoralByName(MapperConfig<?> config, Annotated annotated) {
            return super.findPropertyIgnoralByName(config, annotated).withoutIgnoreUnknown();
        }
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
            byte[] json = payload.toBytes();
            Strangers strangers = new Strangers(type);
            T value = mapper.readerFor(type).withHandler(strangers).readValue(json);
            if (value == null) {
                throw new InvalidValueException("payload", "null", "it must be a " + type.getName());
            }
            if (strangers.anyIn()) {
                checkShared(payload, type, strangers);
            }
            if (required != null) {
                checkComplete(payload, type, required);
            }
            return value;
        } catch (JacksonException e) {
            throw new InvalidValueException(
                    "payload", payload, "Jackson cannot read it as " + type.getName() + ": " + e.getOriginalMessage());
        }
    }

    private void checkShared(Payload payload, Class<?> type, Strangers strangers) {
        Set<String> names = PropertyNames.of(mapper, payload.toBytes());
        if (strangers.areAll(names)) {
            throw new InvalidValueException(
                    "payload",
                    payload,
                    "it must be a " + type.getName() + ", and has none of its properties, only " + list(names));
        }
    }

    private void checkComplete(Payload payload, Class<?> type, KnownProperties known) {
        List<String> missing = known.missing(type, PropertyNames.of(mapper, payload.toBytes()));
        if (!missing.isEmpty()) {
            throw new InvalidValueException(
                    "payload",
                    payload,
                    "it must be a whole " + type.getName() + ", and lacks " + String.join(", ", missing));
        }
    }

    private static String list(Set<String> names) {
        String first = String.join(", ", names.stream().limit(NAMED).toList());
        return names.size() <= NAMED ? first : first + " and " + (names.size() - NAMED) + " more";
    }
}
