package io.millrace.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Qos;
import io.millrace.WorkQueue;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In which order one worker takes from lanes that are full. Items are called after their lane: a1, b1. */
class QosOrderTest {
    private final Stops stops = new Stops();
    private WorkQueue<String> queue;

    @AfterEach
    void close() {
        queue.closeNow();
    }

    private void open(Qos<String> qos) throws InterruptedException {
        var builder = WorkQueue.<String>builder().workers(1).qos(qos).handler(stops);
        queue = qos.algorithm().isByKey() ? builder.capacity(500).build() : builder.build();
        stop(1);
    }

    private void stop(int count) throws InterruptedException {
        queue.put("a stop");
        stops.awaitStop(count);
    }

    private void put(String lane, int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            queue.put(lane + i);
        }
    }

    private static String lane(String item) {
        return item.substring(0, 1);
    }

    private static Qos<String> lanes(Qos<String> qos, int... egress) {
        Qos<String> all = qos.priority((item, weight) -> 100 - (item.charAt(0) - 'a' + 0.5) * 100.0 / egress.length);
        for (int i = 0; i < egress.length; i++) {
            all = all.lane(String.valueOf((char) ('a' + i)), 200, 1, egress[i]);
        }
        return all;
    }

    private static long count(List<String> items, String lane) {
        return items.stream().filter(item -> item.startsWith(lane)).count();
    }

    @Test
    void strict_order_takes_from_a_lane_only_if_those_before_it_are_empty() throws Exception {
        open(lanes(Qos.strict(), 1, 1, 1));
        put("c", 2);
        put("b", 2);
        put("a", 2);
        stops.go();
        assertThat(stops.take(6)).containsExactly("a0", "a1", "b0", "b1", "c0", "c1");
    }

    @Test
    void round_robin_takes_one_of_each() throws Exception {
        open(lanes(Qos.roundRobin(), 9, 1, 5));
        put("c", 3);
        put("b", 1);
        put("a", 3);
        stops.go();
        assertThat(stops.take(7)).containsExactly("b0", "c0", "a0", "c1", "a1", "c2", "a2");
    }

    @Test
    void weighted_round_robin_takes_by_weight_in_every_cycle() throws Exception {
        open(lanes(Qos.weightedRoundRobin(), 5, 2, 1));
        put("a", 100);
        put("b", 100);
        put("c", 100);
        stops.go();
        List<String> order = stops.take(300);
        for (int cycle = 0; cycle < 20; cycle++) {
            List<String> part = order.subList(8 * cycle, 8 * cycle + 8);
            assertThat(count(part, "a")).as("cycle %d: %s", cycle, part).isEqualTo(5);
            assertThat(count(part, "b")).isEqualTo(2);
        }
        assertThat(order.subList(0, 8))
                .as("in small portions")
                .isNotEqualTo(order.subList(0, 8).stream().sorted().toList());
    }

    @Test
    void deficit_round_robin_takes_by_cost() throws Exception {
        open(lanes(Qos.deficitRoundRobin(), 10, 10).cost(item -> item.startsWith("b") ? 5 : 1));
        put("a", 200);
        put("b", 40);
        stops.go();
        List<String> order = stops.take(240);
        for (int i = 1; i <= 200; i++) {
            long spentOnA = count(order.subList(0, i), "a");
            long spentOnB = 5 * count(order.subList(0, i), "b");
            assertThat(Math.abs(spentOnA - spentOnB)).as("after %d items", i).isLessThanOrEqualTo(20);
        }
    }

    @Test
    void deficit_round_robin_shares_by_weight_also_where_costs_are_huge() throws Exception {
        open(lanes(Qos.deficitRoundRobin(), 2, 1).cost(item -> Integer.MAX_VALUE));
        put("a", 60);
        put("b", 60);
        stops.go();
        List<String> order = stops.take(120);
        assertThat(count(order.subList(0, 60), "a")).isBetween(39L, 41L);
    }

    @Test
    void fair_queueing_gives_a_light_key_its_turn_between_those_of_a_heavy_one() throws Exception {
        open(Qos.fair(QosOrderTest::lane));
        put("h", 100);
        put("l", 5);
        put("m", 5);
        stops.go();
        List<String> order = stops.take(110);
        assertThat(count(order.subList(0, 17), "l")).isEqualTo(5);
        assertThat(count(order.subList(0, 17), "m")).isEqualTo(5);
    }

    @Test
    void fair_queueing_counts_cost() throws Exception {
        open(Qos.<String>fair(QosOrderTest::lane).cost(item -> item.startsWith("x") ? 10 : 1));
        put("x", 20);
        put("y", 100);
        stops.go();
        List<String> order = stops.take(120);
        assertThat(count(order.subList(0, 110), "x")).isBetween(9L, 11L);
    }

    @Test
    void weighted_fair_queueing_shares_by_weight() throws Exception {
        open(Qos.weightedFair(QosOrderTest::lane, key -> key.equals("x") ? 3 : 1));
        put("x", 90);
        put("y", 90);
        stops.go();
        List<String> order = stops.take(180);
        for (int i = 4; i <= 100; i += 4) {
            assertThat(count(order.subList(0, i), "x")).as("of %d", i).isBetween(3L * i / 4 - 1, 3L * i / 4 + 1);
        }
    }

    @Test
    void an_empty_lane_saves_up_nothing() throws Exception {
        for (Qos<String> qos : List.of(
                lanes(Qos.roundRobin(), 1, 1),
                lanes(Qos.weightedRoundRobin(), 1, 1),
                lanes(Qos.deficitRoundRobin(), 1, 1),
                Qos.<String>fair(QosOrderTest::lane),
                Qos.<String, String>weightedFair(QosOrderTest::lane, key -> 1))) {
            Stops own = new Stops();
            var builder = WorkQueue.<String>builder().workers(1).qos(qos).handler(own);
            queue = qos.algorithm().isByKey() ? builder.capacity(500).build() : builder.build();
            put("a", 100);
            var unused = own.take(100);
            queue.put("a stop");
            own.awaitStop(1);
            put("a", 20);
            put("b", 20);
            own.go();
            assertThat(count(own.take(40).subList(0, 20), "a"))
                    .as("%s", qos.algorithm())
                    .isBetween(9L, 11L);
            queue.close();
        }
    }
}
