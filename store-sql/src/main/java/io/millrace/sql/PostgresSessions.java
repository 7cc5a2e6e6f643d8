package io.millrace.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;

/**
 * Settings of the server that every transaction needs. They are set once for a session that is ours; behind a pooler others
 * have the session next, so there they are set for each transaction.
 */
final class PostgresSessions {
    /** What a transaction begins with where its session is not ours. */
    static final String FOR_TRANSACTION = set(ofTransaction(), true);

    private static final String FOR_SESSION = set(ofSession(), false) + "; commit";

    /** The sessions that are ours. */
    private final Set<PGConnection> ours = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private volatile boolean isBehindPooler;

    /**
     * The tables are made for indexes, and grow from nothing to millions of rows before anybody has counted them: without
     * statistics, and with plans that were made when a table was empty, they would be read from end to end, or sorted, or by
     * several processes, which take longer to start than what they do. For the same reason there is nothing to be gained by
     * planning a statement anew for its values.
     *
     * <p>Statements are short, and the plan of a query over many lanes looks expensive once the tables are large: the just-in-time
     * compiler would then take a second to compile, at every execution, what runs for a millisecond.
     */
    private static Map<String, String> ofTransaction() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("idle_in_transaction_session_timeout", Dialect.LONGEST_PAUSE.toSeconds() + "s");
        settings.put("enable_seqscan", "off");
        settings.put("enable_bitmapscan", "off");
        settings.put("max_parallel_workers_per_gather", "0");
        settings.put("plan_cache_mode", "force_generic_plan");
        settings.put("jit", "off");
        return settings;
    }

    /** The pause is not looked at while the server reads or writes: there the network tells that a machine is gone. */
    private static Map<String, String> ofSession() {
        Map<String, String> settings = ofTransaction();
        settings.put("default_transaction_isolation", "read committed");
        settings.put("tcp_keepalives_idle", "10");
        settings.put("tcp_keepalives_interval", "5");
        settings.put("tcp_keepalives_count", "3");
        settings.put("tcp_user_timeout", "25000");
        return settings;
    }

    private static String set(Map<String, String> settings, boolean forTransaction) {
        return settings.entrySet().stream()
                .map(setting ->
                        "set_config('%s', '%s', %s)".formatted(setting.getKey(), setting.getValue(), forTransaction))
                .collect(Collectors.joining(", ", "select ", ""));
    }

    /**
     * Sets them if the session is ours, and new; between two transactions.
     *
     * @return whether it has them
     */
    boolean settle(Connection connection) throws SQLException {
        if (isBehindPooler || !connection.isWrapperFor(PGConnection.class)) {
            return false;
        }
        PGConnection session = connection.unwrap(PGConnection.class);
        if (!ours.contains(session)) {
            if (process(connection) != session.getBackendPID()) {
                // a pooler makes up the number that it tells its clients; that another one fits may be chance
                isBehindPooler = true;
                return false;
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute(FOR_SESSION);
            }
            ours.add(session);
        }
        return true;
    }

    private static int process(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("select pg_backend_pid()")) {
            answer.next();
            return answer.getInt(1);
        } finally {
            connection.rollback();
        }
    }
}
