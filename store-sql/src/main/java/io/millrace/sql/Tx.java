package io.millrace.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One transaction. In statements {@code {p}} stands for what the tables' names begin with, {@code ?} for a value, and
 * {@code :in} for being one of a collection of values. {@code {delete table column}} deletes by a collection of keys, and {@code
 * {byKey}} behind the name of a table makes the database go by its key.
 *
 * <p>A statement is not sent before somebody wants to know what it answers. Then all go that were given so far, together
 * and in their order: so most transactions need two or three round trips. Each still sees what was committed before it.
 */
final class Tx {
    /** Numbers are drawn in blocks: to draw one costs as much. What is not used of a block is lost, and not missed. */
    static final int BLOCK = 1_000;

    private static final String IN = ":in";
    private static final String DELETE = "{delete ";

    /** So many bytes of values go together at most. */
    private static final long MOST_BYTES = 1 << 20;

    private final Connection connection;
    private final Dialect dialect;
    private final String prefix;
    private final int attempt;
    private final Mode mode;

    /** How statements go to the server. */
    enum Mode {
        /** Several at a time. */
        TOGETHER,
        /** One by one: on a connection of which nothing is known. */
        ONE_BY_ONE,
        /** There is only one, and it commits by itself. */
        ALONE
    }

    private final List<Answer<?>> waiting = new ArrayList<>();
    private long waitingBytes;
    private boolean isCommitted;

    /** @param attempt how often it is tried, with this time */
    Tx(Connection connection, Dialect dialect, String prefix, int attempt, Mode mode) {
        this.attempt = attempt;
        this.mode = mode;
        this.connection = connection;
        this.dialect = dialect;
        this.prefix = prefix;
    }

    /** Whether it was tried before, in vain. */
    boolean isTriedAgain() {
        return attempt > 1;
    }

    /** See {@link Dialect#hasTasksByNumber}. */
    boolean hasTasksByNumber() {
        return dialect.hasTasksByNumber();
    }

    /** Makes something of a row. */
    interface Reader<T> {
        T read(Row row) throws SQLException;
    }

    /** A statement with its values. */
    record Command(String sql, long bytes, Binder binder) {}

    /** Sets the values of a statement. */
    interface Binder {
        /** @return the next free parameter */
        int bind(PreparedStatement statement, int parameter) throws SQLException;
    }

    /** What a statement will answer. */
    final class Answer<T> {
        private final Command command;
        private final Reader<T> reader;
        private final List<T> rows = new ArrayList<>();
        private int changed;

        private Answer(Command command, Reader<T> reader) {
            this.command = command;
            this.reader = reader;
        }

        /** Sends the statement, if it is not yet sent. */
        List<T> rows() throws SQLException {
            if (waiting.contains(this)) {
                send();
            }
            return rows;
        }

        /** How many rows were changed; after it was sent. */
        int changed() {
            return changed;
        }

        private void read(PreparedStatement statement, boolean isQuery) throws SQLException {
            if (!isQuery) {
                changed = statement.getUpdateCount();
                return;
            }
            try (ResultSet results = statement.getResultSet()) {
                Row row = new Row(results, dialect);
                while (row.next()) {
                    rows.add(reader.read(row));
                }
            }
        }
    }

    /** Asks; the answer comes when it is looked at. */
    <T> Answer<T> ask(String sql, Reader<T> reader, @Nullable Object... values) throws SQLException {
        return add(new Answer<>(command(sql, values), reader));
    }

    <T> List<T> query(String sql, Reader<T> reader, @Nullable Object... values) throws SQLException {
        return ask(sql, reader, values).rows();
    }

    /** For the sake of what it does, such as locking; whatever it answers. */
    void run(String sql, @Nullable Object... values) throws SQLException {
        run(command(sql, values));
    }

    void run(Command command) throws SQLException {
        var unused = add(new Answer<>(command, row -> true));
    }

    /** @return how many rows were changed */
    int update(String sql, @Nullable Object... values) throws SQLException {
        Answer<Boolean> answer = ask(sql, row -> true, values);
        send();
        return answer.changed;
    }

    void insert(Table table, List<@Nullable Object[]> rows) throws SQLException {
        // on a connection of the user's own nobody knows whether there is a way to copy
        if (mode == Mode.TOGETHER && table.key().isEmpty() && rows.size() >= dialect.copiedFrom()) {
            send();
            dialect.copy(connection, prefix, table, rows);
        } else if (!rows.isEmpty()) {
            for (Command command : dialect.insert(prefix, table, List.copyOf(rows))) {
                var unused = add(new Answer<>(command, row -> true));
            }
        }
    }

    /** See {@link Dialect#insertUnlessDue}. */
    Answer<Boolean> insertUnlessDue(
            List<@Nullable Object[]> tasks, List<@Nullable Object[]> tallies, Collection<Integer> lanes, long now)
            throws SQLException {
        return add(new Answer<>(dialect.insertUnlessDue(this, tasks, tallies, new TreeSet<>(lanes), now), row -> true));
    }

    /** Waits until lanes are ours. What is read after that is up to date. */
    void lockLanes(Collection<Integer> lanes) throws SQLException {
        if (!lanes.isEmpty()) {
            dialect.lockLanes(this, new TreeSet<>(lanes));
        }
    }

    /** The first of {@link #BLOCK} new numbers, each greater than all before. */
    Answer<Long> block() throws SQLException {
        return ask(dialect.nextBlock(), row -> row.number() * BLOCK);
    }

    /** Does nothing if it was done already: whoever has to know what came of the last statements does it before. */
    void commit() throws SQLException {
        if (mode == Mode.ALONE) {
            send();
        } else if (!isCommitted) {
            run("commit");
            send();
            isCommitted = true;
        }
    }

    private <T> Answer<T> add(Answer<T> answer) throws SQLException {
        waiting.add(answer);
        waitingBytes += answer.command.bytes;
        if (waitingBytes > MOST_BYTES) {
            send();
        }
        return answer;
    }

    /** Sends all statements that were given so far. */
    void send() throws SQLException {
        if (waiting.isEmpty()) {
            return;
        }
        List<Answer<?>> sent = List.copyOf(waiting);
        waiting.clear();
        waitingBytes = 0;
        if (mode == Mode.ALONE) {
            if (isCommitted || sent.size() > 1) {
                throw new IllegalStateException("only one statement can commit by itself");
            }
            isCommitted = true;
        }
        if (mode == Mode.TOGETHER) {
            send(sent);
        } else {
            for (Answer<?> each : sent) {
                send(List.of(each));
            }
        }
    }

    private void send(List<Answer<?>> sent) throws SQLException {
        StringBuilder text = new StringBuilder();
        sent.forEach(answer -> text.append(text.isEmpty() ? "" : "; ").append(answer.command.sql));
        try (PreparedStatement statement = connection.prepareStatement(text.toString())) {
            int parameter = 1;
            for (Answer<?> answer : sent) {
                parameter = answer.command.binder.bind(statement, parameter);
            }
            boolean isQuery = statement.execute();
            for (int i = 0; i < sent.size(); i++) {
                sent.get(i).read(statement, isQuery);
                isQuery = i + 1 < sent.size() && statement.getMoreResults();
            }
        }
    }

    String prefix() {
        return prefix;
    }

    /** See {@link Tx} for what stands in the statement. */
    Command command(String sql, @Nullable Object... values) {
        String text = sql;
        @Nullable Object[] kept = values.clone();
        for (int i = 0; i < kept.length; i++) {
            if (kept[i] instanceof Collection<?> all) {
                text = withRoomFor(all.size(), text);
                // it is sent later, when the caller may have changed it
                kept[i] = List.copyOf(all);
            }
        }
        text = text.replace("{byKey}", dialect.byKey()).replace("{p}", prefix);
        return new Command(text, 0, (statement, parameter) -> bind(statement, parameter, kept));
    }

    private String withRoomFor(int values, String text) {
        if (text.startsWith(DELETE)) {
            int end = text.indexOf('}');
            String[] words = text.substring(DELETE.length(), end).split(" ", -1);
            return dialect.deleteByKey("{p}" + words[0], words[1], values) + text.substring(end + 1);
        }
        int at = text.indexOf(IN);
        return text.substring(0, at) + dialect.in(values) + text.substring(at + IN.length());
    }

    private int bind(PreparedStatement statement, int first, @Nullable Object... values) throws SQLException {
        int parameter = first;
        for (Object value : values) {
            if (value instanceof Collection<?> all) {
                parameter = dialect.bindIn(statement, parameter, all);
            } else {
                statement.setObject(parameter, value instanceof UUID id ? dialect.writeId(id) : value);
                parameter++;
            }
        }
        return parameter;
    }
}
