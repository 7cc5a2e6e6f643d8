package io.millrace.internal.lifecycle;

import static io.millrace.TaskState.CANCELLED;
import static io.millrace.TaskState.EXPIRED;
import static io.millrace.TaskState.FAILED;
import static io.millrace.TaskState.SUCCEEDED;
import static io.millrace.TaskState.TIMED_OUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.OnTimeout;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Retention;
import io.millrace.Retry;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.Completion;
import io.millrace.spi.Ending;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.Next.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The decision for every ending under every policy, one at a time. */
class LifeCycleTest {
    private static final int LOSS_LIMIT = 3;
    private static final Duration KEEP_SUCCESS = Duration.ofHours(1);
    private static final Duration KEEP_FAILURE = Duration.ofHours(2);
    private static final Duration SNOOZE = Duration.ofSeconds(42);
    private static final Duration BASE = Duration.ofSeconds(20);

    private enum How {
        SUCCESS(new Ending.Succeeded(Payload.json("1"), List.of(), List.of()), Outcome.SUCCEEDED),
        FAILURE(new Ending.Failed("broken", false), Outcome.FAILED),
        STOP(new Ending.Failed("hopeless", true), Outcome.FAILED),
        TIMEOUT(new Ending.TimedOut("too slow"), Outcome.TIMED_OUT),
        LOSS(new Ending.Lost("gone"), Outcome.LOST),
        SNOOZE(new Ending.Snoozed(LifeCycleTest.SNOOZE), Outcome.SNOOZED),
        RELEASE(new Ending.Released(true), Outcome.RELEASED);

        @SuppressWarnings("ImmutableEnumChecker")
        private final Ending ending;

        private final Outcome outcome;

        How(Ending ending, Outcome outcome) {
            this.ending = ending;
            this.outcome = outcome;
        }
    }

    /** @param own whether the retries are the task's own or the topic's */
    private record Case(How how, OnTimeout onTimeout, int max, int used, boolean own, int losses, boolean letter) {
        /** What the task becomes: a final state, or the reason of a requeue. */
        Enum<?> expected() {
            boolean retryLeft = used < max;
            return switch (how) {
                case SUCCESS -> SUCCEEDED;
                case FAILURE -> retryLeft ? Reason.RETRY : FAILED;
                case STOP -> FAILED;
                case TIMEOUT ->
                    switch (onTimeout) {
                        case FINAL -> TIMED_OUT;
                        case RETRY -> retryLeft ? Reason.RETRY : TIMED_OUT;
                        case REDELIVER -> Reason.REDELIVERY;
                    };
                case LOSS -> losses + 1 < LOSS_LIMIT ? Reason.LOSS : FAILED;
                case SNOOZE -> Reason.SNOOZE;
                case RELEASE -> Reason.RELEASE;
            };
        }

        Duration expectedDelay() {
            if (expected() == Reason.RETRY) {
                return BASE.multipliedBy(1L << used);
            }
            return how == How.SNOOZE ? SNOOZE : Duration.ZERO;
        }

        NewTask given() {
            NewTask.Builder task = NewTask.builder("email").id(new UUID(1, 2));
            return own ? task.retry(Retry.DEFAULT.max(max)).build() : task.build();
        }

        TopicPolicy policy() {
            TopicPolicy.Builder policy = TopicPolicy.builder()
                    .onTimeout(onTimeout)
                    .lossLimit(LOSS_LIMIT)
                    .retention(new Retention(KEEP_SUCCESS, KEEP_FAILURE))
                    .retry(Retry.DEFAULT.max(own ? 99 - max : max));
            return letter ? policy.deadLetter("dead").build() : policy.build();
        }

        Completion decide() {
            LeasedTask leased = Walk.leased(given(), 1 + used + losses, used, losses);
            return LifeCycle.decide(leased, how.ending, policy(), new Random(1));
        }
    }

    static Stream<Case> cases() {
        List<Case> cases = new ArrayList<>();
        int[][] retries = {{0, 0}, {1, 0}, {1, 1}, {4, 3}, {4, 4}};
        for (How how : How.values()) {
            for (OnTimeout onTimeout : OnTimeout.values()) {
                for (int[] retry : retries) {
                    for (int losses = 0; losses < LOSS_LIMIT; losses++) {
                        for (int flags = 0; flags < 4; flags++) {
                            boolean own = (flags & 1) == 1;
                            boolean letter = (flags & 2) == 2;
                            cases.add(new Case(how, onTimeout, retry[0], retry[1], own, losses, letter));
                        }
                    }
                }
            }
        }
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void an_ending_leads_to_its_next_state(Case given) {
        Completion completion = given.decide();
        assertThat(completion.outcome()).isEqualTo(given.how.outcome);
        if (given.how.ending.error() == null) {
            assertThat(completion.error()).isNull();
        } else {
            // poison says more
            assertThat(completion.error()).endsWith(given.how.ending.error());
        }
        assertThat(completion.lease())
                .isEqualTo(Walk.leased(given.given(), 1 + given.used + given.losses, given.used, given.losses)
                        .lease());
        if (given.expected() instanceof TaskState state) {
            assertFinished(completion.next(), state, given);
        } else {
            assertThat(completion.next()).isEqualTo(new Next.Requeue(given.expectedDelay(), (Reason) given.expected()));
        }
    }

    private static void assertFinished(Next next, TaskState state, Case given) {
        assertThat(next).isInstanceOfSatisfying(Next.Finish.class, finish -> {
            assertThat(finish.state()).isEqualTo(state);
            assertThat(finish.retention()).isEqualTo(state == SUCCEEDED ? KEEP_SUCCESS : KEEP_FAILURE);
            assertThat(finish.result()).isEqualTo(state == SUCCEEDED ? Payload.json("1") : null);
            assertThat(finish.arrivals()).isEmpty();
            if (given.letter && state != SUCCEEDED) {
                assertThat(finish.spawned()).singleElement().satisfies(letter -> {
                    assertThat(letter.topic()).isEqualTo("dead");
                    assertThat(letter.origin().id()).isEqualTo(given.given().id());
                });
            } else {
                assertThat(finish.spawned()).isEmpty();
            }
        });
    }

    @Test
    void a_cancelled_task_ends_as_cancelled_unless_it_succeeded() {
        cases().forEach(given -> {
            Completion completion = given.decide();
            Next expected = given.how == How.SUCCESS ? completion.next() : Next.Finish.as(CANCELLED, KEEP_FAILURE);
            assertThat(completion.ifCancelled()).as("%s", given).isEqualTo(expected);
        });
    }

    @Test
    void a_success_takes_all_along_that_belongs_to_it() {
        NewTask spawned = NewTask.builder("next").build();
        UUID arrival = new UUID(5, 5);
        Ending ending = new Ending.Succeeded(Payload.json("[]"), List.of(spawned), List.of(arrival));
        Completion completion = decide(ending, TopicPolicy.DEFAULT);
        assertThat(completion.next())
                .isEqualTo(new Next.Finish(
                        SUCCEEDED, Duration.ofDays(1), Payload.json("[]"), List.of(spawned), List.of(arrival)));
        assertThat(decide(Ending.Succeeded.PLAIN, TopicPolicy.DEFAULT).next())
                .isEqualTo(Next.Finish.as(SUCCEEDED, Duration.ofDays(1)));
    }

    @Test
    void an_over_long_error_is_cut() {
        String longest = "e".repeat(Limits.ERROR_LENGTH);
        assertThat(decide(new Ending.Failed(longest, false), TopicPolicy.DEFAULT)
                        .error())
                .isEqualTo(longest);
        assertThat(decide(new Ending.Failed(longest + "!", false), TopicPolicy.DEFAULT)
                        .error())
                .isEqualTo(longest);
    }

    @Test
    void the_retention_of_a_task_comes_before_that_of_its_topic() {
        Retention own = new Retention(Duration.ZERO, Duration.ofMinutes(1));
        NewTask task = NewTask.builder("email").retention(own).build();
        TopicPolicy policy = TopicPolicy.builder()
                .retention(new Retention(KEEP_SUCCESS, KEEP_FAILURE))
                .build();
        LeasedTask leased = Walk.leased(task, 1, 0, 0);
        for (How how : List.of(How.SUCCESS, How.FAILURE, How.TIMEOUT)) {
            Completion completion = LifeCycle.decide(leased, how.ending, policy, new Random(1));
            assertThat(((Next.Finish) completion.next()).retention())
                    .isEqualTo(how == How.SUCCESS ? Duration.ZERO : Duration.ofMinutes(1));
            assertThat(((Next.Finish) completion.ifCancelled()).retention())
                    .isEqualTo(how == How.SUCCESS ? Duration.ZERO : Duration.ofMinutes(1));
        }
    }

    private static Completion decide(Ending ending, TopicPolicy policy) {
        return LifeCycle.decide(Walk.leased(NewTask.builder("email").build(), 1, 0, 0), ending, policy, new Random(1));
    }

    private static Next after(Ending ending, NewTask task, TopicPolicy policy) {
        return LifeCycle.decide(Walk.leased(task, 1, 0, 0), ending, policy, new Random(1))
                .next();
    }

    @Test
    void a_tasks_own_onTimeout_comes_before_the_topics() {
        TopicPolicy policy = TopicPolicy.builder().onTimeout(OnTimeout.RETRY).build();
        NewTask task = NewTask.builder("email").onTimeout(OnTimeout.REDELIVER).build();

        assertThat(after(new Ending.TimedOut("too slow"), task, policy))
                .isEqualTo(new Next.Requeue(Duration.ZERO, Reason.REDELIVERY));
    }

    @Test
    void only_a_lease_that_was_given_up_before_the_start_is_no_attempt() {
        LeasedTask leased = Walk.leased(NewTask.builder("email").build(), 1, 0, 0);
        for (How how : How.values()) {
            assertThat(LifeCycle.decide(leased, how.ending, TopicPolicy.DEFAULT, new Random(1))
                            .isAttempt())
                    .isTrue();
        }
        assertThat(LifeCycle.decide(leased, Ending.Released.NOT_STARTED, TopicPolicy.DEFAULT, new Random(1))
                        .isAttempt())
                .isFalse();
    }

    @Test
    void letters_are_sent_for_the_ends_that_the_policy_names() {
        TopicPolicy byDefault = TopicPolicy.builder().deadLetter("dead").build();
        TopicPolicy onExpired = TopicPolicy.builder()
                .deadLetter("dead")
                .deadLetterOn(Set.of(EXPIRED))
                .build();
        NewTask task = NewTask.builder("email").build();

        assertThat(letters(after(new Ending.Failed("broken", true), task, byDefault)))
                .hasSize(1);
        assertThat(letters(after(new Ending.TimedOut("too slow"), task, byDefault)))
                .hasSize(1);
        assertThat(letters(expired(task, byDefault))).isEmpty();
        assertThat(letters(after(new Ending.Failed("broken", true), task, onExpired)))
                .isEmpty();
        assertThat(letters(after(new Ending.TimedOut("too slow"), task, onExpired)))
                .isEmpty();
        assertThat(letters(expired(task, onExpired))).hasSize(1);
    }

    @Test
    void a_letter_never_enters_a_topic_that_it_came_through() {
        TopicPolicy toB = TopicPolicy.builder().deadLetter("b").build();
        TopicPolicy toC = TopicPolicy.builder().deadLetter("c").build();
        TopicPolicy toA = TopicPolicy.builder().deadLetter("a").build();
        Ending failed = new Ending.Failed("broken", true);
        NewTask inA = NewTask.builder("a").build();
        NewTask inB = letters(after(failed, inA, toB)).get(0);
        NewTask inC = letters(after(failed, inB, toC)).get(0);

        assertThat(letters(after(failed, inB, toA))).isEmpty();
        assertThat(letters(after(failed, inC, toA))).isEmpty();
        assertThat(letters(after(failed, inC, toB))).isEmpty();
        assertThat(inC.origin().earlier()).containsExactly("a");
        assertThat(inC.origin().topic()).isEqualTo("b");
    }

    private static Next expired(NewTask task, TopicPolicy policy) {
        Next.Finish end = LifeCycle.expire(Walk.leased(task, 1, 0, 0).task(), policy);
        assertThat(end.state()).isEqualTo(EXPIRED);
        return end;
    }

    private static List<NewTask> letters(Next next) {
        return ((Next.Finish) next).spawned();
    }
}
