package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Databases and UTF-8 have no halves of surrogate pairs. */
class LoneSurrogatesTest {
    private static final String PAIR = "\uD834\uDD1E";

    @Test
    void texts_with_one_are_refused() {
        for (String bad : new String[] {"\uD800", "\uDC00", "a\uD800b", "\uDC00\uD800", PAIR + "\uD834"}) {
            assertThatThrownBy(() -> Limits.text("name", bad, 100))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("surrogate");
            assertThatThrownBy(() -> Limits.atMost("name", bad, 100)).isInstanceOf(InvalidValueException.class);
            assertThatThrownBy(() -> NewTask.builder("t").uniqueKey(bad)).isInstanceOf(InvalidValueException.class);
            assertThatThrownBy(() -> Payload.json("\"" + bad + "\"")).isInstanceOf(InvalidValueException.class);
        }
        assertThat(Limits.text("name", PAIR, 100)).isEqualTo(PAIR);
    }

    @Test
    void errors_are_cleaned_and_cut_between_characters() {
        assertThat(Limits.cutError("a\uD800b" + PAIR + "\uDC00")).isEqualTo("a\uFFFDb" + PAIR + "\uFFFD");
        String before = "x".repeat(Limits.ERROR_LENGTH - 1);
        assertThat(Limits.cutError(before + PAIR)).isEqualTo(before);
        assertThat(Limits.cutError("x" + before + PAIR)).isEqualTo("x" + before);
    }
}
