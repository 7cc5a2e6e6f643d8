package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.LocalBackend;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a server sees of the engine in its process. */
class LocalBackendTest {
    private final Millrace millrace =
            Millrace.open("heap:", MillraceOptions.builder().payloadLimit(100).build());
    private final LocalBackend local = millrace.local();

    @AfterEach
    void close() {
        millrace.close();
    }

    @Test
    void over_a_store_that_never_waits_an_enqueue_is_answered_at_once_on_the_same_thread() {
        NewTask task = NewTask.builder("t").build();
        Thread[] answered = new Thread[1];

        CompletableFuture<List<Enqueued>> answer = local.enqueue(List.of(task));
        var unused = answer.thenRun(() -> answered[0] = Thread.currentThread());

        assertThat(answer).isCompletedWithValue(List.of(new Enqueued(task.id(), false, null)));
        assertThat(answered[0]).isSameAs(Thread.currentThread());
        assertThat(millrace.find(task.id())).isPresent();
    }

    @Test
    void what_is_not_allowed_is_in_the_future() {
        NewTask task =
                NewTask.builder("t").payload(Payload.bytes(new byte[101])).build();

        assertThat(local.enqueue(List.of(task)))
                .failsWithin(1, TimeUnit.SECONDS)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(InvalidValueException.class);
        assertThat(local.payloadLimit()).isEqualTo(100);
    }

    @Test
    void a_full_topic_leaks_or_refuses_as_for_everybody() throws Exception {
        millrace.topics()
                .setPolicy(
                        "leaks",
                        TopicPolicy.builder().capacity(1).deadLetter("dead").build());
        millrace.topics().setPolicy("full", TopicPolicy.builder().capacity(1).build());
        for (String topic : List.of("leaks", "full")) {
            var unused = millrace.enqueue(NewTask.builder(topic).build());
        }

        Enqueued leaked = local.enqueue(List.of(NewTask.builder("leaks").build()))
                .get(10, TimeUnit.SECONDS)
                .get(0);
        assertThat(leaked.leakedTo()).isEqualTo("dead");
        CompletableFuture<List<Enqueued>> refused =
                local.enqueue(List.of(NewTask.builder("full").build()));
        assertThatThrownBy(() -> refused.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(TopicFullException.class);
        assertThat(local.policy("full").capacity()).isEqualTo(1);
        assertThat(local.policy("other")).isEqualTo(TopicPolicy.DEFAULT);
    }

    @Test
    void an_observer_that_comes_late_sees_what_happens_from_then_on_until_it_goes() {
        List<Event> seen = Collections.synchronizedList(new ArrayList<>());
        var first = millrace.enqueue(NewTask.builder("t").build());

        Runnable end = local.observe(seen::add);
        var second = millrace.enqueue(NewTask.builder("t").build());
        end.run();
        var third = millrace.enqueue(NewTask.builder("t").build());

        assertThat(seen)
                .filteredOn(event -> event instanceof Event.TaskEnqueued)
                .extracting(event -> ((Event.TaskEnqueued) event).task().id())
                .containsExactly(second.id())
                .doesNotContain(first.id(), third.id());
        assertThat(seen).anyMatch(event -> event instanceof Event.BatchDone);
    }
}
