package io.millrace.spi;

import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Payload;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt ended, as reported; what follows from it is decided in one place, the life cycle. Errors are cut to
 * {@value Limits#ERROR_LENGTH} characters.
 */
public sealed interface Ending {
    Outcome outcome();

    default @Nullable String error() {
        return null;
    }

    record Succeeded(@Nullable Payload result, List<NewTask> spawned, List<UUID> arrivals) implements Ending {
        public static final Succeeded PLAIN = new Succeeded(null, List.of(), List.of());

        @Override
        public Outcome outcome() {
            return Outcome.SUCCEEDED;
        }
    }

    /** @param stop no further retries */
    record Failed(String error, boolean stop) implements Ending {
        public Failed {
            error = Limits.cutError(error);
        }

        @Override
        public Outcome outcome() {
            return Outcome.FAILED;
        }
    }

    record TimedOut(String error) implements Ending {
        public TimedOut {
            error = Limits.cutError(error);
        }

        @Override
        public Outcome outcome() {
            return Outcome.TIMED_OUT;
        }
    }

    record Snoozed(Duration delay) implements Ending {
        @Override
        public Outcome outcome() {
            return Outcome.SNOOZED;
        }
    }

    record Lost(String error) implements Ending {
        public Lost {
            error = Limits.cutError(error);
        }

        @Override
        public Outcome outcome() {
            return Outcome.LOST;
        }
    }

    /** @param started whether the handler had been started; otherwise this was no attempt */
    record Released(boolean started) implements Ending {
        public static final Released NOT_STARTED = new Released(false);

        @Override
        public Outcome outcome() {
            return Outcome.RELEASED;
        }
    }
}
