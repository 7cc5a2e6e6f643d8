package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.NewTask;
import io.millrace.TopicPolicy;
import io.millrace.server.Bed.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Somebody has made up a topic for every task. */
class ManyTopicsTest {
    private static final int TOPICS = Boolean.getBoolean("millrace.long") ? 100_000 : 20_000;
    /** What looked at each topic for each topic took minutes; a busy machine may take longer than it should. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final Bed bed = new Bed();

    @AfterEach
    void close() {
        bed.close();
    }

    private void enqueue(int topics) {
        for (int from = 0; from < topics; from += 10_000) {
            List<NewTask> tasks = new ArrayList<>();
            for (int i = from; i < Math.min(topics, from + 10_000); i++) {
                tasks.add(NewTask.builder("topic-" + i)
                        .delay(i % 2 == 0 ? Duration.ZERO : Duration.ofHours(1))
                        .build());
            }
            bed.millrace.enqueue(tasks);
        }
    }

    @Test
    void every_look_is_quick() {
        enqueue(TOPICS);
        for (String path : List.of(
                "/v1/topics",
                "/v1/topics?limit=1",
                "/v1/topics/topic-7",
                "/v1/tasks?state=SCHEDULED&limit=1",
                "/v1/tasks?state=FAILED&limit=1",
                "/v1/tasks/count?by=state",
                "/v1/tasks/count?text=nothing",
                "/metrics")) {
            long start = System.nanoTime();
            Answer answer = bed.get(path);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).as(path).isLessThan(LONGEST);
            assertThat(answer.status()).as(path).isEqualTo(200);
        }
        assertThat(bed.get("/v1/topics").json().at("/topics")).hasSize(TOPICS);
    }

    @Test
    void pages_follow_each_other_without_gaps() {
        bed.millrace
                .topics()
                .setPolicy("a-policy-only", TopicPolicy.builder().weight(2).build());
        enqueue(10);
        List<String> names = new ArrayList<>();
        JsonNode page = bed.get("/v1/topics?limit=3").json();
        while (true) {
            page.at("/topics").forEach(topic -> names.add(topic.at("/topic").asString()));
            if (page.at("/next").isMissingNode()) {
                break;
            }
            assertThat(page.at("/topics")).hasSize(3);
            page = bed.get("/v1/topics?limit=3&cursor=" + page.at("/next").asString())
                    .json();
        }

        assertThat(names).hasSize(11).isSorted().startsWith("a-policy-only", "topic-0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cursor=%2B", "cursor=IA", "cursor=a.b", "limit=0", "limit=1001", "limit=x"})
    void a_page_that_cannot_be_is_400(String parameter) {
        Answer answer = bed.get("/v1/topics?" + parameter);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.at("/errors/0/parameter")).isEqualTo(parameter.split("=", 2)[0]);
    }

    @Test
    void metrics_of_topics_beyond_five_hundred_are_added_up() {
        enqueue(1_200);
        String metrics = bed.get("/metrics").text();
        Set<String> depths = new TreeSet<>();
        double sum = 0;
        for (String line : metrics.lines()
                .filter(line -> line.startsWith("millrace_tasks{"))
                .toList()) {
            depths.add(line.replaceAll(".*topic=\"([^\"]*)\".*", "$1"));
            sum += Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
        }

        assertThat(depths).hasSize(501).contains("(others)");
        assertThat(sum).isEqualTo(1_200);
        assertThat(bed.get("/metrics").text().lines().filter(line -> line.startsWith("millrace_tasks{")))
                .hasSameSizeAs(metrics.lines()
                        .filter(line -> line.startsWith("millrace_tasks{"))
                        .toList());
    }
}
