package io.millrace.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskListTest {
    private final Nodes nodes = new Nodes();
    private final TaskList list = new TaskList();

    private List<TaskNode> content() {
        List<TaskNode> content = new ArrayList<>();
        TaskNode previous = null;
        for (TaskNode node = list.first(); node != null; node = node.next) {
            assertThat(node.previous).isSameAs(previous);
            assertThat(node.list).isSameAs(list);
            content.add(node);
            previous = node;
        }
        assertThat(list.size()).isEqualTo(content.size());
        return content;
    }

    private List<TaskNode> added(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    TaskNode node = nodes.inLine();
                    list.addLast(node);
                    return node;
                })
                .toList();
    }

    @Test
    void an_empty_list_has_no_first() {
        assertThat(content()).isEmpty();
        assertThat(list.first()).isNull();
    }

    @Test
    void first_in_first_out() {
        List<TaskNode> added = added(5);
        assertThat(content()).isEqualTo(added);
        list.remove(added.get(0));
        assertThat(list.first()).isSameAs(added.get(1));
    }

    @Test
    void any_can_be_removed_and_forgets_the_list() {
        List<TaskNode> added = added(4);
        for (int i : new int[] {1, 3, 0, 2}) {
            TaskNode node = added.get(i);
            list.remove(node);
            assertThat(content()).doesNotContain(node);
            assertThat(node.list).isNull();
            assertThat(node.previous).isNull();
            assertThat(node.next).isNull();
        }
        assertThat(content()).isEmpty();
    }

    @Test
    void a_list_that_became_empty_can_be_filled_again() {
        added(1).forEach(list::remove);
        List<TaskNode> added = added(2);
        assertThat(content()).isEqualTo(added);
    }

    @Test
    void what_comes_back_stands_in_front_of_what_stood_behind_it() {
        List<TaskNode> added = added(5);
        list.remove(added.get(0));
        list.addBack(added.get(0));
        assertThat(content()).isEqualTo(added);
        list.remove(added.get(2));
        list.addBack(added.get(2));
        assertThat(content()).isEqualTo(added);
        list.remove(added.get(4));
        list.addBack(added.get(4));
        assertThat(content()).isEqualTo(added);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatever_comes_back_in_whatever_order_stands_as_before(long seed) {
        Random chance = new Random(seed);
        List<TaskNode> added = added(200);
        List<TaskNode> taken = new ArrayList<>(added.subList(0, 100));
        taken.forEach(list::remove);
        Collections.shuffle(taken, chance);
        taken.forEach(list::addBack);
        assertThat(content()).isEqualTo(added);
    }

    @Test
    void what_comes_back_into_an_empty_list_is_first_and_last() {
        TaskNode node = nodes.inLine();
        list.addBack(node);
        TaskNode later = nodes.inLine();
        list.addLast(later);
        assertThat(content()).containsExactly(node, later);
    }

    @Test
    void an_old_task_that_was_queued_anew_does_not_hold_back_what_comes_back() {
        List<TaskNode> added = added(3);
        TaskNode retried = added.get(0);
        TaskNode lost = added.get(1);
        list.remove(retried);
        list.remove(lost);
        retried.key = nodes.inLine().key;
        list.addLast(retried);
        list.addBack(lost);
        assertThat(content()).containsExactly(lost, added.get(2), retried);
    }

    @Test
    void behind_very_many_older_ones_it_stands_a_little_too_early() {
        List<TaskNode> added = added(3_000);
        TaskNode last = added.get(2_999);
        list.remove(last);
        list.addBack(last);
        List<TaskNode> content = content();
        assertThat(content.indexOf(last)).isEqualTo(1_000);
        assertThat(content).hasSize(3_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void it_agrees_with_a_plain_list(long seed) {
        Random chance = new Random(seed);
        List<TaskNode> reference = new ArrayList<>();
        List<TaskNode> outside = new ArrayList<>();
        for (int step = 0; step < 5_000; step++) {
            int dice = chance.nextInt(10);
            if (reference.isEmpty() || dice < 4) {
                TaskNode node = nodes.inLine();
                reference.add(node);
                list.addLast(node);
            } else if (dice < 8 || outside.isEmpty()) {
                TaskNode node = reference.remove(chance.nextInt(reference.size()));
                list.remove(node);
                outside.add(node);
            } else {
                TaskNode node = outside.remove(chance.nextInt(outside.size()));
                int place = 0;
                while (place < reference.size() && reference.get(place).key < node.key) {
                    place++;
                }
                reference.add(place, node);
                list.addBack(node);
            }
            assertThat(list.first()).isSameAs(reference.isEmpty() ? null : reference.get(0));
            assertThat(list.size()).isEqualTo(reference.size());
        }
        assertThat(content()).isEqualTo(reference);
    }
}
