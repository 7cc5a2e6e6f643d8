package io.millrace.sql;

import io.millrace.StoreUnavailableException;
import io.millrace.TaskState;
import io.millrace.spi.WakeUpListener;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether tasks came in of which nobody has told this node: on a database that cannot tell, behind a pooler that lets
 * nothing through, or in transactions of others. Whatever makes a task ready adds to the tally, so the end of that table is
 * all that has to be read. It looks often while there is something to see, and seldom otherwise. By the way it has the table
 * added up, so that to count tasks is to read a few hundred rows at most.
 */
final class TallyWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TallyWatch.class);
    private static final Duration OFTEN = Duration.ofMillis(20);
    private static final Duration SELDOM = Duration.ofMillis(500);
    private static final Duration LAST_LOOK = Duration.ofSeconds(2);
    /** A transaction may be committed after others that drew later numbers. One that is so far behind is not waited for. */
    private static final int BEHIND = 1_000;

    /** After so many new ones the table is added up; after more if there are as many sums. */
    private static final int ADDED_UP = 300;

    /** When nothing comes in, this part of them is enough: there is time, and who looks at a quiet queue counts. */
    private static final int WHEN_QUIET = 10;

    private final Database database;
    private final Lanes lanes;
    private final Supplier<@Nullable WakeUpListener> listener;
    private final Thread thread = new Thread(this::watch, "millrace-sql-watch");
    /** Up to this one all were seen that will ever be there; negative before the first look. */
    private long settled = -1;
    /** Those that were seen behind it. */
    private final TreeSet<Long> seen = new TreeSet<>();

    private int notAddedUp;
    private int addUpAfter = ADDED_UP;
    /** Up to this one they were added up; what old transactions keep of them would be in the way. */
    private long addedUp;

    private volatile boolean closed;

    private record Entry(long id, int topic, TaskState state, long delta) {
        static Entry read(Row row) throws SQLException {
            return new Entry(row.number(), row.smallNumber(), Codes.STATES.at(row.smallNumber()), row.number());
        }

        boolean bringsTasks() {
            return delta > 0 && (state == TaskState.READY || state == TaskState.SCHEDULED);
        }
    }

    TallyWatch(Database database, Lanes lanes, Supplier<@Nullable WakeUpListener> listener) {
        this.database = database;
        this.lanes = lanes;
        this.listener = listener;
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        long pause = OFTEN.toNanos();
        while (!closed) {
            LockSupport.parkNanos(pause);
            boolean found = false;
            try {
                found = !closed && look();
            } catch (StoreUnavailableException e) {
                log.debug("What is new could not be looked at; it is tried again", e);
            } catch (RuntimeException e) {
                log.warn("What is new could not be looked at; it is tried again", e);
            }
            pause = found ? OFTEN.toNanos() : Math.min(SELDOM.toNanos(), pause * 2);
        }
    }

    /** @return whether something had changed */
    private boolean look() {
        long after = settled;
        List<Entry> entries = database.alone(tx ->
                after < 0 ? tx.query(Sql.LAST_TALLY, Entry::read) : tx.query(Sql.NEW_TALLIES, Entry::read, after));
        lanes.learn(entries.stream().map(Entry::topic).toList());
        boolean news = false;
        for (Entry entry : entries) {
            if (seen.add(entry.id)) {
                news = true;
                notAddedUp++;
                WakeUpListener told = listener.get();
                if (told != null && entry.bringsTasks()) {
                    told.ready(lanes.byId(entry.topic).topic());
                }
            }
        }
        settle();
        if (notAddedUp >= (news ? addUpAfter : addUpAfter / WHEN_QUIET)) {
            addUp();
        }
        return news;
    }

    private void addUp() {
        notAddedUp = 0;
        long from = Math.max(0, addedUp - BEHIND);
        Tallies.Condensed condensed = database.change(tx -> Tallies.condense(tx, from));
        addUpAfter = Math.max(ADDED_UP, condensed.left());
        addedUp = Math.max(addedUp, condensed.last());
    }

    private void settle() {
        if (!seen.isEmpty()) {
            settled = Math.max(settled, Math.max(0, seen.last() - BEHIND));
        }
        while (seen.remove(settled + 1)) {
            settled++;
        }
        seen.headSet(settled + 1).clear();
    }

    /** Waits a little for a look that is under way: it needs the database. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(LAST_LOOK.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
