package io.millrace.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Backoff;
import io.millrace.Jitter;
import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.OnTimeout;
import io.millrace.Retry;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.Completion;
import io.millrace.spi.Ending;
import io.millrace.spi.Next;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Thousands of tasks under random policies with random endings, against plain counting. */
class RandomWalksTest {
    private static final int WALKS = 1_500;
    private static final int LONGEST_WALK = 60;

    /** What a person with a sheet of paper would note of a task. */
    private static final class Sheet {
        private final int retriesAllowed;
        private final int lossesAllowed;
        private final boolean timeoutsAreRetried;
        private int failures;
        private int losses;
        private int uncounted;
        private TaskState end;

        Sheet(Retry retry, TopicPolicy policy) {
            retriesAllowed = retry.max();
            lossesAllowed = policy.lossLimit() - 1;
            timeoutsAreRetried = policy.onTimeout() == OnTimeout.RETRY;
        }

        void note(Ending ending) {
            switch (ending.outcome()) {
                case SUCCEEDED -> end = TaskState.SUCCEEDED;
                case FAILED -> failed(TaskState.FAILED, ((Ending.Failed) ending).stop());
                case TIMED_OUT -> failed(TaskState.TIMED_OUT, !timeoutsAreRetried);
                case LOST -> {
                    losses++;
                    end = losses > lossesAllowed ? TaskState.FAILED : null;
                }
                case SNOOZED, RELEASED -> uncounted++;
            }
        }

        private void failed(TaskState state, boolean forGood) {
            failures++;
            end = forGood || failures > retriesAllowed ? state : null;
        }

        int attempts() {
            return failures + losses + uncounted + (end == TaskState.SUCCEEDED ? 1 : 0);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void no_walk_takes_more_than_it_is_allowed(long seed) {
        Random chance = new Random(seed);
        for (int i = 0; i < WALKS; i++) {
            TopicPolicy policy = randomPolicy(chance);
            NewTask task = randomTask(chance);
            Sheet sheet = new Sheet(policy.retryOf(task), policy);
            Walk walk = new Walk(task, policy, chance);
            for (int step = 0; step < LONGEST_WALK && !walk.isOver(); step++) {
                Ending ending = randomEnding(chance);
                Completion completion = walk.attempt(ending);
                sheet.note(ending);
                assertAgrees(walk, sheet, completion, policy);
            }
        }
    }

    private static void assertAgrees(Walk walk, Sheet sheet, Completion completion, TopicPolicy policy) {
        assertThat(walk.isOver()).isEqualTo(sheet.end != null);
        assertThat(walk.attempts()).isEqualTo(sheet.attempts());
        assertThat(walk.retries()).isLessThanOrEqualTo(sheet.retriesAllowed);
        assertThat(walk.losses()).isLessThanOrEqualTo(sheet.lossesAllowed);
        if (completion.next() instanceof Next.Finish finish) {
            assertThat(finish.state()).isEqualTo(sheet.end);
            boolean letter = policy.deadLetter() != null && sheet.end != TaskState.SUCCEEDED;
            assertThat(finish.spawned()).hasSize(letter ? 1 : 0);
        } else {
            assertThat(walk.retries()).isEqualTo(sheet.failures);
            assertThat(walk.losses()).isEqualTo(sheet.losses);
            Duration delay = ((Next.Requeue) completion.next()).delay();
            assertThat(delay).isBetween(Duration.ZERO, Limits.LONGEST);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 5, 6})
    void whoever_only_fails_or_gets_lost_comes_to_an_end(long seed) {
        Random chance = new Random(seed);
        for (int i = 0; i < WALKS; i++) {
            TopicPolicy policy = randomPolicy(chance);
            NewTask task = randomTask(chance);
            int most = policy.retryOf(task).max() + policy.lossLimit();
            Walk walk = new Walk(task, policy, chance);
            while (!walk.isOver()) {
                walk.attempt(randomTrouble(chance));
                assertThat(walk.attempts()).isLessThanOrEqualTo(most);
            }
            assertThat(walk.state()).isIn(TaskState.FAILED, TaskState.TIMED_OUT);
        }
    }

    private static TopicPolicy randomPolicy(Random chance) {
        TopicPolicy.Builder policy = TopicPolicy.builder()
                .retry(randomRetry(chance))
                .onTimeout(oneOf(chance, OnTimeout.FINAL, OnTimeout.RETRY))
                .lossLimit(chance.nextInt(1, 8));
        return chance.nextBoolean() ? policy.deadLetter("dead").build() : policy.build();
    }

    private static NewTask randomTask(Random chance) {
        NewTask.Builder task = NewTask.builder("email");
        return chance.nextBoolean() ? task.retry(randomRetry(chance)).build() : task.build();
    }

    private static Retry randomRetry(Random chance) {
        return new Retry(
                chance.nextInt(12),
                oneOf(chance, Backoff.values()),
                Duration.ofMillis(chance.nextLong(Limits.LONGEST.toMillis()) >> chance.nextInt(40)),
                chance.nextBoolean() ? Duration.ofMillis(chance.nextLong(1, 100_000_000)) : null,
                oneOf(chance, Jitter.values()));
    }

    private static Ending randomEnding(Random chance) {
        return switch (chance.nextInt(10)) {
            case 0 -> Ending.Succeeded.PLAIN;
            case 1, 2 -> new Ending.Snoozed(Duration.ofMillis(chance.nextInt(10_000)));
            case 3, 4 -> new Ending.Released(true);
            default -> randomTrouble(chance);
        };
    }

    private static Ending randomTrouble(Random chance) {
        return switch (chance.nextInt(10)) {
            case 0 -> new Ending.Failed("hopeless", true);
            case 1, 2 -> new Ending.TimedOut("too slow");
            case 3, 4, 5 -> new Ending.Lost("gone");
            default -> new Ending.Failed("broken", false);
        };
    }

    @SafeVarargs
    private static <T> T oneOf(Random chance, T... values) {
        return values[chance.nextInt(values.length)];
    }
}
