package io.millrace.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskHeapTest {
    private static final Comparator<TaskNode> ORDER =
            Comparator.<TaskNode>comparingLong(node -> node.key).thenComparingLong(node -> node.sequence);

    private final Nodes nodes = new Nodes();
    private final TaskHeap heap = new TaskHeap();

    private TaskNode added(long key) {
        TaskNode node = nodes.node(key);
        heap.add(node);
        return node;
    }

    private List<TaskNode> drained() {
        List<TaskNode> order = new ArrayList<>();
        for (TaskNode first = heap.peek(); first != null; first = heap.peek()) {
            order.add(first);
            heap.remove(first);
        }
        return order;
    }

    @Test
    void an_empty_heap_has_no_first() {
        assertThat(heap.isEmpty()).isTrue();
        assertThat(heap.peek()).isNull();
        heap.remove(added(1));
        assertThat(heap.isEmpty()).isTrue();
        assertThat(heap.peek()).isNull();
    }

    @Test
    void the_least_key_comes_first() {
        LongStream.of(5, 1, 4, Long.MAX_VALUE, 2, 0, -3, 3).forEach(this::added);
        assertThat(drained()).extracting(node -> node.key).containsExactly(-3L, 0L, 1L, 2L, 3L, 4L, 5L, Long.MAX_VALUE);
    }

    @Test
    void of_equal_keys_the_oldest_comes_first() {
        List<TaskNode> added = LongStream.range(0, 100).mapToObj(i -> added(7)).toList();
        assertThat(drained()).isEqualTo(added);
    }

    @Test
    void a_task_knows_whether_it_is_in() {
        TaskNode node = nodes.node(1);
        assertThat(node.heapIndex).isNegative();
        heap.add(node);
        assertThat(node.heapIndex).isZero();
        heap.remove(node);
        assertThat(node.heapIndex).isNegative();
    }

    @Test
    void a_task_can_be_moved_both_ways() {
        TaskNode a = added(10);
        TaskNode b = added(20);
        TaskNode c = added(30);
        c.key = 5;
        heap.moved(c);
        assertThat(heap.peek()).isSameAs(c);
        c.key = 25;
        heap.moved(c);
        assertThat(drained()).containsExactly(a, b, c);
    }

    @Test
    void a_task_that_is_removed_can_be_added_again() {
        TaskNode a = added(1);
        TaskNode b = added(2);
        heap.remove(a);
        a.key = 3;
        heap.add(a);
        assertThat(drained()).containsExactly(b, a);
    }

    @Test
    void the_last_of_a_large_heap_is_found_when_it_has_shrunk() {
        List<TaskNode> added = LongStream.range(0, 20_000)
                .mapToObj(i -> added(i * 7_919 % 20_000))
                .toList();
        added.stream().filter(node -> node.key >= 100).forEach(heap::remove);
        assertThat(drained())
                .extracting(node -> node.key)
                .isEqualTo(LongStream.range(0, 100).boxed().toList());
    }

    @ParameterizedTest
    @CsvSource({"1, 10", "2, 10", "3, 1000", "4, 1000", "5, 1000000000"})
    void it_agrees_with_a_sorted_set(long seed, long keys) {
        Random chance = new Random(seed);
        TreeSet<TaskNode> reference = new TreeSet<>(ORDER);
        List<TaskNode> inside = new ArrayList<>();
        for (int step = 0; step < 30_000; step++) {
            boolean growing = step / 3_000 % 2 == 0;
            int dice = chance.nextInt(10);
            if (inside.isEmpty() || dice < (growing ? 6 : 2)) {
                TaskNode node = added(chance.nextLong(keys));
                inside.add(node);
                reference.add(node);
            } else if (dice < 8) {
                TaskNode node = dice % 2 == 0 ? reference.first() : inside.get(chance.nextInt(inside.size()));
                forget(inside, node);
                reference.remove(node);
                heap.remove(node);
            } else {
                TaskNode node = inside.get(chance.nextInt(inside.size()));
                reference.remove(node);
                node.key = chance.nextLong(keys);
                reference.add(node);
                heap.moved(node);
            }
            assertThat(heap.peek()).isSameAs(reference.isEmpty() ? null : reference.first());
            assertThat(heap.isEmpty()).isEqualTo(reference.isEmpty());
        }
        assertThat(drained()).isEqualTo(List.copyOf(reference));
    }

    /** Removes without a shift; the order of the list means nothing. */
    private static void forget(List<TaskNode> nodes, TaskNode node) {
        int index = nodes.indexOf(node);
        TaskNode last = nodes.remove(nodes.size() - 1);
        if (index < nodes.size()) {
            nodes.set(index, last);
        }
    }
}
