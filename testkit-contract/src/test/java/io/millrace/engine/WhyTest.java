package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Event;
import io.millrace.NewTask;
import io.millrace.Rate;
import io.millrace.Retry;
import io.millrace.TaskQuery;
import io.millrace.TopicPolicy;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** "Why is it not running?" */
class WhyTest {
    private final Bed bed = new Bed();

    @AfterEach
    void close() {
        bed.close();
    }

    private String why(UUID id) {
        return bed.millrace.why(id).orElseThrow();
    }

    @Test
    void because_it_waits_for_others() {
        assertThat(why(bed.enqueue(NewTask.builder("a").waitFor(3)))).contains("waits for 3 of 3");
    }

    @Test
    void because_it_is_not_due() {
        UUID id = bed.enqueue(NewTask.builder("a").delay(Duration.ofMinutes(5)));

        assertThat(why(id)).contains("due in 5 min").contains("2030-01-01T00:05:00Z");
    }

    @Test
    void because_it_failed_and_the_retry_is_not_due() throws Exception {
        bed.millrace.handle("a", (payload, context) -> {
            throw new IllegalStateException("smtp is down");
        });
        UUID id = bed.enqueue(NewTask.builder("a").retry(Retry.DEFAULT.max(3)));
        bed.attemptEnded(id, 1);

        assertThat(why(id)).contains("smtp is down").contains("retry 1 of 3").contains("20 s");
    }

    @Test
    void because_its_topic_is_paused() {
        bed.millrace.topics().pause("a");

        assertThat(why(bed.enqueue("a"))).contains("a is paused").contains("Resume");
    }

    @Test
    void because_no_worker_serves_its_topic() throws Exception {
        bed.millrace.handle("b", (payload, context) -> {});

        assertThat(why(bed.enqueue("a"))).contains("No live worker serves topic a");
    }

    @Test
    void because_it_is_a_dead_letter_that_somebody_has_to_look_at() throws Exception {
        bed.millrace
                .topics()
                .setPolicy("a", TopicPolicy.builder().deadLetter("a-dead").build());
        bed.millrace.handle("a", (payload, context) -> {
            throw new IllegalStateException("smtp is down\nat line 1");
        });
        UUID id = bed.enqueue("a");
        bed.finished(id);
        UUID letter = bed.millrace.stream(TaskQuery.ALL.topic("a-dead"))
                .findFirst()
                .orElseThrow()
                .id();

        assertThat(why(letter))
                .contains("dead letter of topic a", "smtp is down", "Redrive topic a-dead", "or delete it")
                .doesNotContain("No live worker", "at line 1");

        bed.millrace.topics().pause("a-dead");

        assertThat(why(letter)).contains("a-dead is paused", "dead letter of topic a", "Redrive topic a-dead");
    }

    @Test
    void because_its_deadline_has_passed() {
        UUID id = bed.enqueue(NewTask.builder("a").deadline(Duration.ofSeconds(1)));
        bed.advance(Duration.ofSeconds(2));

        assertThat(why(id)).contains("deadline").contains("EXPIRED");
    }

    @Test
    void because_the_limit_of_its_topic_is_reached() throws Exception {
        bed.millrace
                .topics()
                .setPolicy("a", TopicPolicy.builder().concurrency(1).build());
        CountDownLatch finish = new CountDownLatch(1);
        bed.millrace.handle("a", (payload, context) -> finish.await());
        UUID running = bed.enqueue("a");
        UUID ready = bed.enqueue("a");
        bed.events.await(Event.TaskClaimed.class);

        assertThat(why(ready)).contains("runs 1 tasks, which is its concurrency limit");
        assertThat(why(running)).contains("Attempt 1 runs on worker");
        bed.millrace.cancel(running);
        finish.countDown();
    }

    @Test
    void because_the_rate_of_its_topic_is_used_up() throws Exception {
        bed.millrace
                .topics()
                .setPolicy(
                        "a",
                        TopicPolicy.builder()
                                .rate(new Rate(1, Duration.ofHours(1)))
                                .build());
        bed.millrace.handle("a", (payload, context) -> {});
        bed.finished(bed.enqueue("a"));

        assertThat(why(bed.enqueue("a"))).contains("at most 1 tasks in 60 min");
    }

    @Test
    void because_others_are_before_it() throws Exception {
        CountDownLatch finish = new CountDownLatch(1);
        bed.millrace.handle("a", (payload, context) -> finish.await());
        for (int i = 0; i < 10; i++) {
            bed.enqueue("a");
        }
        bed.events.await(Event.TaskClaimed.class, 2);
        UUID last = bed.enqueue("a");

        assertThat(why(last)).containsAnyOf("its turn will come", "runs on worker");
        finish.countDown();
    }

    @Test
    void a_final_or_missing_task_has_no_reason() throws Exception {
        bed.millrace.handle("a", (payload, context) -> {});
        UUID id = bed.enqueue("a");
        bed.finished(id);

        assertThat(bed.millrace.why(id)).isEmpty();
        assertThat(bed.millrace.why(UUID.randomUUID())).isEmpty();
    }
}
