package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Enqueued;
import io.millrace.Event;
import io.millrace.InvalidValueException;
import io.millrace.Leak;
import io.millrace.NewTask;
import io.millrace.Origin;
import io.millrace.Rate;
import io.millrace.Retry;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.Topic;
import io.millrace.TopicFullException;
import io.millrace.TopicPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Policies, pauses, limits, shares, dead letters. */
class TopicTest {
    private final Bed bed = new Bed();

    @AfterEach
    void close() {
        bed.close();
    }

    private static TopicPolicy.Builder policy() {
        return TopicPolicy.builder();
    }

    @Test
    void a_paused_topic_gives_out_nothing_until_it_is_resumed() throws Exception {
        bed.millrace.topics().pause("mail");
        bed.millrace.handle("mail", (payload, context) -> {});
        UUID id = bed.enqueue("mail");
        bed.millrace.drain();
        bed.advance(Duration.ofMinutes(1));
        assertThat(bed.get(id).state()).isEqualTo(TaskState.READY);
        assertThat(bed.millrace.topics().get("mail").paused()).isTrue();

        bed.millrace.topics().resume("mail");

        assertThat(bed.finished(id).state()).isEqualTo(TaskState.SUCCEEDED);
    }

    @Test
    void a_topic_never_runs_more_tasks_at_once_than_its_concurrency() throws Exception {
        try (Bed wide = new Bed(options -> options.workers(8))) {
            wide.millrace.topics().setPolicy("narrow", policy().concurrency(2).build());
            AtomicInteger running = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            wide.millrace.handle("narrow", (payload, context) -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                Thread.onSpinWait();
                running.decrementAndGet();
            });
            for (int i = 0; i < 200; i++) {
                wide.enqueue("narrow");
            }

            wide.events.await(Event.AttemptEnded.class, 200);

            assertThat(most.get()).isBetween(1, 2);
        }
    }

    @Test
    void a_rate_limit_spreads_the_starts_over_time() throws Exception {
        bed.millrace
                .topics()
                .setPolicy(
                        "slow",
                        policy().rate(new Rate(10, Duration.ofSeconds(1))).build());
        bed.millrace.handle("slow", (payload, context) -> {});
        for (int i = 0; i < 30; i++) {
            bed.enqueue("slow");
        }

        bed.events.await(Event.AttemptEnded.class, 10);
        bed.millrace.drain();
        assertThat(bed.events.all(Event.AttemptEnded.class)).hasSize(10);
        bed.advance(Duration.ofMillis(500));
        bed.events.await(Event.AttemptEnded.class, 15);
        bed.millrace.drain();
        assertThat(bed.events.all(Event.AttemptEnded.class)).hasSize(15);
        bed.advance(Duration.ofMillis(500));
        bed.events.await(Event.AttemptEnded.class, 20);
        bed.advance(Duration.ofSeconds(1));

        bed.events.await(Event.AttemptEnded.class, 30);
    }

    @Test
    void topics_share_a_worker_by_weight_and_none_starves() throws Exception {
        try (Bed single = new Bed(options -> options.workers(1).prefetch(0))) {
            single.millrace.topics().setPolicy("heavy", policy().weight(3).build());
            Semaphore go = new Semaphore(0);
            List<String> order = Collections.synchronizedList(new ArrayList<>());
            single.millrace.handle("gate", (payload, context) -> go.acquire());
            single.enqueue("gate");
            single.events.await(Event.TaskClaimed.class);
            for (String topic : List.of("heavy", "light")) {
                single.millrace.handle(topic, (payload, context) -> order.add(topic));
                for (int i = 0; i < 100; i++) {
                    single.enqueue(topic);
                }
            }

            go.release();
            single.events.await(Event.AttemptEnded.class, 201);

            assertThat(Collections.frequency(order.subList(0, 80), "heavy")).isBetween(56, 64);
        }
    }

    @Test
    void a_full_topic_refuses_and_takes_nothing_of_the_call() {
        bed.millrace.topics().setPolicy("small", policy().capacity(2).build());
        bed.enqueue("small");

        assertThatThrownBy(() -> bed.millrace.enqueue(List.of(
                        NewTask.builder("other").build(),
                        NewTask.builder("small").build(),
                        NewTask.builder("small").build())))
                .isInstanceOf(TopicFullException.class)
                .hasMessageContaining("small")
                .hasMessageContaining("2");
        assertThat(bed.millrace.count(TaskQuery.ALL)).singleElement().satisfies(count -> {
            assertThat(count.topic()).isEqualTo("small");
            assertThat(count.count()).isEqualTo(1);
        });
    }

    @Test
    void a_full_topic_with_a_dead_letter_topic_leaks_the_new_tasks() {
        bed.millrace
                .topics()
                .setPolicy("small", policy().capacity(1).deadLetter("dead").build());

        List<Enqueued> answers = bed.millrace.enqueue(List.of(
                NewTask.builder("small").build(),
                NewTask.builder("small").uniqueKey("k").build()));

        assertThat(answers).extracting(Enqueued::leakedTo).containsExactly(null, "dead");
        Task letter = bed.get(answers.get(1).id());
        assertThat(letter.topic()).isEqualTo("dead");
        assertThat(letter.given().origin()).satisfies(origin -> {
            assertThat(origin.topic()).isEqualTo("small");
            assertThat(origin.error()).contains("full");
            assertThat(origin.uniqueKey()).isEqualTo("k");
        });
        assertThat(bed.events.all(Event.TaskLeaked.class))
                .singleElement()
                .satisfies(leak -> assertThat(leak.side()).isEqualTo(Leak.REAR));
    }

    @Test
    void a_topic_that_leaks_at_the_front_gives_up_its_oldest_task() {
        bed.millrace
                .topics()
                .setPolicy(
                        "small",
                        policy().capacity(2).deadLetter("dead").leak(Leak.FRONT).build());
        UUID oldest = bed.enqueue("small");
        UUID second = bed.enqueue("small");

        UUID newest = bed.enqueue("small");

        assertThat(bed.get(newest).topic()).isEqualTo("small");
        assertThat(bed.get(second).state()).isEqualTo(TaskState.READY);
        assertThat(bed.get(oldest).state()).isEqualTo(TaskState.FAILED);
        assertThat(bed.millrace.list(TaskQuery.ALL.topic("dead"), null, 10).items())
                .singleElement()
                .satisfies(letter -> assertThat(letter.given().origin())
                        .extracting(Origin::id)
                        .isEqualTo(oldest));
    }

    @Test
    void a_failed_task_leaves_a_copy_in_the_dead_letter_topic_and_a_redrive_brings_it_back() throws Exception {
        bed.millrace.topics().setPolicy("mail", policy().deadLetter("dead").build());
        CountDownLatch mended = new CountDownLatch(1);
        bed.millrace.handle("mail", (payload, context) -> {
            if (mended.getCount() > 0) {
                throw new IllegalStateException("down");
            }
        });
        UUID id = bed.enqueue(Bed.task("mail", "letter").scope("acme").priority(7));
        assertThat(bed.finished(id).state()).isEqualTo(TaskState.FAILED);
        bed.enqueue("dead");
        mended.countDown();

        assertThat(bed.millrace.topics().redrive("dead")).isEqualTo(1);

        Event.AttemptEnded again = bed.events
                .await(
                        Event.AttemptEnded.class,
                        1,
                        ended -> ended.state() == TaskState.SUCCEEDED
                                && ended.task().topic().equals("mail"))
                .get(0);
        assertThat(again.task().id()).isNotEqualTo(id);
        assertThat(again.task().payload()).isEqualTo(bed.get(id).payload());
        assertThat(again.task().given().scope()).containsExactly("acme");
        assertThat(again.task().given().priority()).isEqualTo(7);
        assertThat(bed.millrace.topics().get("dead").depth()).isEqualTo(Map.of(TaskState.READY, 1L));
    }

    @Test
    void a_redrive_leaves_a_letter_whose_unique_key_is_taken() throws Exception {
        bed.millrace
                .topics()
                .setPolicy("u", policy().capacity(1).deadLetter("dead").build());
        UUID filler = bed.enqueue("u");
        bed.enqueue(Bed.task("u", "important").uniqueKey("k"));
        bed.millrace.cancel(filler);
        UUID other = bed.enqueue(Bed.task("u", "other").uniqueKey("k"));

        assertThat(bed.millrace.topics().redrive("dead")).isZero();
        assertThat(bed.millrace.topics().get("dead").depth()).isEqualTo(Map.of(TaskState.READY, 1L));

        bed.millrace.cancel(other);
        assertThat(bed.millrace.topics().redrive("dead")).isEqualTo(1);
        assertThat(bed.millrace.topics().get("dead").depth()).isEmpty();
        assertThat(bed.millrace.topics().get("u").depth()).containsEntry(TaskState.READY, 1L);
    }

    @Test
    void a_policy_reaches_tasks_that_are_already_there() throws Exception {
        bed.millrace.handle("mail", (payload, context) -> {
            throw new IllegalStateException("down");
        });
        bed.millrace.topics().pause("mail");
        UUID id = bed.enqueue("mail");
        bed.millrace
                .topics()
                .setPolicy(
                        "mail",
                        policy().retry(Retry.constant(Duration.ofSeconds(1)).max(5))
                                .build());

        bed.millrace.topics().resume("mail");

        assertThat(bed.attemptEnded(id, 1).state()).isEqualTo(TaskState.SCHEDULED);
    }

    @Test
    void topics_are_listed_with_depth_age_and_policy() {
        bed.millrace.topics().setPolicy("configured", policy().weight(5).build());
        bed.enqueue("busy");
        bed.advance(Duration.ofMinutes(3));
        bed.enqueue("busy");

        assertThat(bed.millrace.topics().list()).extracting(Topic::name).containsExactly("busy", "configured");
        Topic busy = bed.millrace.topics().get("busy");
        assertThat(busy.depth()).isEqualTo(Map.of(TaskState.READY, 2L));
        assertThat(busy.oldestReady()).isEqualTo(Duration.ofMinutes(3));
        assertThat(bed.millrace.topics().get("configured").policy().weight()).isEqualTo(5);

        bed.millrace.topics().removePolicy("configured");
        assertThat(bed.millrace.topics().get("configured").policy()).isEqualTo(TopicPolicy.DEFAULT);
    }

    @Test
    void a_topic_cannot_be_its_own_dead_letter_topic() {
        assertThatThrownBy(() -> bed.millrace
                        .topics()
                        .setPolicy("a", policy().deadLetter("a").build()))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("deadLetter");
    }
}
