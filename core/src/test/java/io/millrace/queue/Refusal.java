package io.millrace.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.InvalidValueException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Something that must be refused with a message that names the setting, the value and the rule. */
record Refusal(ThrowingCallable attempt, String field, String value, String rule) {
    void check() {
        assertThatThrownBy(attempt).isInstanceOfSatisfying(InvalidValueException.class, refusal -> {
            assertThat(refusal.field()).isEqualTo(field);
            assertThat(refusal)
                    .hasMessageStartingWith(field + ": " + value + " is not allowed; ")
                    .hasMessageContaining(rule);
        });
    }

    @Override
    public String toString() {
        return field + " " + value.replace('\0', '?') + " (" + rule + ")";
    }
}
