package io.millrace.sql;

import io.millrace.StoreUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the tables, and brings them up to date, one version after the other. */
final class Schema {
    private static final Logger log = LoggerFactory.getLogger(Schema.class);
    static final int VERSION = 2;
    static final String CREATE_VERSIONS =
            "create table if not exists {p}schema_version (version integer not null primary key)";
    private static final Pattern STATEMENT = Pattern.compile("(?s)\\s*((?:--[^\\n]*\\n\\s*)*)(.*?);\\s*(?=\\n|$)");

    private final Database database;

    Schema(Database database) {
        this.database = database;
    }

    /** Brings the tables up to date, unless another node does so already. */
    void migrate() {
        var unused = database.change(tx -> {
            lock(tx);
            try {
                int before = migrate(tx);
                unlock(tx);
                return before;
            } catch (SQLException | RuntimeException e) {
                unlockAfter(e, tx);
                throw e;
            }
        });
    }

    private void lock(Tx tx) throws SQLException {
        if (tx.query(database.dialect().lockSchema(database.prefix()), Row::smallNumber)
                        .get(0)
                != 1) {
            throw new StoreUnavailableException("another node has been changing the tables " + database.prefix()
                    + "... for a while; try again when it is done");
        }
    }

    private void unlock(Tx tx) throws SQLException {
        var unused = tx.query(database.dialect().unlockSchema(database.prefix()), Row::smallNumber);
    }

    /** A transaction that failed may answer nothing but that; what made it fail is of interest. */
    private void unlockAfter(Exception failure, Tx tx) {
        try {
            unlock(tx);
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    private int migrate(Tx tx) throws SQLException {
        tx.run(CREATE_VERSIONS);
        int version = tx.query("select coalesce(max(version), 0) from {p}schema_version", Row::smallNumber)
                .get(0);
        if (version > VERSION) {
            throw new StoreUnavailableException("the tables " + database.prefix() + "... are of version " + version
                    + ", and this Millrace knows versions up to " + VERSION + ": use a newer one");
        }
        for (int next = version + 1; next <= VERSION; next++) {
            apply(tx, next);
        }
        return version;
    }

    private void apply(Tx tx, int version) throws SQLException {
        log.info("Creating version {} of the tables {}...", version, database.prefix());
        for (String statement : statements(database.dialect(), version)) {
            tx.run(statement);
        }
        tx.run("insert into {p}schema_version (version) values (?)", version);
    }

    static List<String> statements(Dialect dialect, int version) {
        Matcher matcher = STATEMENT.matcher(text(dialect, version));
        return matcher.results().map(found -> found.group(2)).toList();
    }

    /** The schema as plain SQL, with {@code {p}} for what all names begin with. */
    static String text(Dialect dialect, int version) {
        String name = dialect.name() + "-" + version + ".sql";
        try (InputStream file = Schema.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException("no " + name + " in this jar");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
