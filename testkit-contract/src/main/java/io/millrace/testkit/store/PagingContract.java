package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.InvalidValueException;
import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.spi.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists come in pages, and pages fit together. */
abstract class PagingContract extends StoreGroup {
    @Test
    void without_a_filter_all_are_found_in_the_order_of_creation() {
        List<UUID> ids = new ArrayList<>();
        ids.add(add(task().id(new UUID(9, 9)).priority(500)));
        ids.add(add(task(OTHER).id(new UUID(-3, 3)).delay(MINUTE)));
        ids.add(finished(task("third").id(new UUID(5, 1))));
        advance(MINUTE);
        ids.add(add(task().id(new UUID(1, 1)).priority(-1)));
        ids.add(add(task(OTHER).waitFor(1)));

        assertThat(listed(TaskQuery.ALL)).containsExactlyElementsOf(ids);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "-1", "' or 1=1", "🙂", "////"})
    void a_foreign_cursor_is_refused(String cursor) {
        addSome(3);

        assertThatThrownBy(() -> store.list(TaskQuery.ALL, cursor, 2)).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void pages_follow_each_other_without_gaps() {
        List<UUID> ids = addSome(25);
        for (int size : new int[] {1, 2, 7, 25, 100}) {
            assertThat(page(TaskQuery.ALL, size)).containsExactlyElementsOf(ids);
        }
    }

    @Test
    void the_last_page_has_no_next() {
        addSome(3);

        assertThat(store.list(TaskQuery.ALL, null, 10).next()).isNull();
        assertThat(store.list(TaskQuery.ALL.topic("none"), null, 10)).isEqualTo(new Page<Task>(List.of(), null));
    }

    @Test
    void pages_show_once_what_was_there_all_the_time() {
        List<UUID> stay = new ArrayList<>();
        List<UUID> go = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            stay.add(add());
            go.add(add());
        }
        List<UUID> seen = new ArrayList<>();
        String cursor = null;
        do {
            Page<Task> page = store.list(TaskQuery.ALL, cursor, 3);
            page.items().forEach(task -> seen.add(task.id()));
            cursor = page.next();
            if (!go.isEmpty()) {
                change(new Change.Delete(), go.remove(0), go.remove(go.size() - 1));
                add();
            }
        } while (cursor != null);

        assertThat(seen).doesNotHaveDuplicates().containsSubsequence(stay);
    }

    @Test
    void a_page_can_be_continued_after_its_last_task_was_deleted() {
        List<UUID> ids = addSome(4);
        String next = store.list(TaskQuery.ALL, null, 2).next();

        change(new Change.Delete(), ids.get(0), ids.get(1));

        assertThat(store.list(TaskQuery.ALL, next, 2).items())
                .extracting(Task::id)
                .containsExactly(ids.get(2), ids.get(3));
    }

    private List<UUID> page(TaskQuery query, int size) {
        List<UUID> ids = new ArrayList<>();
        String cursor = null;
        do {
            Page<Task> page = store.list(query, cursor, size);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(size);
            page.items().forEach(task -> ids.add(task.id()));
            cursor = page.next();
        } while (cursor != null);
        return ids;
    }
}
