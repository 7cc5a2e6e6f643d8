package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.Records;
import io.millrace.spi.Records.Entry;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The small map with compare-and-set. */
abstract class RecordsContract extends StoreGroup {
    private static final String KEY = "key";

    @Test
    void what_is_not_there_can_be_created() {
        assertThat(records().get(KEY)).isEmpty();

        assertThat(records().put(KEY, "value", Records.ABSENT)).isTrue();

        Entry entry = entry(KEY);
        assertThat(entry.key()).isEqualTo(KEY);
        assertThat(entry.value()).isEqualTo("value");
        assertThat(entry.version()).isPositive();
    }

    @Test
    void what_is_there_is_not_created_again() {
        create(KEY, "first");

        assertThat(records().put(KEY, "second", Records.ABSENT)).isFalse();

        assertThat(entry(KEY).value()).isEqualTo("first");
    }

    @Test
    void a_write_of_the_expected_version_wins() {
        Entry before = create(KEY, "first");

        assertThat(records().put(KEY, "second", before.version())).isTrue();

        assertThat(entry(KEY).value()).isEqualTo("second");
        assertThat(entry(KEY).version()).isNotEqualTo(before.version());
    }

    @Test
    void a_write_of_another_version_changes_nothing() {
        Entry old = create(KEY, "first");
        records().put(KEY, "second", old.version());
        Entry current = entry(KEY);

        assertThat(records().put(KEY, "third", old.version())).isFalse();
        assertThat(records().put(KEY, "third", current.version() + 100)).isFalse();

        assertThat(entry(KEY)).isEqualTo(current);
    }

    @Test
    void what_is_not_there_cannot_be_written_with_a_version() {
        assertThat(records().put(KEY, "value", 1)).isFalse();

        assertThat(records().get(KEY)).isEmpty();
    }

    @Test
    void a_removal_of_the_expected_version_wins() {
        Entry entry = create(KEY, "value");

        assertThat(records().remove(KEY, entry.version())).isTrue();

        assertThat(records().get(KEY)).isEmpty();
        assertThat(records().list("")).isEmpty();
    }

    @Test
    void a_removal_of_another_version_changes_nothing() {
        Entry old = create(KEY, "first");
        records().put(KEY, "second", old.version());

        assertThat(records().remove(KEY, old.version())).isFalse();
        assertThat(records().remove("no such key", 1)).isFalse();

        assertThat(entry(KEY).value()).isEqualTo("second");
    }

    @Test
    void a_version_is_never_used_twice_for_a_key() {
        Set<Long> versions = new HashSet<>();
        for (int i = 0; i < 5; i++) {
            Entry created = create(KEY, "value");
            assertThat(versions.add(created.version())).isTrue();
            records().put(KEY, "value", created.version());
            assertThat(versions.add(entry(KEY).version())).isTrue();
            records().remove(KEY, entry(KEY).version());
        }
    }

    @Test
    void entries_are_listed_by_prefix_in_the_order_of_their_keys() {
        for (String key : List.of("b", "ab", "a/2", "A", "a/10", "a", "a_1", "aé")) {
            create(key, "value of " + key);
        }

        assertThat(records().list("a")).extracting(Entry::key).containsExactly("a", "a/10", "a/2", "a_1", "ab", "aé");
        assertThat(records().list("a/")).extracting(Entry::key).containsExactly("a/10", "a/2");
        assertThat(records().list("")).hasSize(8);
        assertThat(records().list("c")).isEmpty();
        assertThat(records().list("b")).containsExactly(entry("b"));
    }

    @Test
    void a_prefix_is_not_a_pattern() {
        create("ab", "value");
        create("a%", "value");

        assertThat(records().list("a_")).isEmpty();
        assertThat(records().list("a%")).extracting(Entry::key).containsExactly("a%");
        assertThat(records().list("A")).isEmpty();
    }

    @Test
    void keys_differ_in_case() {
        create("key", "small");
        create("KEY", "large");

        assertThat(entry("key").value()).isEqualTo("small");
        assertThat(entry("KEY").value()).isEqualTo("large");
    }

    @Test
    void values_of_every_kind_are_kept() {
        String text = "ß 漢字 🙂 ' \" \\ % \t\n";
        String longText = "line\n".repeat(20_000);

        assertThat(create("text", text).value()).isEqualTo(text);
        assertThat(create("long", longText).value()).isEqualTo(longText);
        assertThat(create("empty", "").value()).isEmpty();
    }

    @Test
    void increments_at_the_same_time_lose_nothing() {
        create(KEY, "0");
        int threads = 4;
        int each = 50;

        Together.run(threads, number -> () -> {
            for (int i = 0; i < each; i++) {
                increment();
            }
            return number;
        });

        assertThat(entry(KEY).value()).isEqualTo(String.valueOf(threads * each));
    }

    private void increment() {
        boolean done;
        do {
            Entry current = entry(KEY);
            String next = String.valueOf(Integer.parseInt(current.value()) + 1);
            done = records().put(KEY, next, current.version());
        } while (!done);
    }

    private Records records() {
        return store.records();
    }

    private Entry entry(String key) {
        return records().get(key).orElseThrow(() -> new AssertionError("there is no entry " + key));
    }

    private Entry create(String key, String value) {
        assertThat(records().put(key, value, Records.ABSENT)).isTrue();
        return entry(key);
    }
}
