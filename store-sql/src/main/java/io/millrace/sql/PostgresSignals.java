package io.millrace.sql;

import io.millrace.spi.WakeUpListener;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * LISTEN and NOTIFY, on a connection of its own. Notifying makes commits wait for each other, so it is never part of a
 * transaction that does something: what has become ready is collected and told together, and the less often the longer it goes
 * on: all nodes would hear all others all the time, and look at the tally by themselves while there is news. Where the
 * connection breaks, or a pooler in between lets nothing through, nodes hear of each other's tasks by the regular scan.
 */
final class PostgresSignals implements Signals {
    private static final Logger log = LoggerFactory.getLogger(PostgresSignals.class);
    private static final long SHORTEST_PAUSE_MILLIS = 10;
    private static final long LONGEST_PAUSE_MILLIS = 160;
    private static final Duration TROUBLE = Duration.ofSeconds(5);
    private static final int LISTEN_MILLIS = 1_000;
    /** A notification holds up to 8000 bytes, and a topic's name has up to 200. */
    private static final int MOST = 30;

    private final String url;
    private final String channel;
    private final Database database;
    private final Supplier<@Nullable WakeUpListener> listener;
    private final String self = UUID.randomUUID().toString();
    private final Set<String> waiting = new LinkedHashSet<>();
    private final Thread sender = new Thread(this::sendOn, "millrace-sql-notify");
    private final Thread receiver = new Thread(this::receiveOn, "millrace-sql-listen");
    private volatile boolean closed;
    private boolean broken;

    PostgresSignals(String url, Database database, Supplier<@Nullable WakeUpListener> listener) {
        this.url = url;
        this.database = database;
        this.listener = listener;
        channel = database.prefix().replace('.', '_') + "ready";
        for (Thread thread : new Thread[] {sender, receiver}) {
            thread.setDaemon(true);
            thread.start();
        }
    }

    @Override
    public void send(Collection<String> topics) {
        synchronized (waiting) {
            waiting.addAll(topics);
            waiting.notifyAll();
        }
    }

    private void sendOn() {
        long pause = SHORTEST_PAUSE_MILLIS;
        while (!closed) {
            List<String> topics = List.of();
            try {
                pause = isSomethingWaiting() ? Math.min(2 * pause, LONGEST_PAUSE_MILLIS) : SHORTEST_PAUSE_MILLIS;
                topics = next();
                tellOthers(topics);
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                log.debug("Other nodes could not be told what is ready; it is tried again", e);
                send(topics);
            }
            LockSupport.parkNanos(Duration.ofMillis(pause).toNanos());
        }
    }

    private void tellOthers(List<String> topics) {
        var unused = database.changeSoon(tx -> {
            for (int from = 0; from < topics.size(); from += MOST) {
                List<String> some = topics.subList(from, Math.min(from + MOST, topics.size()));
                // who says it, and what, one a line
                tx.run("select pg_notify(?, ?)", channel, self + "\n" + String.join("\n", some));
            }
            return true;
        });
    }

    private boolean isSomethingWaiting() {
        synchronized (waiting) {
            return !waiting.isEmpty();
        }
    }

    private List<String> next() throws InterruptedException {
        synchronized (waiting) {
            while (waiting.isEmpty()) {
                waiting.wait();
            }
            List<String> topics = List.copyOf(waiting);
            waiting.clear();
            return topics;
        }
    }

    private void receiveOn() {
        while (!closed) {
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("listen " + channel);
                receive(connection.unwrap(PGConnection.class));
            } catch (SQLException e) {
                if (!broken && !closed) {
                    broken = true;
                    log.warn(
                            "This node cannot listen for others' tasks; it finds them by its regular scan, and tries"
                                    + " again every {}: {}",
                            TROUBLE,
                            e.getMessage());
                }
                LockSupport.parkNanos(TROUBLE.toNanos());
            }
        }
    }

    private void receive(PGConnection connection) throws SQLException {
        if (broken) {
            broken = false;
            log.info("This node listens for others' tasks again");
        }
        while (!closed) {
            PGNotification[] notifications = connection.getNotifications(LISTEN_MILLIS);
            for (PGNotification notification : notifications == null ? new PGNotification[0] : notifications) {
                tell(notification.getParameter());
            }
        }
    }

    private void tell(String message) {
        WakeUpListener told = listener.get();
        if (told == null || message.startsWith(self)) {
            return;
        }
        message.lines().skip(1).forEach(topic -> {
            if (topic.equals(RECORDS)) {
                told.recordsChanged();
            } else {
                told.ready(topic);
            }
        });
    }

    @Override
    public void close() {
        closed = true;
        sender.interrupt();
        LockSupport.unpark(receiver);
    }
}
