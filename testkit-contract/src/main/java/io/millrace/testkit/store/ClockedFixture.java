package io.millrace.testkit.store;

import io.millrace.spi.TaskStore;
import io.millrace.testkit.SettableClock;
import java.time.Duration;

record ClockedFixture(TaskStore store, SettableClock clock) implements StoreFixture {
    @Override
    public void advance(Duration time) {
        clock.advance(time);
    }

    @Override
    public void close() {
        store.close();
    }
}
