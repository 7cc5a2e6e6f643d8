package io.millrace.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.millrace.TopicPolicy;
import io.millrace.spi.ClaimRequest.FromTopic;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FairShareTest {
    private final FairShare fairShare = new FairShare();
    private final Map<String, Integer> weights = new TreeMap<>();
    private final Map<Integer, TopicPolicy> policies = new HashMap<>();
    private final Map<String, Integer> given = new TreeMap<>();

    /** Topics named a, b, c, … */
    private void topics(int... topicWeights) {
        for (int i = 0; i < topicWeights.length; i++) {
            weights.put(String.valueOf((char) ('a' + i)), topicWeights[i]);
        }
    }

    private TopicPolicy policy(String topic) {
        return policies.computeIfAbsent(
                weights.get(topic),
                weight -> TopicPolicy.builder().weight(weight).build());
    }

    private List<FromTopic> divide(int max) {
        return fairShare.divide(weights.keySet(), max, this::policy);
    }

    /** Claims as a store does: the shares first, then what is left, of the topics that have tasks. */
    private void claim(int max, Set<String> withTasks) {
        List<FromTopic> shares = divide(max);
        Map<String, Integer> taken = new LinkedHashMap<>();
        int left = max;
        for (FromTopic from : shares) {
            int tasks = withTasks.contains(from.topic()) ? Math.min(left, from.share()) : 0;
            taken.merge(from.topic(), tasks, Integer::sum);
            left -= tasks;
        }
        for (FromTopic from : shares) {
            int tasks = withTasks.contains(from.topic()) ? left : 0;
            taken.merge(from.topic(), tasks, Integer::sum);
            left -= tasks;
        }
        taken.values().removeIf(tasks -> tasks == 0);
        // in any order: what a claim gave is noted at once
        fairShare.given(new HashMap<>(taken), this::policy);
        taken.forEach((topic, tasks) -> given.merge(topic, tasks, Integer::sum));
    }

    private void claim(int rounds, int max, String... withTasks) {
        for (int round = 0; round < rounds; round++) {
            claim(max, Set.of(withTasks));
        }
    }

    static Stream<Arguments> weightsAndSizes() {
        return Stream.of(
                        new int[] {1, 1},
                        new int[] {1, 3},
                        new int[] {1, 1, 1},
                        new int[] {1, 2, 3},
                        new int[] {1, 10, 100},
                        new int[] {5, 5, 1, 1},
                        new int[] {7, 11, 13, 17, 19})
                .flatMap(weights -> IntStream.of(1, 2, 7, 100).mapToObj(max -> Arguments.of(weights, max)));
    }

    @ParameterizedTest(name = "max {1}")
    @MethodSource("weightsAndSizes")
    void topics_that_always_have_tasks_share_by_weight(int[] topicWeights, int max) {
        topics(topicWeights);
        int rounds = 10_000 / max;
        claim(rounds, max, weights.keySet().toArray(String[]::new));
        double all = Arrays.stream(topicWeights).sum();
        weights.forEach((topic, weight) -> {
            double expected = rounds * max * weight / all;
            assertThat((double) given.get(topic)).as(topic).isCloseTo(expected, within(expected * 0.04 + 2));
        });
    }

    @ParameterizedTest(name = "max {1}")
    @MethodSource("weightsAndSizes")
    void the_shares_make_up_what_is_wanted(int[] topicWeights, int max) {
        topics(topicWeights);
        for (int round = 0; round < 200; round++) {
            List<FromTopic> shares = divide(max);
            assertThat(shares).extracting(FromTopic::topic).containsExactlyInAnyOrderElementsOf(weights.keySet());
            assertThat(shares).allMatch(from -> from.share() >= 0);
            assertThat(shares.stream().mapToInt(FromTopic::share).sum()).isEqualTo(max);
            fairShare.given(
                    shares.stream().collect(Collectors.toMap(FromTopic::topic, FromTopic::share)), this::policy);
        }
    }

    @Test
    void a_topic_alone_gets_everything_with_its_policy() {
        topics(3);
        assertThat(divide(50)).containsExactly(new FromTopic("a", 50, policy("a")));
        assertThat(fairShare.divide(List.of(), 50, this::policy)).isEmpty();
    }

    @Test
    void an_idle_topic_does_not_save_up_turns() {
        topics(1, 1);
        claim(10_000, 1, "a");
        given.clear();
        claim(100, 1, "a", "b");
        assertThat(given.get("a")).isBetween(49, 51);
    }

    @Test
    void a_topic_idle_in_large_claims_catches_up_with_one_of_them_at_most() {
        topics(1, 1);
        claim(100, 100, "a");
        given.clear();
        claim(1_000, 1, "a", "b");
        assertThat(given.get("b") - given.get("a")).isBetween(-2, 102);
    }

    @Test
    void what_a_topic_has_no_tasks_for_goes_to_the_others() {
        topics(1, 1, 2);
        claim(100, 100, "a", "c");
        assertThat(given).doesNotContainKey("b");
        assertThat(given.get("a") + given.get("c")).isEqualTo(10_000);
        // the idle share spills to whoever is furthest behind, so the two still stand by weight
        assertThat(given.get("c") / (double) given.get("a")).isCloseTo(2, within(0.1));
    }

    @Test
    void no_topic_starves_beside_a_heavy_one() {
        topics(1, 1_000);
        claim(5_005, 1, "a", "b");
        assertThat(given.get("a")).isBetween(4, 6);
        given.clear();
        claim(1_001, 5, "a", "b");
        assertThat(given.get("a")).isBetween(4, 6);
    }

    @Test
    void a_new_topic_among_old_ones_gets_its_share_at_once() {
        topics(1, 1, 1);
        claim(900, 1, "a", "b", "c");
        weights.put("new", 1);
        given.clear();
        claim(400, 1, "a", "b", "c", "new");
        assertThat(given.get("new")).isBetween(99, 101);
    }

    @Test
    void topics_are_asked_in_the_order_in_which_they_are_behind() {
        topics(1, 1, 1);
        fairShare.given(Map.of("a", 3, "b", 2, "c", 1), this::policy);
        assertThat(divide(10)).extracting(FromTopic::topic).containsExactly("c", "b", "a");
        fairShare.given(Map.of("c", 9), this::policy);
        assertThat(divide(10)).extracting(FromTopic::topic).containsExactly("b", "a", "c");
        fairShare.given(Map.of("b", 1), this::policy);
        assertThat(divide(10)).extracting(FromTopic::topic).containsExactly("a", "b", "c");
    }

    @Test
    void more_topics_than_are_remembered_still_take_turns() {
        List<String> names =
                IntStream.range(0, 10_050).mapToObj(i -> "topic-" + i).toList();
        Map<String, Integer> turns = new HashMap<>();
        for (int claim = 0; claim < 3; claim++) {
            Map<String, Integer> shares = fairShare.divide(names, 5_025, topic -> TopicPolicy.DEFAULT).stream()
                    .filter(from -> from.share() > 0)
                    .collect(Collectors.toMap(FromTopic::topic, FromTopic::share));
            fairShare.given(shares, topic -> TopicPolicy.DEFAULT);
            shares.forEach((topic, tasks) -> turns.merge(topic, tasks, Integer::sum));
            int full = claim;
            assertThat(turns.values()).allMatch(count -> count <= 1 + full / 2);
        }
        assertThat(turns.keySet()).hasSize(names.size());
    }

    @Test
    @Timeout(20)
    void very_many_topics_that_come_once_cost_no_more_each() {
        for (int i = 0; i < 200_000; i++) {
            fairShare.given(Map.of("topic-" + i, 1), topic -> TopicPolicy.DEFAULT);
        }

        assertThat(fairShare.divide(List.of("x"), 5, topic -> TopicPolicy.DEFAULT))
                .hasSize(1);
    }
}
