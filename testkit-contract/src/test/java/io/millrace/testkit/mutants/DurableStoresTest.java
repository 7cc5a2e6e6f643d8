package io.millrace.testkit.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.heap.HeapStore;
import io.millrace.spi.Records;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry;
import io.millrace.testkit.SettableClock;
import io.millrace.testkit.store.DurableStoreContract;
import io.millrace.testkit.store.DurableStoreFixture;
import java.time.Duration;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** What a store loses while it is closed is noticed. */
class DurableStoresTest {
    private static final String TASKS_STAY = "tasks_in_every_state_are_as_they_were";
    private static final String RECORDS_STAY = "records_and_their_versions_go_on";
    private static final String WORKERS_STAY = "workers_are_as_they_were";

    @Test
    void a_store_that_loses_nothing_passes() {
        ContractRun run = ContractRun.ofGroupWith(TASKS_STAY, LosesNothing.class);

        assertThat(run.failed()).isEmpty();
        assertThat(run.succeeded()).isGreaterThan(10);
    }

    @Test
    void a_store_that_loses_all_fails() {
        assertThat(ContractRun.ofGroupWith(TASKS_STAY, LosesAll.class).failed())
                .contains(TASKS_STAY, RECORDS_STAY, WORKERS_STAY, "leases_stay_good", "arrivals_add_up");
    }

    @Test
    void a_store_that_loses_its_records_fails() {
        assertThat(ContractRun.ofGroupWith(TASKS_STAY, LosesRecords.class).failed())
                .containsExactly(RECORDS_STAY);
    }

    @Test
    void a_store_that_loses_its_workers_fails() {
        assertThat(ContractRun.ofGroupWith(TASKS_STAY, LosesWorkers.class).failed())
                .contains(WORKERS_STAY)
                .doesNotContain(RECORDS_STAY, TASKS_STAY);
    }

    static class LosesNothing extends DurableStoreContract {
        @Override
        protected DurableStoreFixture fixture() {
            return new Reopened((before, fresh) -> before);
        }
    }

    static class LosesAll extends DurableStoreContract {
        @Override
        protected DurableStoreFixture fixture() {
            return new Reopened((before, fresh) -> fresh);
        }
    }

    static class LosesRecords extends DurableStoreContract {
        @Override
        protected DurableStoreFixture fixture() {
            return new Reopened((before, fresh) -> new ForwardingStore(before) {
                @Override
                public Records records() {
                    return fresh.records();
                }
            });
        }
    }

    static class LosesWorkers extends DurableStoreContract {
        @Override
        protected DurableStoreFixture fixture() {
            return new Reopened((before, fresh) -> new ForwardingStore(before) {
                @Override
                public WorkerRegistry workers() {
                    return fresh.workers();
                }
            });
        }
    }

    /** Makes the store after the reopening from the one before and a new one. */
    private static final class Reopened implements DurableStoreFixture {
        private final SettableClock clock = new SettableClock();
        private final BiFunction<TaskStore, TaskStore, TaskStore> reopening;
        private TaskStore store = new HeapStore(clock);

        Reopened(BiFunction<TaskStore, TaskStore, TaskStore> reopening) {
            this.reopening = reopening;
        }

        @Override
        public TaskStore store() {
            return store;
        }

        @Override
        public void advance(Duration time) {
            clock.advance(time);
        }

        @Override
        public void reopen() {
            store = reopening.apply(store, new HeapStore(clock));
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
