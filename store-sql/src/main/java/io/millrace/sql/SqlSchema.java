package io.millrace.sql;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The tables as plain SQL, for those whose administrators create them. The store finds them, and creates nothing then. */
public final class SqlSchema {
    private SqlSchema() {}

    /**
     * For PostgreSQL.
     *
     * @param tables what all names begin with, {@code millrace_} unless the URL says otherwise
     */
    public static String postgresql(String tables) {
        return text(new PostgresDialect(), tables);
    }

    /** For MariaDB; see {@link #postgresql}. */
    public static String mariadb(String tables) {
        return text(new MariaDbDialect(), tables);
    }

    private static String text(Dialect dialect, String tables) {
        String checked = SqlUrl.tables(tables);
        String versions = IntStream.rangeClosed(1, Schema.VERSION)
                .mapToObj(version -> Schema.text(dialect, version) + "insert into {p}schema_version (version) values ("
                        + version + ");\n")
                .collect(Collectors.joining("\n"));
        return (Schema.CREATE_VERSIONS + ";\n\n" + versions).replace("{p}", checked);
    }
}
