package io.millrace.testkit.store;

import org.junit.jupiter.api.Nested;

/** What a store has to do whose content outlives it: the whole contract, and that nothing is lost on the way. */
public abstract class DurableStoreContract extends TaskStoreContract {
    @Override
    protected abstract DurableStoreFixture fixture();

    @Nested
    class Reopening extends ReopeningContract {
        @Override
        DurableStoreFixture newFixture() {
            return DurableStoreContract.this.fixture();
        }
    }
}
