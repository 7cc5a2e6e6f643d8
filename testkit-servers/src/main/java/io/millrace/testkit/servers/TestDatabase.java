package io.millrace.testkit.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A database of one caller, dropped when it is closed. */
public final class TestDatabase implements AutoCloseable {
    private static final Pattern URL = Pattern.compile("(jdbc:[a-z]+://[^/?]+)(/[^?]*)?(\\?.*)?");

    private final ServerProgram program;
    private final String adminUrl;
    private final BooleanSupplier serverRuns;
    private final String name =
            "millrace_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
    private final String url;

    private TestDatabase(ServerProgram program, String adminUrl, BooleanSupplier serverRuns) {
        this.program = program;
        this.adminUrl = adminUrl;
        this.serverRuns = serverRuns;
        Matcher parts = parts(adminUrl);
        url = parts.group(1) + "/" + name + (parts.group(3) == null ? "" : parts.group(3));
    }

    private static Matcher parts(String url) {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new IllegalStateException(
                    "Not a URL of the form jdbc:product://host:port/database?user=name&password=word: " + url);
        }
        return parts;
    }

    static TestDatabase create(ServerProgram program, String adminUrl, BooleanSupplier serverRuns) {
        TestDatabase database = new TestDatabase(program, adminUrl, serverRuns);
        try (Connection connection = DriverManager.getConnection(adminUrl);
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + database.name);
            return database;
        } catch (SQLException e) {
            // The rest of the URL may have a password.
            throw new IllegalStateException(
                    "Cannot create a database on " + program.name() + " at "
                            + parts(adminUrl).group(1) + " (" + e.getMessage() + ")",
                    e);
        }
    }

    /** Its name on the server. */
    public String name() {
        return name;
    }

    /** Its JDBC URL, with user and password. */
    public String url() {
        return url;
    }

    /** A new connection, which the caller closes. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    /** Drops it, whoever is connected. Does nothing if the server has been stopped or killed. */
    @Override
    public void close() {
        if (!serverRuns.getAsBoolean()) {
            return;
        }
        try (Connection connection = DriverManager.getConnection(adminUrl);
                Statement statement = connection.createStatement()) {
            program.dropDatabase(statement, name);
        } catch (SQLException e) {
            throw new IllegalStateException("Cannot drop the database " + name + " (" + e.getMessage() + ")", e);
        }
    }
}
