package io.millrace.json;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.DeserializationProblemHandler;

/**
 * The properties that a type did not know in one payload. Jackson tells, so that aliases, unwrapped properties and types that
 * take any property need no rule here, and a payload without unknown properties costs nothing.
 */
final class Strangers extends DeserializationProblemHandler {
    private final Class<?> type;
    private final Set<String> names = new HashSet<>();

    Strangers(Class<?> type) {
        this.type = type;
    }

    /** Changes nothing of what Jackson does next. */
    @Override
    public boolean handleUnknownProperty(
            DeserializationContext context,
            JsonParser parser,
            ValueDeserializer<?> deserializer,
            Object beanOrClass,
            String name) {
        Collection<Object> known = deserializer.getKnownPropertyNames();
        // a type without properties is whole whatever came
        if ((known == null || !known.isEmpty()) && isOfType(context, deserializer, beanOrClass)) {
            names.add(name);
        }
        return false;
    }

    /** Else it is of an object within the payload. A builder is known by its deserializer only. */
    private boolean isOfType(DeserializationContext context, ValueDeserializer<?> deserializer, Object beanOrClass) {
        Class<?> owner = beanOrClass instanceof Class<?> given ? given : beanOrClass.getClass();
        return type.isAssignableFrom(owner)
                || deserializer == context.findRootValueDeserializer(context.constructType(type));
    }

    boolean anyIn() {
        return !names.isEmpty();
    }

    boolean areAll(Set<String> came) {
        return names.containsAll(came);
    }
}
