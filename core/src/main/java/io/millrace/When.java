package io.millrace;

import java.time.Duration;
import java.time.Instant;

/** A moment by the store's clock: given as such, or counted from the moment the store takes the call. */
public sealed interface When {
    When NOW = new After(Duration.ZERO);

    record At(Instant moment) implements When {
        public At {
            moment = Limits.moment("moment", moment);
        }

        @Override
        public Instant from(Instant now) {
            return moment;
        }

        @Override
        public String toString() {
            return moment.toString();
        }
    }

    record After(Duration delay) implements When {
        public After {
            delay = Limits.notNegative("delay", delay);
        }

        @Override
        public Instant from(Instant now) {
            return now.plus(delay);
        }

        @Override
        public String toString() {
            return delay.toString();
        }
    }

    static When at(Instant moment) {
        return new At(moment);
    }

    static When after(Duration delay) {
        return new After(delay);
    }

    /** The moment meant, if the store's clock shows {@code now}. */
    Instant from(Instant now);
}
