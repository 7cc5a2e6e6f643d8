package io.millrace.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.InvalidValueException;
import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.Origin;
import io.millrace.Payload;
import io.millrace.Retention;
import io.millrace.Retry;
import io.millrace.TopicPolicy;
import io.millrace.When;
import io.millrace.spi.Completion;
import io.millrace.spi.Ending;
import io.millrace.spi.Next;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DeadLettersTest {
    private static final UUID ID = new UUID(1, 2);
    private static final TopicPolicy POLICY =
            TopicPolicy.builder().deadLetter("dead").build();

    private static NewTask.Builder full() {
        return NewTask.builder("email")
                .id(ID)
                .payload(Payload.json("{}"))
                .entityId("customer-7")
                .scope("acme", "/room1")
                .priority(5)
                .runAt(Instant.parse("2030-01-01T00:00:00Z"))
                .deadline(Instant.parse("2030-01-02T00:00:00Z"))
                .timeout(Duration.ofSeconds(9))
                .retry(Retry.DEFAULT)
                .uniqueKey("key")
                .callback("https://example.org/done")
                .retention(new Retention(Duration.ofHours(1), Duration.ofHours(2)))
                .waitFor(3);
    }

    @Test
    void a_letter_takes_along_what_the_task_was_given() {
        NewTask letter = letterOf(full().build(), 1, "broken");
        assertSameWork(letter, full().build());
        assertThat(letter.topic()).isEqualTo("dead");
    }

    @Test
    void a_letter_knows_its_origin() {
        assertThat(letterOf(full().build(), 1, "broken").origin()).isEqualTo(new Origin("email", ID, "broken", "key"));
        assertThat(letterOf(NewTask.builder("email").id(ID).build(), 1, "broken")
                        .origin())
                .isEqualTo(new Origin("email", ID, "broken", null));
    }

    @Test
    void a_letter_can_be_taken_at_once_and_for_ever_and_beside_others() {
        NewTask letter = letterOf(full().build(), 1, "broken");
        assertThat(letter.runAt()).isEqualTo(When.NOW);
        assertThat(letter.deadline()).isNull();
        assertThat(letter.uniqueKey()).isNull();
        assertThat(letter.waitFor()).isZero();
    }

    @Test
    void a_task_with_nothing_set_makes_a_letter_with_nothing_set() {
        NewTask task = NewTask.builder("email").id(ID).build();
        NewTask letter = letterOf(task, 1, "broken");
        assertThat(letter)
                .isEqualTo(NewTask.builder("dead")
                        .id(letter.id())
                        .origin(new Origin("email", ID, "broken", null))
                        .build());
    }

    @Test
    void one_failure_makes_one_letter() {
        NewTask first = letterOf(full().build(), 3, "broken");
        NewTask again = letterOf(full().build(), 3, "broken");
        assertThat(again).isEqualTo(first);
        assertThat(first.id()).isNotEqualTo(ID);
    }

    @Test
    void another_attempt_or_task_makes_another_letter() {
        NewTask letter = letterOf(full().build(), 3, "broken");
        assertThat(letterOf(full().build(), 4, "broken").id()).isNotEqualTo(letter.id());
        assertThat(letterOf(full().id(new UUID(1, 3)).build(), 3, "broken").id())
                .isNotEqualTo(letter.id());
    }

    @Test
    void every_bad_end_but_cancelling_writes_a_letter() {
        assertThat(letterOf(full().build(), new Ending.Failed("hopeless", true))
                        .origin()
                        .error())
                .isEqualTo("hopeless");
        assertThat(letterOf(full().build(), new Ending.TimedOut("too slow"))
                        .origin()
                        .error())
                .isEqualTo("too slow");
        Completion completion = LifeCycle.decide(
                Walk.leased(full().build(), 1, 0, 0), new Ending.Failed("broken", false), POLICY, new Random(1));
        assertThat(((Next.Finish) completion.ifCancelled()).spawned()).isEmpty();
    }

    @Test
    void what_leaks_becomes_a_letter_that_says_so() {
        NewTask letter = DeadLetters.leaked(full().build(), "dead");
        assertSameWork(letter, full().build());
        assertThat(letter.origin()).isEqualTo(new Origin("email", ID, "leaked: topic email was full", "key"));
        assertThat(letter.uniqueKey()).isNull();
        assertThat(DeadLetters.leaked(full().build(), "dead").id())
                .as("a task that is sent again leaves no second letter")
                .isEqualTo(letter.id())
                .isNotEqualTo(ID);
    }

    @Test
    void a_redrive_restores_the_task_under_a_new_id() {
        NewTask letter = letterOf(full().build(), 1, "broken");
        NewTask revived = DeadLetters.revived(letter);
        assertSameWork(revived, full().build());
        assertThat(revived.topic()).isEqualTo("email");
        assertThat(revived.uniqueKey()).isEqualTo("key");
        assertThat(revived.origin()).isNull();
        assertThat(revived.runAt()).isEqualTo(When.NOW);
        assertThat(revived.deadline()).isNull();
        assertThat(revived.id()).isNotIn(ID, letter.id());
        assertThat(DeadLetters.revived(letter).id())
                .as("one task for one letter")
                .isEqualTo(revived.id());
    }

    @Test
    void a_redriven_task_that_fails_again_writes_another_letter() {
        NewTask letter = letterOf(full().build(), 1, "broken");
        NewTask revived = DeadLetters.revived(letter);
        NewTask second = letterOf(revived, 1, "broken again");
        assertThat(second.id()).isNotEqualTo(letter.id());
        assertThat(second.origin()).isEqualTo(new Origin("email", revived.id(), "broken again", "key"));
    }

    @Test
    void only_a_letter_can_be_redriven() {
        assertThatThrownBy(() -> DeadLetters.revived(full().build()))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(ID.toString())
                .hasMessageContaining("it has no origin");
    }

    private static void assertSameWork(NewTask actual, NewTask expected) {
        assertThat(actual)
                .usingRecursiveComparison()
                .ignoringFields("id", "topic", "runAt", "deadline", "uniqueKey", "waitFor", "origin")
                .ignoringOverriddenEqualsForTypes(NewTask.class)
                .isEqualTo(expected);
    }

    private static NewTask letterOf(NewTask task, int attempt, String error) {
        return DeadLetters.copyOf(Walk.leased(task, attempt, 0, 0).task(), "dead", error);
    }

    private static NewTask letterOf(NewTask task, Ending ending) {
        Completion completion = LifeCycle.decide(Walk.leased(task, 1, 0, 0), ending, POLICY, new Random(1));
        return ((Next.Finish) completion.next()).spawned().get(0);
    }

    @Test
    void a_very_long_error_is_cut_in_the_letter_too() {
        Ending failed = new Ending.Failed("e".repeat(100_000), false);
        TopicPolicy policy = TopicPolicy.builder().deadLetter("dead").build();

        Next next = LifeCycle.decide(
                        Walk.leased(NewTask.builder("email").build(), 1, 0, 0), failed, policy, new Random(1))
                .next();

        String error = ((Next.Finish) next).spawned().get(0).origin().error();
        assertThat(error.length()).isEqualTo(Limits.ERROR_LENGTH);
    }

    @Test
    void a_poisoned_task_says_so_with_and_without_a_letter() {
        TopicPolicy policy = TopicPolicy.builder().lossLimit(1).build();

        Completion completion =
                LifeCycle.decide(Walk.leased(full().build(), 1, 0, 0), new Ending.Lost("gone"), policy, new Random(1));

        assertThat(completion.error()).startsWith("poison: 1 workers").endsWith("gone");
    }
}
