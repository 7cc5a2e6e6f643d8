package io.millrace.sql;

import io.millrace.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A JDBC URL with the settings of the store among those of the driver: {@code
 * jdbc:postgresql://host/database?user=me&millraceTables=acme_&millraceConnections=20}.
 *
 * @param jdbc what the driver gets, with time limits where the user has set none
 * @param tables what the names of all tables begin with; a schema and a point may come first
 * @param connections the most that are open at once
 */
record SqlUrl(String jdbc, String tables, int connections) {
    static final String DEFAULT_TABLES = "millrace_";
    static final int DEFAULT_CONNECTIONS = 10;
    private static final String TABLES = "millraceTables";
    private static final String CONNECTIONS = "millraceConnections";
    private static final String POSTGRES = "jdbc:postgresql:";
    /**
     * A server that does not answer, or cannot be reached, must not keep callers waiting for as long as TCP would. Of several
     * servers, one that could not be used a while ago may be the right one now; but not at once, since to try takes as long.
     */
    private static final List<String> POSTGRES_DEFAULTS =
            List.of("connectTimeout=5", "socketTimeout=30", "tcpKeepAlive=true", "hostRecheckSeconds=5");

    private static final List<String> MARIADB_DEFAULTS =
            List.of("connectTimeout=5000", "socketTimeout=30000", "tcpKeepAlive=true", "deniedListTimeout=5000");

    private static final String SESSION = "sessionVariables=";
    /**
     * MariaDB would make another kind of statement of one with a long list, which looks at more rows than those. A server that
     * is about to read only, or to be backed up, waits for who waits for a lock, whose holder waits for the server: that ends
     * when the first gives up, who tries again. For the pause see {@link Dialect#LONGEST_PAUSE}.
     */
    private static final String MARIADB_SESSION = "in_predicate_conversion_threshold=0,innodb_lock_wait_timeout=5"
            + Stream.of("idle_transaction_timeout", "net_read_timeout", "net_write_timeout")
                    .map(name -> "," + name + "=" + Dialect.LONGEST_PAUSE.toSeconds())
                    .collect(Collectors.joining());

    private static final Pattern NAMES = Pattern.compile("([a-z_][a-z0-9_]{0,39}\\.)?[a-z_][a-z0-9_]{0,29}");

    static SqlUrl parse(String url) {
        int question = url.indexOf('?');
        String address = question < 0 ? url : url.substring(0, question);
        String settings = question < 0 ? "" : url.substring(question + 1);
        String tables = DEFAULT_TABLES;
        int connections = DEFAULT_CONNECTIONS;
        List<String> rest = new ArrayList<>();
        for (String setting : settings.split("&", -1)) {
            int equals = setting.indexOf('=');
            String name = equals < 0 ? setting : setting.substring(0, equals);
            String value = equals < 0 ? "" : setting.substring(equals + 1);
            if (name.equals(TABLES)) {
                tables = tables(value);
            } else if (name.equals(CONNECTIONS)) {
                connections = connections(value);
            } else if (name.startsWith("millrace")) {
                throw new InvalidValueException(
                        name, value, "the store's settings are " + TABLES + " and " + CONNECTIONS);
            } else if (!setting.isEmpty()) {
                rest.add(setting);
            }
        }
        for (String setting : isPostgres(url) ? POSTGRES_DEFAULTS : MARIADB_DEFAULTS) {
            String name = setting.substring(0, setting.indexOf('=') + 1);
            if (rest.stream().noneMatch(given -> beginsWith(given, name))) {
                rest.add(setting);
            }
        }
        if (!isPostgres(url)) {
            setForSession(rest);
        }
        return new SqlUrl(address + "?" + String.join("&", rest), tables, connections);
    }

    /** Before what the user has set, which counts if it is the same. */
    private static void setForSession(List<String> settings) {
        List<String> variables = new ArrayList<>(List.of(MARIADB_SESSION));
        settings.removeIf(
                setting -> beginsWith(setting, SESSION) && variables.add(setting.substring(SESSION.length())));
        settings.add(SESSION + String.join(",", variables));
    }

    /** Drivers do not mind in which case a name is written. */
    private static boolean beginsWith(String setting, String name) {
        return setting.regionMatches(true, 0, name, 0, name.length());
    }

    static boolean isPostgres(String url) {
        return url.startsWith(POSTGRES);
    }

    /** The names go into statements as they are, so nothing but names may pass. */
    static String tables(String value) {
        if (!NAMES.matcher(value).matches()) {
            throw new InvalidValueException(
                    TABLES,
                    value,
                    "it must have up to 30 small letters, digits and _, and may begin with a schema and a point");
        }
        return value;
    }

    private static int connections(String value) {
        try {
            int number = Integer.parseInt(value);
            if (number >= 2 && number <= 1_000) {
                return number;
            }
        } catch (NumberFormatException e) {
            // answered below
        }
        throw new InvalidValueException(CONNECTIONS, value, "it must be a number from 2 to 1000");
    }
}
