package io.millrace.queue;

import static io.millrace.queue.Background.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.DeadLetterCause;
import io.millrace.Discard;
import io.millrace.ItemOptions;
import io.millrace.WorkQueue;
import io.millrace.WorkQueueBuilder;
import io.millrace.internal.engine.HandClock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each item goes to the target for the causes that were named, and for no other. */
class DeadLetterCausesTest {
    static Stream<Set<DeadLetterCause>> subsets() {
        return Stream.of(
                Set.of(),
                EnumSet.of(DeadLetterCause.FULL),
                EnumSet.of(DeadLetterCause.FAILED),
                EnumSet.of(DeadLetterCause.EXPIRED),
                EnumSet.complementOf(EnumSet.of(DeadLetterCause.FULL)),
                EnumSet.complementOf(EnumSet.of(DeadLetterCause.FAILED)),
                EnumSet.complementOf(EnumSet.of(DeadLetterCause.EXPIRED)),
                EnumSet.allOf(DeadLetterCause.class));
    }

    @ParameterizedTest
    @MethodSource("subsets")
    void the_target_gets_what_it_is_for(Set<DeadLetterCause> causes) throws Exception {
        HandClock clock = new HandClock();
        Gate gate = new Gate();
        Queue<String> target = new ConcurrentLinkedQueue<>();
        WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(1)
                .workers(1)
                .clock(clock)
                .deadLetter(target::add, causes)
                .handler(item -> {
                    gate.handle(item);
                    if (item.equals("FAILED")) {
                        throw new IllegalArgumentException("fails");
                    }
                })
                .build();
        queue.put("FAILED");
        gate.awaitBegun(1);
        queue.put("EXPIRED", ItemOptions.DEFAULT.deadline(Duration.ofSeconds(1)));
        boolean leaks = causes.contains(DeadLetterCause.FULL);
        assertThat(queue.offer("FULL")).isEqualTo(leaks);
        clock.advance(Duration.ofSeconds(2));
        gate.open();
        until(() -> queue.totals().failed() == 1 && queue.totals().expired() == 1);
        queue.put("LEFT", ItemOptions.DEFAULT.delay(Duration.ofHours(1)));
        assertThat(queue.closeNow())
                .as("what is left goes to the target in any case")
                .isEmpty();
        List<String> expected = Stream.concat(causes.stream().map(Enum::name), Stream.of("LEFT"))
                .toList();
        assertThat(target).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(queue.totals()).isEqualTo(new WorkQueue.Totals(leaks ? 1 : 0, 1, 1, 0));
        assertThat(gate.begun()).containsExactly("FAILED");
    }

    @Test
    void the_set_of_causes_is_copied() throws Exception {
        Discard<String> target = new Discard<>();
        Set<DeadLetterCause> causes = EnumSet.of(DeadLetterCause.FAILED);
        WorkQueueBuilder<String> builder = WorkQueue.<String>builder()
                .capacity(1)
                .workers(1)
                .deadLetter(target, causes)
                .handler(item -> {
                    throw new IllegalArgumentException("fails");
                });
        causes.clear();
        try (WorkQueue<String> queue = builder.build()) {
            queue.put("item");
        }
        assertThat(target.count()).isEqualTo(1);
    }
}
