package io.millrace.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Leak;
import io.millrace.NewTask;
import io.millrace.OnTimeout;
import io.millrace.Rate;
import io.millrace.Retention;
import io.millrace.Retry;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.Topic;
import io.millrace.TopicPolicy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Topics and their policies. */
abstract class TopicsContract extends MillraceGroup {
    @Test
    void a_topic_nobody_has_named_is_empty() {
        Topic topic = millrace.topics().get("nobody");

        assertThat(topic.policy()).isEqualTo(TopicPolicy.DEFAULT);
        assertThat(topic.paused()).isFalse();
        assertThat(topic.depth()).isEmpty();
        assertThat(topic.oldestReady()).isNull();
        assertThat(millrace.topics().list()).isEmpty();
    }

    @Test
    void a_policy_is_set_as_a_whole_and_removed() {
        TopicPolicy policy = TopicPolicy.builder()
                .retry(Retry.constant(Duration.ofMillis(1_500)).max(4))
                .timeout(Duration.ofMinutes(2))
                .onTimeout(OnTimeout.RETRY)
                .retention(new Retention(Duration.ofDays(1), Duration.ofDays(9)))
                .capacity(100)
                .leak(Leak.FRONT)
                .deadLetter("a.dead")
                .concurrency(7)
                .rate(new Rate(10, Duration.ofSeconds(1)))
                .weight(3)
                .lossLimit(2)
                .build();

        millrace.topics().setPolicy("a", policy);
        assertThat(millrace.topics().get("a").policy()).isEqualTo(policy);
        millrace.topics().setPolicy("a", TopicPolicy.DEFAULT);
        assertThat(millrace.topics().get("a").policy()).isEqualTo(TopicPolicy.DEFAULT);
        millrace.topics().setPolicy("a", policy);
        millrace.topics().removePolicy("a");
        assertThat(millrace.topics().get("a").policy()).isEqualTo(TopicPolicy.DEFAULT);
    }

    @Test
    void topics_are_listed_with_their_depth() {
        enqueue("b/1");
        enqueue(NewTask.builder("b/1").delay(LONG));
        millrace.topics().pause("a");

        List<Topic> topics = millrace.topics().list();

        assertThat(topics).extracting(Topic::name).containsExactly("a", "b/1");
        assertThat(topics.get(0).paused()).isTrue();
        assertThat(topics.get(1).depth())
                .containsOnlyKeys(TaskState.READY, TaskState.SCHEDULED)
                .containsEntry(TaskState.READY, 1L);
        assertThat(millrace.topics().get("b/1").oldestReady()).isNotNull();
    }

    @Test
    void a_paused_topic_gives_out_nothing_until_it_is_resumed() throws Exception {
        AtomicBoolean resumed = new AtomicBoolean();
        AtomicBoolean tooEarly = new AtomicBoolean();
        millrace.topics().pause("t");
        millrace.handle("t", (payload, context) -> tooEarly.set(!resumed.get()));
        millrace.handle("u", (payload, context) -> {});
        UUID id = enqueue("t");
        finished(enqueue("u"));

        assertThat(state(id)).isEqualTo(TaskState.READY);
        resumed.set(true);
        millrace.topics().resume("t");
        finished(id);
        assertThat(tooEarly).isFalse();
    }

    @Test
    void dead_letters_go_back_to_where_they_came_from() throws Exception {
        AtomicBoolean mended = new AtomicBoolean();
        millrace.topics()
                .setPolicy("t", TopicPolicy.builder().deadLetter("dead").build());
        millrace.handle("t", (payload, context) -> {
            if (!mended.get()) {
                throw new IllegalStateException("broken");
            }
        });
        UUID id = enqueue(NewTask.builder("t").payload(text("x")));
        finished(id);
        assertThat(millrace.stream(TaskQuery.ALL.topic("dead")))
                .singleElement()
                .satisfies(letter -> assertThat(letter.given().origin()).isNotNull());

        mended.set(true);
        assertThat(millrace.topics().redrive("dead")).isEqualTo(1);

        assertThat(millrace.stream(TaskQuery.ALL.topic("dead"))).isEmpty();
        UUID again = millrace.stream(TaskQuery.ALL.topic("t"))
                .map(Task::id)
                .filter(other -> !other.equals(id))
                .findFirst()
                .orElseThrow();
        assertThat(finished(again).state()).isEqualTo(TaskState.SUCCEEDED);
    }
}
