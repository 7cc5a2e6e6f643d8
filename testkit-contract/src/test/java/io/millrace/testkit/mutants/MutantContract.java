package io.millrace.testkit.mutants;

import io.millrace.heap.HeapStore;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.SettableClock;
import io.millrace.testkit.store.StoreFixture;
import io.millrace.testkit.store.TaskStoreContract;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The contract, for the mutant that the run was started for. Its name keeps it out of the normal run of tests. */
@ExtendWith(MutantContract.ChosenMutant.class)
class MutantContract extends TaskStoreContract {
    static final String CHOICE = "millrace.mutant";

    private final Optional<Mutant> mutant;

    MutantContract(Optional<Mutant> mutant) {
        this.mutant = mutant;
    }

    @Override
    protected StoreFixture fixture() {
        SettableClock clock = new SettableClock();
        TaskStore unharmed = new ForwardingStore(new HeapStore(clock));
        return new MutantFixture(mutant.map(fault -> fault.of(unharmed)).orElse(unharmed), clock);
    }

    private record MutantFixture(TaskStore store, SettableClock clock) implements StoreFixture {
        @Override
        public void advance(Duration time) {
            clock.advance(time);
        }

        /** The heap store tells within the call, so that there is no need to wait for what a mutant keeps quiet. */
        @Override
        public Optional<Duration> wakeUpsWithin() {
            return Optional.of(Duration.ZERO);
        }

        @Override
        public void close() {
            store.close();
        }
    }

    static final class ChosenMutant implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getDeclaringExecutable().getDeclaringClass() == MutantContract.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getConfigurationParameter(CHOICE).map(Mutant::valueOf);
        }
    }
}
