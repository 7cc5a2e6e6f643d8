package io.millrace.sql;

import io.millrace.spi.TaskStore;
import io.millrace.testkit.SettableClock;
import io.millrace.testkit.servers.TestDatabase;
import io.millrace.testkit.store.DurableStoreFixture;
import java.time.Duration;

/** A store in a database of its own, on a real server. */
final class SqlFixture implements DurableStoreFixture {
    private final SettableClock clock = new SettableClock();
    private final Databases databases;
    private final TestDatabase database;
    private TaskStore store;

    SqlFixture(Databases databases) {
        this.databases = databases;
        database = databases.take();
        store = open();
    }

    private TaskStore open() {
        return SqlProvider.openBy(clock, database.url());
    }

    @Override
    public void reopen() {
        store.close();
        store = open();
    }

    @Override
    public TaskStore store() {
        return store;
    }

    @Override
    public void advance(Duration time) {
        clock.advance(time);
    }

    /** Each call is several statements. */
    @Override
    public int randomCalls() {
        return 200;
    }

    @Override
    public void close() {
        store.close();
        databases.giveBack(database);
    }
}
