package io.millrace.benchmarks.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Connection pools, the same for all, and full: to connect is not what is measured. */
final class Pools {
    private Pools() {}

    /**
     * @param options of the driver, such as {@code name=value}
     */
    static HikariDataSource open(String url, int connections, String... options) throws SQLException {
        StringBuilder whole = new StringBuilder(url);
        for (String option : options) {
            whole.append(whole.indexOf("?") < 0 ? '?' : '&').append(option);
        }
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(whole.toString());
        config.setMaximumPoolSize(connections);
        // On MariaDB the usual level locks the gaps between rows as well, and queues deadlock.
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        HikariDataSource pool = new HikariDataSource(config);
        fill(pool, connections);
        return pool;
    }

    private static void fill(HikariDataSource pool, int connections) throws SQLException {
        List<Connection> all = new ArrayList<>();
        try {
            while (all.size() < connections) {
                all.add(pool.getConnection());
            }
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
    }
}
