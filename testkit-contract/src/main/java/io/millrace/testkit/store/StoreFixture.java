package io.millrace.testkit.store;

import io.millrace.spi.EngineClock;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.SettableClock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * One new, empty store in the hands of one test. It shares nothing with any other: tests run at the same time.
 *
 * <p>The time that the store sees stands still but for {@link #advance}, so that tests can compare moments exactly. A
 * store whose time comes from a server lets the fixture override it there.
 */
public interface StoreFixture extends AutoCloseable {
    TaskStore store();

    /** Moves the time that the store sees. */
    void advance(Duration time);

    /**
     * How long a wake-up may take at most; empty for a store that does not push. Of such a one the contract checks that
     * it stays silent.
     */
    default Optional<Duration> wakeUpsWithin() {
        return Optional.of(Duration.ofSeconds(10));
    }

    /** How many calls a test by chance makes; fewer for a store that takes its time. */
    default int randomCalls() {
        return 1_000;
    }

    /** Closes the store and leaves nothing behind. */
    @Override
    void close();

    /** The fixture of a store that takes its time from a clock of the process. */
    static StoreFixture of(Function<EngineClock, TaskStore> opener) {
        SettableClock clock = new SettableClock();
        return new ClockedFixture(opener.apply(clock), clock);
    }
}
