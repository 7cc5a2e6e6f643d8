package io.millrace.sql;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A table to which rows are added in batches.
 *
 * @param columns with their types, as PostgreSQL calls them
 * @param key the column by which a row that is there already is replaced; empty if none can be
 */
record Table(String name, List<Column> columns, String key) {
    record Column(String name, String type) {}

    static final Table TASK = of(
            "task",
            "",
            "num bigint, id uuid, lane int, priority int, created bigint, deadline bigint, timeout bigint, json boolean, payload bytea,"
                    + " entity text, scope text, unique_key text, settings text");
    static final Table CLAIMED = of("claimed", "", "lane int, hi bigint");
    static final Table LEASE = of(
            "lease",
            "",
            "id bigint, lane int, lo bigint, hi bigint, worker uuid, since bigint, until bigint, tasks int,"
                    + " remaining int, others int, keyed boolean, given_up boolean, time_to_run bigint");
    static final Table ASIDE = of(
            "aside",
            "num",
            "num bigint, lane int, state smallint, place bigint, due bigint, deadline bigint, attempts int, retries int,"
                    + " losses int, waiting_for int, ended_token text, ended_outcome smallint, token text, holder uuid,"
                    + " runner uuid, since bigint, leased_at bigint, until bigint, cancel boolean, given_up boolean,"
                    + " overdue smallint, percent smallint, message text, told_at bigint, time_to_run bigint, ended_by uuid");
    static final Table FINISHED = of(
            "finished",
            "",
            "lane int, lo bigint, hi bigint, tasks int, lease bigint, state smallint, finished bigint, removal bigint,"
                    + " due bigint, deadline bigint, attempts int, retries int, losses int, token text, runner uuid,"
                    + " since bigint, error text, outcome smallint, percent smallint, message text, told_at bigint, json boolean, result bytea,"
                    + " ended_by uuid, redriven boolean");
    static final Table ATTEMPT = of(
            "attempt",
            "",
            "num bigint, number int, runner uuid, since bigint, ended bigint, outcome smallint, error text");
    static final Table UNIQUE_KEY = of("unique_key", "", "topic int, unique_key text, id uuid");
    static final Table TALLY = of("tally", "", "topic int, state smallint, delta bigint");

    private static Table of(String name, String key, String columns) {
        List<Column> parsed = Arrays.stream(columns.split(", ?"))
                .map(column -> column.strip().split(" "))
                .map(words -> new Column(words[0], words[1]))
                .toList();
        return new Table(name, parsed, key);
    }

    String columnNames() {
        return columnNames("");
    }

    /** @param alias with a point, before each of them */
    String columnNames(String alias) {
        return columns.stream().map(column -> alias + column.name()).collect(Collectors.joining(", "));
    }
}
