package io.millrace.sql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statements of the same columns, asked for together. */
final class Union {
    /** So many go in one statement, which sees one moment. */
    static final int PARTS = 200;

    private final Tx tx;
    private final List<String> parts = new ArrayList<>();
    private final List<@Nullable Object> values = new ArrayList<>();

    Union(Tx tx) {
        this.tx = tx;
    }

    void add(String part, Object... partValues) {
        parts.add(part);
        values.addAll(List.of(partValues));
    }

    /** Asks for all parts that were added, in one statement or several. */
    <T> List<T> read(Tx.Reader<T> reader) throws SQLException {
        List<T> rows = new ArrayList<>();
        int value = 0;
        for (int from = 0; from < parts.size(); from += PARTS) {
            List<String> some = parts.subList(from, Math.min(parts.size(), from + PARTS));
            int count = some.stream()
                    .mapToInt(part -> (int) part.chars().filter(c -> c == '?').count())
                    .sum();
            rows.addAll(tx.query(
                    String.join(" union all ", some),
                    reader,
                    values.subList(value, value + count).toArray()));
            value += count;
        }
        parts.clear();
        values.clear();
        return rows;
    }
}
