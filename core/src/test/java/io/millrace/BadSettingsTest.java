package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies of topics, as values and as text, and the settings of a whole Millrace. */
class BadSettingsTest {
    private static final String REQUIRED = "it is required";
    private static final String UP = "it must be between 1 and 2147483647";
    private static final Duration SECOND = Duration.ofSeconds(1);

    @ParameterizedTest
    @MethodSource({"policies", "options"})
    void is_refused_by_name(BadInput input) {
        input.assertRefused();
    }

    static Stream<BadInput> policies() {
        return Stream.of(
                policy(builder -> builder.capacity(0), "capacity", "0", UP),
                policy(builder -> builder.capacity(-5), "capacity", "-5", UP),
                policy(builder -> builder.concurrency(0), "concurrency", "0", UP),
                policy(builder -> builder.weight(0), "weight", "0", "between 1 and 1000000"),
                policy(builder -> builder.weight(1_000_001), "weight", "1000001", "between 1 and 1000000"),
                policy(builder -> builder.lossLimit(0), "lossLimit", "0", UP),
                policy(builder -> builder.rate(null), "rate", "null", REQUIRED),
                policy(builder -> builder.rate(new Rate(0, SECOND)), "rate.limit", "0", "between 1 and 1000000000"),
                policy(builder -> builder.rate(new Rate(1, null)), "rate.per", "null", REQUIRED),
                policy(builder -> builder.rate(new Rate(1, Duration.ZERO)), "rate.per", "PT0S", "1 millisecond"),
                policy(builder -> builder.timeout(null), "timeout", "null", REQUIRED),
                policy(builder -> builder.timeout(Duration.ZERO), "timeout", "PT0S", "1 millisecond"),
                policy(builder -> builder.onTimeout(null), "onTimeout", "null", REQUIRED),
                policy(builder -> builder.retry(null), "retry", "null", REQUIRED),
                policy(builder -> builder.retention(null), "retention", "null", REQUIRED),
                policy(builder -> builder.leak(null), "leak", "null", REQUIRED),
                policy(builder -> builder.leak(Leak.FRONT), "leak", "FRONT", "needs a deadLetter"),
                policy(builder -> builder.deadLetter(null), "deadLetter", "null", "1 to 200 letters"),
                policy(builder -> builder.deadLetter(""), "deadLetter", "\"\"", "1 to 200 letters"),
                policy(builder -> builder.deadLetter("a b"), "deadLetter", "\"a b\"", "1 to 200 letters"));
    }

    static Stream<BadInput> options() {
        return Stream.of(
                option(builder -> builder.workers(0), "workers", "0", "between 1 and 1000000"),
                option(builder -> builder.workerName(""), "workerName", "\"\"", "1 to 200 characters"),
                option(builder -> builder.prefetch(-1), "prefetch", "-1", "between 0 and 10000"),
                option(builder -> builder.prefetch(10_001), "prefetch", "10001", "between 0 and 10000"),
                option(builder -> builder.maxTasks(0), "maxTasks", "0", UP),
                option(builder -> builder.maxTasks(-3), "maxTasks", "-3", UP),
                option(builder -> builder.workerExpiry(Duration.ZERO), "workerExpiry", "PT0S", "1 millisecond"),
                option(builder -> builder.scanEvery(null), "scanEvery", "null", REQUIRED),
                option(builder -> builder.reapEvery(SECOND.negated()), "reapEvery", "PT-1S", "between 0 and"),
                option(builder -> builder.cleanEvery(Duration.ZERO), "cleanEvery", "PT0S", "1 millisecond"),
                option(builder -> builder.closeTimeout(SECOND.negated()), "closeTimeout", "PT-1S", "between 0 and"),
                option(builder -> builder.payloadLimit(0), "payloadLimit", "0", "between 1 and 1073741824"),
                option(builder -> builder.codec(null), "codec", "null", REQUIRED),
                option(builder -> builder.observer(null), "observer", "null", REQUIRED),
                option(builder -> builder.clock(null), "clock", "null", REQUIRED));
    }

    @ParameterizedTest
    @CsvSource({
        "retry.max, -1, -1, it must be between 0 and 1000000",
        "retry.max, few, '\"few\"', it must be a whole number",
        "retry.max, 99999999999, '\"99999999999\"', it must be a whole number",
        "retry.base, soon, '\"soon\"', it must be a duration such as PT30S",
        "retry.base, PT-1S, PT-1S, it must be between 0 and 36525 days",
        "retry.cap, 20s, '\"20s\"', it must be a duration such as PT30S",
        "timeout, PT0S, PT0S, it must be between 1 millisecond and 36525 days",
        "retention.succeeded, PT-1S, PT-1S, it must be between 0 and 36525 days",
        "retention.failed, x, '\"x\"', it must be a duration such as PT30S",
        "capacity, 0, 0, it must be between 1 and 2147483647",
        "capacity, 1.5, '\"1.5\"', it must be a whole number",
        "capacity, '', '\"\"', it must be a whole number",
        "concurrency, 0, 0, it must be between 1 and 2147483647",
        "weight, 0, 0, it must be between 1 and 1000000",
        "lossLimit, 0, 0, it must be between 1 and 2147483647",
        "rate.limit, many, '\"many\"', it must be a whole number",
        "rate.per, x, '\"x\"', it must be a duration such as PT30S",
        "deadLetter, a b, '\"a b\"', 'it must have 1 to 200 letters, digits and -_.:@/'",
        "leak, FRONT, FRONT, needs a deadLetter",
    })
    void a_bad_value_in_the_text_of_a_policy_is_refused(String field, String value, String shown, String allowed) {
        new BadInput(field, () -> TopicPolicy.parse(field + "=" + value + "\n"), field, shown, allowed).assertRefused();
    }

    @ParameterizedTest
    @ValueSource(strings = {"retry.backoff", "retry.jitter", "onTimeout", "leak"})
    void an_unknown_choice_in_the_text_of_a_policy_is_refused(String field) {
        new BadInput(field, () -> TopicPolicy.parse(field + "=sideways"), field, "\"sideways\"", "").assertRefused();
    }

    @ParameterizedTest
    @ValueSource(strings = {"colour", "retry", "Weight", "retry.maximum", "rate", "policy.weight"})
    void an_unknown_field_in_the_text_of_a_policy_is_refused(String field) {
        String text = "weight=2\n" + field + "=3\nlossLimit=4\n";
        new BadInput(field, () -> TopicPolicy.parse(text), field, "\"3\"", "a topic's policy has no such field")
                .assertRefused();
    }

    @ParameterizedTest
    @ValueSource(strings = {"weight", "=3", " weight 3", "{\"weight\":3}"})
    void a_line_that_is_no_assignment_is_refused(String line) {
        new BadInput(line, () -> TopicPolicy.parse(line), "policy", "\"" + line + "\"", "a line must be name=value")
                .assertRefused();
    }

    @Test
    void an_over_long_value_is_shown_in_part() {
        assertThatThrownBy(() -> TopicPolicy.parse("capacity=" + "9".repeat(100_000)))
                .isInstanceOf(InvalidValueException.class)
                .satisfies(refusal -> assertThat(refusal.getMessage()).hasSizeLessThan(200))
                .hasMessageContaining("(100000 characters)");
    }

    @Test
    void a_url_that_no_store_knows_is_refused() {
        new BadInput("url", () -> Millrace.open("carrier-pigeon:"), "url", "\"carrier-pigeon:\"", "it must be heap:")
                .assertRefused();
        new BadInput("no url", () -> Millrace.open(null), "url", "null", REQUIRED).assertRefused();
    }

    private static BadInput policy(
            UnaryOperator<TopicPolicy.Builder> setting, String field, String value, String allowed) {
        return new BadInput(
                "policy with " + field + " " + value,
                () -> setting.apply(TopicPolicy.builder()).build(),
                field,
                value,
                allowed);
    }

    private static BadInput option(
            UnaryOperator<MillraceOptions.Builder> setting, String field, String value, String allowed) {
        return new BadInput(
                "options with " + field + " " + value,
                () -> setting.apply(MillraceOptions.builder()).build(),
                field,
                value,
                allowed);
    }
}
