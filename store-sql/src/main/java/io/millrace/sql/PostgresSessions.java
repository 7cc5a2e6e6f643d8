package io.millrace.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;

/**
 * Settings of the server that every transaction needs. They are set once for a session that is ours; behind a pooler others
 * have the session next, so there they are set for each transaction.
 *
 * <p>The tables are made for indexes, and grow from nothing to millions of rows before anybody has counted them: without
 * statistics, and with plans that were made when a table was empty, they would be read from end to end, or sorted, or by several
 * processes, which take longer to start than what they do. For the same reason there is nothing to be gained by planning a
 * statement anew for its values.
 */
final class PostgresSessions {
    private static final List<String[]> SETTINGS = List.of(
            new String[] {"idle_in_transaction_session_timeout", Dialect.LONGEST_PAUSE.toSeconds() + "s"},
            new String[] {"enable_seqscan", "off"},
            new String[] {"enable_bitmapscan", "off"},
            new String[] {"max_parallel_workers_per_gather", "0"},
            new String[] {"plan_cache_mode", "force_generic_plan"});

    private static final String FOR_SESSION = settings(false) + "; commit";

    /** What a transaction begins with where its session is not ours. */
    static final String FOR_TRANSACTION = settings(true);

    private final Map<PGConnection, Boolean> known = Collections.synchronizedMap(new WeakHashMap<>());

    private static String settings(boolean ofTransaction) {
        return SETTINGS.stream()
                .map(setting -> "set_config('%s', '%s', %s)".formatted(setting[0], setting[1], ofTransaction))
                .collect(Collectors.joining(", ", "select ", ""));
    }

    /** Whether the session is ours, and so has these settings; between two transactions. */
    boolean isOurs(Connection connection) throws SQLException {
        if (!connection.isWrapperFor(PGConnection.class)) {
            return false;
        }
        PGConnection session = connection.unwrap(PGConnection.class);
        Boolean ours = known.get(session);
        if (ours == null) {
            ours = begin(connection, session.getBackendPID());
            known.put(session, ours);
        }
        return ours;
    }

    /** A pooler tells its clients of a server process that there is not: it cannot know yet which one they will get. */
    private static boolean begin(Connection connection, int process) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            int answering;
            try (ResultSet answer = statement.executeQuery("select pg_backend_pid()")) {
                answer.next();
                answering = answer.getInt(1);
            }
            boolean ours = answering == process;
            statement.execute(ours ? FOR_SESSION : "commit");
            return ours;
        }
    }
}
