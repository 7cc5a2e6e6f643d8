package io.millrace.json;

import java.util.LinkedHashSet;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/** The names of the properties of a JSON object, without those of the objects within. */
final class PropertyNames {
    private PropertyNames() {}

    /** None if it is no object. */
    static Set<String> of(JsonMapper mapper, byte[] json) {
        Set<String> names = new LinkedHashSet<>();
        try (JsonParser parser = mapper.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return names;
            }
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                names.add(name);
                parser.nextToken();
                parser.skipChildren();
            }
        }
        return names;
    }
}
