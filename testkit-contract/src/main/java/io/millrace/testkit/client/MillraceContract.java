package io.millrace.testkit.client;

import io.millrace.MillraceOptions;
import org.junit.jupiter.api.Nested;

/**
 * What every {@link io.millrace.Millrace} has to do for its users, as tests, wherever its tasks are kept.
 *
 * <pre>{@code
 * class HeapMillraceTest extends MillraceContract {
 *     @Override
 *     protected MillraceFixture fixture(MillraceOptions options) {
 *         return MillraceFixture.local("heap:", options);
 *     }
 * }
 * }</pre>
 */
public abstract class MillraceContract {
    /** A new Millrace with these settings and without any tasks; the test closes it. */
    protected abstract MillraceFixture fixture(MillraceOptions options);

    @Nested
    class Producing extends ProducingContract {
        @Override
        MillraceFixture newFixture(MillraceOptions options) {
            return MillraceContract.this.fixture(options);
        }
    }

    @Nested
    class Handling extends HandlingContract {
        @Override
        MillraceFixture newFixture(MillraceOptions options) {
            return MillraceContract.this.fixture(options);
        }
    }

    @Nested
    class Looking extends LookingContract {
        @Override
        MillraceFixture newFixture(MillraceOptions options) {
            return MillraceContract.this.fixture(options);
        }
    }

    @Nested
    class Managing extends ManagingContract {
        @Override
        MillraceFixture newFixture(MillraceOptions options) {
            return MillraceContract.this.fixture(options);
        }
    }

    @Nested
    class Topics extends TopicsContract {
        @Override
        MillraceFixture newFixture(MillraceOptions options) {
            return MillraceContract.this.fixture(options);
        }
    }

    @Nested
    class Workers extends WorkersContract {
        @Override
        MillraceFixture newFixture(MillraceOptions options) {
            return MillraceContract.this.fixture(options);
        }
    }

    @Nested
    class BadInput extends BadInputContract {
        @Override
        MillraceFixture newFixture(MillraceOptions options) {
            return MillraceContract.this.fixture(options);
        }
    }
}
