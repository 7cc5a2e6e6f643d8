package io.millrace.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sets of sequence numbers, and the table that finds tasks by them. */
class SequenceSetTest {
    private final SequenceSet set = new SequenceSet();

    private List<Long> numbers() {
        List<Long> numbers = new ArrayList<>();
        for (long next = set.next(0); next != SequenceSet.END; next = set.next(next + 1)) {
            numbers.add(next);
        }
        return numbers;
    }

    @Test
    void an_empty_set_has_no_next() {
        assertThat(set.size()).isZero();
        assertThat(set.next(0)).isEqualTo(SequenceSet.END);
        assertThat(set.next(123_456_789)).isEqualTo(SequenceSet.END);
    }

    @Test
    void numbers_come_out_in_order() {
        List<Long> edges = List.of(
                0L, 1L, 62L, 63L, 64L, 65L, 4_094L, 4_095L, 4_096L, 4_097L, 8_191L, 8_192L, 1L << 31, 1L << 32,
                1L << 50);
        List<Long> backwards = new ArrayList<>(edges);
        Collections.reverse(backwards);
        backwards.forEach(set::add);
        assertThat(numbers()).isEqualTo(edges);
        assertThat(set.size()).isEqualTo(edges.size());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 63, 64, 4_095, 4_096, 1_000_000, 1L << 40})
    void next_is_the_number_itself_or_one_after(long number) {
        set.add(number);
        assertThat(set.next(number)).isEqualTo(number);
        assertThat(set.next(Math.max(0, number - 1))).isEqualTo(number);
        assertThat(set.next(number / 2)).isEqualTo(number);
        assertThat(set.next(number + 1)).isEqualTo(SequenceSet.END);
    }

    @Test
    void what_is_removed_is_gone() {
        set.add(5);
        set.add(6);
        set.add(5_000);
        set.remove(5);
        assertThat(numbers()).containsExactly(6L, 5_000L);
        set.remove(6);
        assertThat(set.next(0)).as("a block that became empty is passed over").isEqualTo(5_000);
        set.add(5);
        assertThat(numbers()).containsExactly(5L, 5_000L);
    }

    @Test
    void to_remove_from_where_nothing_is_is_a_bug() {
        assertThatThrownBy(() -> set.remove(5)).isInstanceOf(IllegalStateException.class);
        set.add(5);
        set.remove(5);
        assertThatThrownBy(() -> set.remove(5)).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @CsvSource({"1, 100", "2, 5000", "3, 20000", "4, 1000000", "5, 1000000000000"})
    void it_agrees_with_a_tree_set(long seed, long range) {
        Random chance = new Random(seed);
        TreeSet<Long> reference = new TreeSet<>();
        for (int step = 0; step < 20_000; step++) {
            boolean growing = step / 2_500 % 2 == 0;
            long number = chance.nextLong(range);
            Long known = reference.ceiling(number);
            if (known == null || chance.nextInt(10) < (growing ? 7 : 3)) {
                if (reference.add(number)) {
                    set.add(number);
                }
            } else {
                reference.remove(known);
                set.remove(known);
            }
            long from = chance.nextLong(range);
            Long expected = reference.ceiling(from);
            assertThat(set.next(from)).isEqualTo(expected == null ? SequenceSet.END : expected);
            assertThat(set.size()).isEqualTo(reference.size());
        }
        assertThat(numbers()).isEqualTo(List.copyOf(reference));
        reference.forEach(set::remove);
        assertThat(set.size()).isZero();
        assertThat(set.next(0)).isEqualTo(SequenceSet.END);
    }

    @Test
    void a_table_finds_tasks_by_their_number() {
        Nodes nodes = new Nodes();
        SequenceTable table = new SequenceTable();
        List<TaskNode> added = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            TaskNode node = nodes.numbered(table.nextSequence());
            table.add(node);
            added.add(node);
        }
        assertThat(added).allMatch(node -> table.get(node.sequence) == node);
        added.stream().filter(node -> node.sequence % 3 != 0).forEach(table::remove);
        assertThat(added)
                .filteredOn(node -> node.sequence % 3 == 0)
                .hasSize(1_666)
                .allMatch(node -> table.get(node.sequence) == node);
        assertThat(table.present().size()).isEqualTo(1_666);
        assertThat(table.present().next(1)).isEqualTo(3);
        assertThat(table.nextSequence()).as("numbers are not used again").isEqualTo(5_001);
    }

    @Test
    void to_ask_a_table_for_what_is_not_there_is_a_bug() {
        SequenceTable table = new SequenceTable();
        TaskNode node = new Nodes().numbered(table.nextSequence());
        assertThatThrownBy(() -> table.get(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> table.remove(node)).isInstanceOf(IllegalStateException.class);
        table.add(node);
        assertThatThrownBy(() -> table.get(2)).isInstanceOf(IllegalStateException.class);
        table.remove(node);
        assertThatThrownBy(() -> table.get(1)).isInstanceOf(IllegalStateException.class);
    }
}
