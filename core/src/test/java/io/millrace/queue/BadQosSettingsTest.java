package io.millrace.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Qos;
import io.millrace.WorkQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class BadQosSettingsTest {
    private static final String REQUIRED = "it is required";
    private static final String WEIGHT = "it must be between 1 and 1000000";
    private static final String CAPACITY = "it must be between 1 and 67108864";
    private static final int LARGEST = 67_108_864;
    private static final Qos.Priority<String> LOWEST = (item, weight) -> 0;

    @ParameterizedTest
    @MethodSource({"lanes", "misfits", "incomplete", "functions"})
    void is_refused_by_name(Refusal refusal) {
        refusal.check();
    }

    static Stream<Refusal> lanes() {
        Qos<String> qos = Qos.strict();
        return Stream.of(
                new Refusal(() -> qos.lane(null, 1, 1), "qos.lane.name", "null", "1 to 200 characters"),
                new Refusal(() -> qos.lane("", 1, 1), "qos.lane.name", "\"\"", "1 to 200 characters"),
                new Refusal(() -> qos.lane("a", 0, 1), "qos.lane.capacity", "0", CAPACITY),
                new Refusal(() -> qos.lane("a", LARGEST + 1, 1), "qos.lane.capacity", "67108865", CAPACITY),
                new Refusal(() -> qos.lane("a", 1, 0), "qos.lane.ingressWeight", "0", WEIGHT),
                new Refusal(() -> qos.lane("a", 1, 1_000_001), "qos.lane.ingressWeight", "1000001", WEIGHT),
                new Refusal(() -> qos.lane("a", 1, 1, 0), "qos.lane.egressWeight", "0", WEIGHT),
                new Refusal(() -> qos.lane("a", 1, 1, 1_000_001), "qos.lane.egressWeight", "1000001", WEIGHT),
                new Refusal(
                        () -> qos.lane("a", 1, 1).lane("a", 2, 2),
                        "qos.lane.name",
                        "\"a\"",
                        "there is a sub-queue of that name already"));
    }

    static Stream<Refusal> misfits() {
        Qos<String> fair = Qos.fair(item -> item);
        Qos<String> weighted = Qos.weightedFair(item -> item, key -> 1);
        Qos<String> turns = Qos.weightedRoundRobin();
        return Stream.of(
                new Refusal(() -> fair.lane("a", 1, 1), "qos.lane", "\"a\"", "FAIR has a line for each key"),
                new Refusal(() -> weighted.lane("a", 1, 1), "qos.lane", "\"a\"", "WEIGHTED_FAIR has a line for each"),
                new Refusal(() -> fair.priority(LOWEST), "qos.priority", "\"a function\"", "FAIR goes by keys"),
                new Refusal(() -> weighted.priority(LOWEST), "qos.priority", "\"a function\"", "goes by keys"),
                new Refusal(
                        () -> turns.cost(String::length), "qos.cost", "\"a function\"", "WEIGHTED_ROUND_ROBIN counts"),
                new Refusal(
                        () -> Qos.<String>strict().cost(String::length), "qos.cost", "\"a function\"", "STRICT counts"),
                new Refusal(
                        () -> Qos.<String>roundRobin().cost(String::length),
                        "qos.cost",
                        "\"a function\"",
                        "ROUND_ROBIN counts items, not their cost"),
                new Refusal(() -> turns.keyCapacity(5), "qos.keyCapacity", "5", "WEIGHTED_ROUND_ROBIN has no keys"),
                new Refusal(() -> fair.keyCapacity(0), "qos.keyCapacity", "0", CAPACITY),
                new Refusal(() -> fair.keyCapacity(LARGEST + 1), "qos.keyCapacity", "67108865", CAPACITY));
    }

    static Stream<Refusal> incomplete() {
        Qos<String> one = Qos.<String>roundRobin().lane("a", 1, 1);
        Qos<String> huge =
                Qos.<String>strict().lane("a", LARGEST, 1).lane("b", 1, 1).priority(LOWEST);
        return Stream.of(
                new Refusal(() -> build(Qos.strict()), "qos.lanes", "0", "there must be at least 2"),
                new Refusal(() -> build(one.priority(LOWEST)), "qos.lanes", "1", "there must be at least 2"),
                new Refusal(() -> build(one.lane("b", 1, 1)), "qos.priority", "null", REQUIRED),
                new Refusal(() -> build(Qos.fair(item -> item)), "capacity", "null", REQUIRED),
                new Refusal(() -> build(huge), "qos.lane.capacity", "67108865", "all together may have 67108864"));
    }

    static Stream<Refusal> functions() {
        return Stream.of(
                new Refusal(() -> Qos.fair(null), "qos.key", "null", REQUIRED),
                new Refusal(() -> Qos.weightedFair(null, key -> 1), "qos.key", "null", REQUIRED),
                new Refusal(() -> Qos.weightedFair(item -> item, null), "qos.keyWeight", "null", REQUIRED),
                new Refusal(() -> Qos.strict().priority(null), "qos.priority", "null", REQUIRED),
                new Refusal(() -> Qos.deficitRoundRobin().cost(null), "qos.cost", "null", REQUIRED),
                new Refusal(() -> Qos.byWeight(0), "qos.heaviest", "0", WEIGHT),
                new Refusal(() -> Qos.byWeight(1_000_001), "qos.heaviest", "1000001", WEIGHT));
    }

    private static void build(Qos<String> qos) {
        WorkQueue.<String>builder()
                .workers(1)
                .qos(qos)
                .handler(item -> {})
                .build()
                .closeNow();
    }

    @Test
    void there_may_be_a_thousand_lanes_and_no_more() {
        Qos<String> qos = Qos.strict();
        for (int i = 0; i < 1_000; i++) {
            qos = qos.lane("lane " + i, 1, 1);
        }
        assertThat(qos.lanes()).hasSize(1_000);
        Qos<String> full = qos;
        new Refusal(() -> full.lane("more", 1, 1), "qos.lanes", "1001", "between 1 and 1000").check();
    }

    @Test
    void adding_changes_no_qos_that_is_there() {
        Qos<String> one = Qos.<String>strict().lane("a", 1, 1);
        Qos<String> two = one.lane("b", 1, 1);
        assertThat(one.lanes()).extracting(Qos.Lane::name).containsExactly("a");
        assertThat(two.lanes()).extracting(Qos.Lane::name).containsExactly("a", "b");
    }

    @ParameterizedTest
    @EnumSource(
            value = Qos.Algorithm.class,
            names = {"FAIR", "WEIGHTED_FAIR"})
    void lines_by_key_share_the_capacity_of_the_queue(Qos.Algorithm algorithm) {
        Qos<String> qos =
                algorithm == Qos.Algorithm.FAIR ? Qos.fair(item -> item) : Qos.weightedFair(item -> item, key -> 1);
        assertThat(qos.algorithm()).isEqualTo(algorithm);
        try (WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(9)
                .workers(1)
                .qos(qos)
                .handler(item -> {})
                .build()) {
            assertThat(queue.capacity()).isEqualTo(9);
        }
    }

    @Test
    void the_capacities_of_lanes_are_added_up() {
        try (WorkQueue<String> queue = WorkQueue.<String>builder()
                .workers(1)
                .qos(Qos.<String>strict().lane("a", 3, 1).lane("b", 4, 1).priority(LOWEST))
                .handler(item -> {})
                .build()) {
            assertThat(queue.capacity()).isEqualTo(7);
        }
    }
}
