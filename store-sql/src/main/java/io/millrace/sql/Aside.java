package io.millrace.sql;

import io.millrace.Outcome;
import io.millrace.Progress;
import io.millrace.TaskState;
import io.millrace.spi.OverdueLease;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** All that is to be said of a pending task that does not simply stand in its lane or under the lease of its stretch. */
final class Aside {
    /** Where it is. */
    enum Place {
        /** For arrivals. */
        WAITING,
        SCHEDULED,
        /** In its lane, by its place. */
        QUEUED,
        /** In its lane, at a place that the claims have passed. */
        RETURNED,
        HELD
    }

    static final String COLUMNS = Table.ASIDE.columnNames();

    final long num;
    final int lane;
    Place state = Place.WAITING;
    long place;
    long due;

    @Nullable
    Long deadline;

    int attempts;
    int retries;
    int losses;
    int waitingFor;

    @Nullable
    String endedToken;

    @Nullable
    Outcome endedOutcome;

    /** Who reported that. */
    @Nullable
    UUID endedBy;

    // while it is held

    @Nullable
    String token;

    @Nullable
    UUID holder;

    /** Who began the attempt; the lease passes to a reaper when it is overdue. */
    @Nullable
    UUID runner;

    long since;
    long leasedAt;
    long until;

    /** As long as it is not known to have been started. */
    @Nullable
    Long timeToRun;

    boolean cancel;
    boolean givenUp;

    OverdueLease.@Nullable Reason overdue;

    @Nullable
    Progress progress;

    Aside(long num, int lane) {
        this.num = num;
        this.lane = lane;
    }

    static Aside read(Row row) throws SQLException {
        Aside aside = new Aside(row.number(), row.smallNumber());
        aside.state = Codes.PLACES.at(row.smallNumber());
        aside.place = row.number();
        aside.due = row.number();
        aside.deadline = row.numberOrNull();
        aside.attempts = row.smallNumber();
        aside.retries = row.smallNumber();
        aside.losses = row.smallNumber();
        aside.waitingFor = row.smallNumber();
        aside.endedToken = row.textOrNull();
        aside.endedOutcome = Codes.OUTCOMES.orNull(row.smallNumberOrNull());
        aside.token = row.textOrNull();
        aside.holder = row.idOrNull();
        aside.runner = row.idOrNull();
        aside.since = row.number();
        aside.leasedAt = row.number();
        aside.until = row.number();
        aside.cancel = row.flag();
        aside.givenUp = row.flag();
        aside.overdue = Codes.REASONS.orNull(row.smallNumberOrNull());
        aside.progress = progress(row);
        aside.timeToRun = row.numberOrNull();
        aside.endedBy = row.idOrNull();
        return aside;
    }

    /** Where the rows of these tasks may be. */
    static Places places(Tx tx, Lanes lanes, Collection<Aside> asides) throws SQLException {
        lanes.learn(tx, asides.stream().map(aside -> aside.lane).toList());
        Places places = new Places();
        asides.forEach(aside -> places.addOrParked(lanes.byId(aside.lane), aside.num));
        return places;
    }

    static @Nullable Progress progress(Row row) throws SQLException {
        Integer percent = row.smallNumberOrNull();
        String message = row.textOrNull();
        Long at = row.numberOrNull();
        return at == null ? null : new Progress(percent, message, Instant.ofEpochMilli(at));
    }

    @Nullable
    Object[] values() {
        return new Object[] {
            num,
            lane,
            Codes.PLACES.of(state),
            place,
            due,
            deadline,
            attempts,
            retries,
            losses,
            waitingFor,
            endedToken,
            Codes.OUTCOMES.orNull(endedOutcome),
            token,
            holder,
            runner,
            since,
            leasedAt,
            until,
            cancel,
            givenUp,
            Codes.REASONS.orNull(overdue),
            progress == null ? null : progress.percent(),
            progress == null ? null : progress.message(),
            progress == null ? null : progress.at().toEpochMilli(),
            timeToRun,
            endedBy
        };
    }

    /** Its worker has started it, which may have been known. */
    void start(long now) {
        if (timeToRun != null && until == LeaseRow.NO_END) {
            until = now + timeToRun;
        }
        timeToRun = null;
    }

    /** Its worker does not know of it. Unless that one has ever said something of it, it was not started. */
    void giveUpUnknown() {
        givenUp = true;
        until = timeToRun == null ? until : LeaseRow.NO_END;
    }

    TaskState taskState(long now) {
        return switch (state) {
            case WAITING -> TaskState.WAITING;
            case SCHEDULED -> due > now ? TaskState.SCHEDULED : TaskState.READY;
            case QUEUED, RETURNED -> TaskState.READY;
            case HELD -> TaskState.RUNNING;
        };
    }

    /** The state that the tally knows: a task that came due counts as scheduled until it is put into its lane. */
    TaskState talliedState() {
        return state == Place.SCHEDULED ? TaskState.SCHEDULED : taskState(due);
    }

    /** Nobody holds it any more. */
    void letGo() {
        token = null;
        holder = null;
        runner = null;
        since = 0;
        leasedAt = 0;
        until = 0;
        timeToRun = null;
        cancel = false;
        givenUp = false;
        overdue = null;
    }
}
