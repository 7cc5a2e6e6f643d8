package io.millrace.benchmarks.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Tables in MariaDB. A claim is a transaction of two statements: there is no update that returns what it has changed. */
enum MariaDbTable implements RawTable {
    /** Keeps nothing of a finished task. */
    NARROW(
            """
            create table task(
                id bigint auto_increment primary key,
                claimed boolean not null default false,
                payload varbinary(1000) not null)
            """,
            "insert into task(payload) values ",
            "(?)",
            "select id, payload from task where not claimed order by id limit ? for update skip locked",
            "update task set claimed = true where id in ",
            "delete from task where id in "),

    /** What most home-made queues look like: all about a task is in one row, which changes its state and stays. */
    WIDE(
            """
            create table task(
                id bigint auto_increment primary key,
                topic varchar(100) not null,
                priority tinyint not null default 0,
                state tinyint not null default 0,
                attempt int not null default 0,
                created datetime(3) not null default now(3),
                leased_until datetime(3),
                finished datetime(3),
                payload varbinary(1000) not null,
                index ready(topic, state, priority, id))
            """,
            "insert into task(topic, payload) values ",
            "('bench', ?)",
            """
            select id, payload from task where topic = 'bench' and state = 0
            order by priority, id limit ? for update skip locked
            """,
            "update task set state = 1, attempt = attempt + 1, leased_until = now(3) + interval 1 minute where id in ",
            "update task set state = 2, leased_until = null, finished = now(3) where id in ");

    private final String create;
    private final String insert;
    private final String row;
    private final String select;
    private final String mark;
    private final String finish;

    MariaDbTable(String create, String insert, String row, String select, String mark, String finish) {
        this.create = create;
        this.insert = insert;
        this.row = row;
        this.select = select;
        this.mark = mark;
        this.finish = finish;
    }

    /** Else a statement with a long list would become one that looks at more rows than those, and locks them. */
    @Override
    public String[] driverOptions() {
        return new String[] {"sessionVariables=in_predicate_conversion_threshold=0"};
    }

    @Override
    public void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(create);
        }
    }

    @Override
    public void insert(Connection connection, byte[] payload) throws SQLException {
        insertAll(connection, List.of(payload));
    }

    @Override
    public void insertAll(Connection connection, List<byte[]> payloads) throws SQLException {
        String rows = String.join(",", Collections.nCopies(payloads.size(), row));
        try (PreparedStatement statement = connection.prepareStatement(insert + rows)) {
            for (int i = 0; i < payloads.size(); i++) {
                statement.setBytes(i + 1, payloads.get(i));
            }
            statement.executeUpdate();
        }
    }

    @Override
    public List<Claimed> claim(Connection connection, int limit) throws SQLException {
        return persist(connection, () -> claimOnce(connection, limit));
    }

    private List<Claimed> claimOnce(Connection connection, int limit) throws SQLException {
        connection.setAutoCommit(false);
        List<Claimed> claimed = new ArrayList<>(limit);
        try (PreparedStatement statement = connection.prepareStatement(select)) {
            statement.setInt(1, limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    claimed.add(new Claimed(rows.getLong(1), rows.getBytes(2)));
                }
            }
        }
        if (!claimed.isEmpty()) {
            execute(connection, mark, claimed);
        }
        connection.commit();
        return claimed;
    }

    @Override
    public void finish(Connection connection, List<Claimed> tasks) throws SQLException {
        var unused = persist(connection, () -> {
            execute(connection, finish, tasks);
            connection.commit();
            return true;
        });
    }

    private interface Transaction<T> {
        T run() throws SQLException;
    }

    /** What was chosen to end a deadlock is done again. */
    private static <T> T persist(Connection connection, Transaction<T> transaction) throws SQLException {
        while (true) {
            try {
                return transaction.run();
            } catch (SQLTransactionRollbackException e) {
                connection.rollback();
            }
        }
    }

    private static void execute(Connection connection, String sql, List<Claimed> tasks) throws SQLException {
        String ids = "(" + String.join(",", Collections.nCopies(tasks.size(), "?")) + ")";
        try (PreparedStatement statement = connection.prepareStatement(sql + ids)) {
            for (int i = 0; i < tasks.size(); i++) {
                statement.setLong(i + 1, tasks.get(i).id());
            }
            statement.executeUpdate();
        }
    }
}
