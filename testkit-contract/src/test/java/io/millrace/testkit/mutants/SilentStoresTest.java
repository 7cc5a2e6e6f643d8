package io.millrace.testkit.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.heap.HeapStore;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WakeUpListener;
import io.millrace.testkit.SettableClock;
import io.millrace.testkit.store.StoreFixture;
import io.millrace.testkit.store.TaskStoreContract;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A store may be silent if it says so. */
class SilentStoresTest {
    private static final String A_TEST = "a_task_that_comes_in_ready_is_told";

    @Test
    void a_store_that_is_silent_as_it_says_passes() {
        ContractRun run = ContractRun.ofGroupWith(A_TEST, Silent.class);

        assertThat(run.failed()).isEmpty();
        assertThat(run.succeeded()).isPositive();
    }

    @Test
    void a_store_that_is_not_as_silent_as_it_says_fails() {
        assertThat(ContractRun.ofGroupWith(A_TEST, NotSoSilent.class).failed()).contains(A_TEST);
    }

    static class Silent extends TaskStoreContract {
        @Override
        protected StoreFixture fixture() {
            SettableClock clock = new SettableClock();
            return new SilentFixture(new SilentStore(new HeapStore(clock)), clock);
        }
    }

    static class NotSoSilent extends TaskStoreContract {
        @Override
        protected StoreFixture fixture() {
            SettableClock clock = new SettableClock();
            return new SilentFixture(new HeapStore(clock), clock);
        }
    }

    private static final class SilentStore extends ForwardingStore {
        SilentStore(TaskStore store) {
            super(store);
        }

        @Override
        public void onWakeUp(WakeUpListener listener) {}
    }

    private record SilentFixture(TaskStore store, SettableClock clock) implements StoreFixture {
        @Override
        public void advance(Duration time) {
            clock.advance(time);
        }

        @Override
        public Optional<Duration> wakeUpsWithin() {
            return Optional.empty();
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
