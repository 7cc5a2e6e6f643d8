package io.millrace.sql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Statements of the same columns, asked for together. */
final class Union {
    /** So many go in one statement, which sees one moment. */
    static final int PARTS = 200;

    private final Tx tx;
    private final List<Part> parts = new ArrayList<>();

    private record Part(String sql, List<Object> values) {}

    Union(Tx tx) {
        this.tx = tx;
    }

    void add(String sql, Object... values) {
        parts.add(new Part(sql, List.of(values)));
    }

    /** Asks for all parts that were added, in one statement or several. */
    <T> List<T> read(Tx.Reader<T> reader) throws SQLException {
        return read("", reader);
    }

    /** The same, for parts in the order of their numbers, of which the first are enough. */
    <T> List<T> readFirst(int limit, Tx.Reader<T> reader) throws SQLException {
        return read(" order by num limit " + limit, reader);
    }

    private <T> List<T> read(String end, Tx.Reader<T> reader) throws SQLException {
        List<T> rows = new ArrayList<>();
        for (int from = 0; from < parts.size(); from += PARTS) {
            rows.addAll(ask(parts.subList(from, Math.min(parts.size(), from + PARTS)), end, reader)
                    .rows());
        }
        parts.clear();
        return rows;
    }

    /** Asks for parts that are few enough for one statement; the answer comes when it is looked at. */
    <T> Tx.Answer<T> ask(Tx.Reader<T> reader) throws SQLException {
        return ask(parts, "", reader);
    }

    private <T> Tx.Answer<T> ask(List<Part> some, String end, Tx.Reader<T> reader) throws SQLException {
        String sql = some.stream().map(Part::sql).collect(Collectors.joining(" union all "));
        Stream<Object> values = some.stream().flatMap(part -> part.values.stream());
        return tx.ask(some.size() == 1 ? sql : sql + end, reader, values.toArray());
    }
}
