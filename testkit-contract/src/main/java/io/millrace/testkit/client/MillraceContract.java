package io.millrace.testkit.client;

import org.junit.jupiter.api.Nested;

/**
 * What every {@link io.millrace.Millrace} has to do for its users, as tests, wherever its tasks are kept.
 *
 * <pre>{@code
 * class HeapMillraceTest extends MillraceContract {
 *     @Override
 *     protected MillraceFixture fixture() {
 *         return MillraceFixture.local("heap:");
 *     }
 * }
 * }</pre>
 */
public abstract class MillraceContract {
    /** A new Millrace without any tasks; the test closes it. */
    protected abstract MillraceFixture fixture();

    @Nested
    class Producing extends ProducingContract {
        @Override
        MillraceFixture newFixture() {
            return MillraceContract.this.fixture();
        }
    }

    @Nested
    class Handling extends HandlingContract {
        @Override
        MillraceFixture newFixture() {
            return MillraceContract.this.fixture();
        }
    }

    @Nested
    class Looking extends LookingContract {
        @Override
        MillraceFixture newFixture() {
            return MillraceContract.this.fixture();
        }
    }

    @Nested
    class Managing extends ManagingContract {
        @Override
        MillraceFixture newFixture() {
            return MillraceContract.this.fixture();
        }
    }

    @Nested
    class Topics extends TopicsContract {
        @Override
        MillraceFixture newFixture() {
            return MillraceContract.this.fixture();
        }
    }

    @Nested
    class Workers extends WorkersContract {
        @Override
        MillraceFixture newFixture() {
            return MillraceContract.this.fixture();
        }
    }

    @Nested
    class BadInput extends BadInputContract {
        @Override
        MillraceFixture newFixture() {
            return MillraceContract.this.fixture();
        }
    }
}
