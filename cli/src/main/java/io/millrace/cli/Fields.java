package io.millrace.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One thing, a line for each of its fields. */
final class Fields {
    private final PrintWriter out;
    private final Map<String, String> values = new LinkedHashMap<>();

    Fields(PrintWriter out) {
        this.out = out;
    }

    /** What is null is left out. */
    void add(String name, @Nullable Object value) {
        if (value != null) {
            values.put(name, Table.shown(value.toString()));
        }
    }

    void print() {
        int width = values.keySet().stream().mapToInt(String::length).max().orElse(0);
        values.forEach((name, value) -> out.println(name + " ".repeat(width - name.length() + 2) + value));
    }
}
