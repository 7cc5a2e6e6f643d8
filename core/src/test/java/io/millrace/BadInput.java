package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Something that must be refused with a message that names the field, the value and what is allowed. */
record BadInput(String name, ThrowingCallable attempt, String field, String value, String allowed) {
    void assertRefused() {
        assertThatThrownBy(attempt).isInstanceOfSatisfying(InvalidValueException.class, refusal -> {
            assertThat(refusal.field()).isEqualTo(field);
            assertThat(refusal)
                    .hasMessageStartingWith(field + ": ")
                    .hasMessageContaining(value + " is not allowed; ")
                    .hasMessageContaining(allowed);
        });
    }

    @Override
    public String toString() {
        return name;
    }
}
