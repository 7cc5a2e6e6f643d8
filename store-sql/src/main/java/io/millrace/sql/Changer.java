package io.millrace.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.Consumer;

/** Changes tasks, each time in one transaction, and tells what has become ready by it. */
final class Changer {
    private final Database database;
    private final Lanes lanes;
    private final InstantSource clock;
    private final Consumer<Set<String>> ready;

    /** @param ready is given topics with ready tasks, after they are committed */
    Changer(Database database, Lanes lanes, InstantSource clock, Consumer<Set<String>> ready) {
        this.database = database;
        this.lanes = lanes;
        this.clock = clock;
        this.ready = ready;
    }

    /** What is done to tasks in a transaction. */
    interface Action<T> {
        T run(Work work) throws SQLException;
    }

    private record Done<T>(T result, Set<String> ready) {}

    <T> T change(Action<T> action) {
        long now = clock.millis();
        return told(database.change(tx -> run(tx, now, action)));
    }

    /** The same, if nobody has to wait until it is safe: see {@link Database#changeSoon}. */
    <T> T changeSoon(Action<T> action) {
        long now = clock.millis();
        return told(database.changeSoon(tx -> run(tx, now, action)));
    }

    /** Does a part of somebody else's transaction; when that will be committed is not known here. */
    <T> T changeIn(Connection transaction, Action<T> action) {
        long now = clock.millis();
        return database.changeIn(transaction, tx -> run(tx, now, action)).result;
    }

    private <T> Done<T> run(Tx tx, long now, Action<T> action) throws SQLException {
        Work work = new Work(tx, lanes, now);
        T result = action.run(work);
        work.write();
        return new Done<>(result, work.newlyReady());
    }

    private <T> T told(Done<T> done) {
        tell(done.ready);
        return done.result;
    }

    void tell(Set<String> topics) {
        ready.accept(topics);
    }
}
