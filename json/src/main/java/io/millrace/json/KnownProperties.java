package io.millrace.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.module.SimpleModule;

/** The properties of the types that a mapper has read, each with its aliases. */
final class KnownProperties extends ValueDeserializerModifier {
    private static final long serialVersionUID = 1L;

    private final Map<Class<?>, List<List<String>>> byType = new ConcurrentHashMap<>();

    JacksonModule module() {
        return new SimpleModule(KnownProperties.class.getName()).setDeserializerModifier(this);
    }

    @Override
    public List<BeanPropertyDefinition> updateProperties(
            DeserializationConfig config, BeanDescription.Supplier bean, List<BeanPropertyDefinition> properties) {
        byType.put(
                bean.getBeanClass(),
                properties.stream()
                        .filter(BeanPropertyDefinition::couldDeserialize)
                        .map(KnownProperties::names)
                        .toList());
        return properties;
    }

    private static List<String> names(BeanPropertyDefinition property) {
        List<String> names = new ArrayList<>(List.of(property.getName()));
        property.findAliases().stream().map(PropertyName::getSimpleName).forEach(names::add);
        return names;
    }

    /** The properties of a type that are not among these; none if it has no properties of its own, as a map. */
    List<String> missing(Class<?> type, Set<String> came) {
        return byType.getOrDefault(type, List.of()).stream()
                .filter(names -> names.stream().noneMatch(came::contains))
                .map(names -> names.get(0))
                .toList();
    }
}
