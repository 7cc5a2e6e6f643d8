package io.millrace.testkit.store;

import org.junit.jupiter.api.Nested;

/**
 * What every {@link io.millrace.spi.TaskStore} has to do, as tests. A store extends this class in its own tests and
 * says how one is opened:
 *
 * <pre>{@code
 * class HeapStoreTest extends TaskStoreContract {
 *     @Override
 *     protected StoreFixture fixture() {
 *         return StoreFixture.of(HeapStore::new);
 *     }
 * }
 * }</pre>
 *
 * <p>Each group of tests is a class of its own, named {@code …Contract}. After every test {@link StoreInvariants} are
 * checked. A store that outlives its process extends {@link DurableStoreContract} instead.
 */
public abstract class TaskStoreContract {
    /** A new store for one test; the test closes it. */
    protected abstract StoreFixture fixture();

    @Nested
    class Enqueue extends EnqueueContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class Duplicates extends DuplicateContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class Capacity extends CapacityContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class Claim extends ClaimContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class ClaimOrder extends ClaimOrderContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class ClaimLimits extends ClaimLimitsContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class Deadlines extends DeadlineContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class Completion extends CompletionContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class Fencing extends FencingContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class Repetitions extends RepetitionContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class Dependencies extends DependencyContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class LeaseExpiry extends LeaseExpiryContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class Workers extends WorkerContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class Heartbeats extends HeartbeatContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class Queries extends QueryContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class Paging extends PagingContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class Cancelling extends CancelContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class Changes extends ChangeContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class Selections extends SelectionContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class Records extends RecordsContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class WakeUps extends WakeUpContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }

    @Nested
    class RandomOperations extends RandomOperationsContract {
        @Override
        StoreFixture newFixture() {
            return TaskStoreContract.this.fixture();
        }
    }
}
