package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BadTaskInputTest {
    private static final Instant NOON = Instant.parse("2030-06-01T12:00:00Z");
    private static final String TOPIC_RULE = "it must have 1 to 200 letters, digits and -_.:@/";
    private static final String TEXT_RULE = "it must have 1 to 200 characters";
    private static final String DELAY_RULE = "it must be between 0 and 36525 days";
    private static final String DURATION_RULE = "it must be between 1 millisecond and 36525 days";
    private static final String MOMENT_RULE = "it must lie between 1970 and 9999";
    private static final String REQUIRED = "it is required";

    @ParameterizedTest
    @MethodSource({"topics", "texts", "times", "contradictions", "others", "retries"})
    void is_refused_by_name(BadInput input) {
        input.assertRefused();
    }

    static Stream<BadInput> topics() {
        String tooLong = "t".repeat(201);
        return Stream.of(
                topic("no topic", null, "null"),
                topic("an empty topic", "", "\"\""),
                topic("a topic of 201 characters", tooLong, "\"" + tooLong.substring(0, 80) + "…\" (201 characters)"),
                topic("a topic with a space", "e mail", "\"e mail\""),
                topic("a topic with an umlaut", "grün", "\"grün\""),
                topic("a topic with a hash", "e#mail", "\"e#mail\""),
                topic("a topic with an asterisk", "e*", "\"e*\""),
                topic("a topic with a line break", "email\n", "\"email\n\""),
                topic("a topic with a zero byte", "e\0", "\"e\0\""));
    }

    static Stream<BadInput> texts() {
        String tooLong = "x".repeat(201);
        String shown = "\"" + "x".repeat(80) + "…\" (201 characters)";
        String longUrl = "http://example.org/" + "x".repeat(2_000);
        return Stream.of(
                bad("no entityId", task -> task.entityId(null), "entityId", "null", TEXT_RULE),
                bad("an empty entityId", task -> task.entityId(""), "entityId", "\"\"", TEXT_RULE),
                bad("an over-long entityId", task -> task.entityId(tooLong), "entityId", shown, TEXT_RULE),
                bad("no uniqueKey", task -> task.uniqueKey(null), "uniqueKey", "null", TEXT_RULE),
                bad("an empty uniqueKey", task -> task.uniqueKey(""), "uniqueKey", "\"\"", TEXT_RULE),
                bad("an over-long uniqueKey", task -> task.uniqueKey(tooLong), "uniqueKey", shown, TEXT_RULE),
                bad("no tag", task -> task.scope(Collections.singletonList(null)), "scope", "null", TEXT_RULE),
                bad("an empty tag", task -> task.scope("acme", ""), "scope", "\"\"", TEXT_RULE),
                bad("an over-long tag", task -> task.scope("acme", tooLong), "scope", shown, TEXT_RULE),
                bad(
                        "nine tags",
                        task -> task.scope(List.of("1", "2", "3", "4", "5", "6", "7", "8", "9")),
                        "scope",
                        "[1, 2, 3, 4, 5, 6, 7, 8, 9]",
                        "it may have up to 8 tags"),
                bad("no callback", task -> task.callback(null), "callback", "null", "1 to 2000 characters"),
                bad("an empty callback", task -> task.callback(""), "callback", "\"\"", "1 to 2000 characters"),
                bad("a long callback", task -> task.callback(longUrl), "callback", "(2019 characters)", "1 to 2000"));
    }

    static Stream<BadInput> times() {
        Duration tooLong = Limits.LONGEST.plusMillis(1);
        Duration tooShort = Duration.ofNanos(999_999);
        return Stream.of(
                bad("no delay", task -> task.delay(null), "delay", "null", REQUIRED),
                bad("a negative delay", task -> task.delay(Duration.ofMillis(-1)), "delay", "PT-0.001S", DELAY_RULE),
                bad("an over-long delay", task -> task.delay(tooLong), "delay", tooLong.toString(), DELAY_RULE),
                bad("an endless delay", task -> task.delay(ENDLESS), "delay", ENDLESS.toString(), DELAY_RULE),
                bad("no runAt", task -> task.runAt(null), "runAt", "null", REQUIRED),
                bad("a runAt beyond 9999", task -> task.runAt(Instant.MAX), "runAt", Instant.MAX + "", MOMENT_RULE),
                bad("a runAt before 1970", task -> task.runAt(Instant.MIN), "runAt", Instant.MIN + "", MOMENT_RULE),
                bad("no deadline", task -> task.deadline((Instant) null), "deadline", "null", REQUIRED),
                bad("no relative deadline", task -> task.deadline((Duration) null), "deadline", "null", REQUIRED),
                bad("an endless deadline", task -> task.deadline(Instant.MAX), "deadline", "Z", MOMENT_RULE),
                bad("a deadline of nothing", task -> task.deadline(Duration.ZERO), "deadline", "PT0S", DURATION_RULE),
                bad("no timeout", task -> task.timeout(null), "timeout", "null", REQUIRED),
                bad("a timeout of nothing", task -> task.timeout(Duration.ZERO), "timeout", "PT0S", DURATION_RULE),
                bad("a timeout of next to nothing", task -> task.timeout(tooShort), "timeout", "S", DURATION_RULE),
                bad("a negative timeout", task -> task.timeout(Duration.ofDays(-1)), "timeout", "PT-24H", DELAY_RULE),
                bad("an over-long timeout", task -> task.timeout(tooLong), "timeout", tooLong + "", DELAY_RULE));
    }

    private static final Duration ENDLESS = Duration.ofSeconds(Long.MAX_VALUE);

    static Stream<BadInput> contradictions() {
        String once = "delay and runAt exclude each other and are set once";
        String early = "it must not lie before the start";
        Duration minute = Duration.ofMinutes(1);
        return Stream.of(
                bad("runAt after delay", task -> task.delay(minute).runAt(NOON), "runAt", "12:00:00Z", once),
                bad("delay after runAt", task -> task.runAt(NOON).delay(minute), "delay", "PT1M", once),
                bad("two delays", task -> task.delay(minute).delay(minute), "delay", "PT1M", once),
                bad(
                        "a deadline before runAt",
                        task -> task.runAt(NOON).deadline(NOON.minusMillis(1)),
                        "deadline",
                        "2030-06-01T11:59:59.999Z",
                        early),
                bad(
                        "a relative deadline within the delay",
                        task -> task.delay(minute).deadline(minute.minusMillis(1)),
                        "deadline",
                        "PT59.999S",
                        early));
    }

    static Stream<BadInput> others() {
        return Stream.of(
                bad("no id", task -> task.id(null), "id", "null", REQUIRED),
                bad("no payload", task -> task.payload(null), "payload", "null", REQUIRED),
                bad("no bytes", task -> task.payload(Payload.bytes(null)), "payload", "null", REQUIRED),
                bad("no text", task -> task.payload(Payload.json((String) null)), "payload", "null", REQUIRED),
                bad("no retry", task -> task.retry(null), "retry", "null", REQUIRED),
                bad("no retention", task -> task.retention(null), "retention", "null", REQUIRED),
                bad("a negative waitFor", task -> task.waitFor(-1), "waitFor", "-1", "between 0 and 1000000"),
                bad("a huge waitFor", task -> task.waitFor(1_000_001), "waitFor", "1000001", "between 0 and 1000000"),
                new BadInput(
                        "a negative retention of successes",
                        () -> new Retention(Duration.ofMillis(-1), null),
                        "retention.succeeded",
                        "PT-0.001S",
                        DELAY_RULE),
                new BadInput(
                        "an endless retention of failures",
                        () -> new Retention(null, ENDLESS),
                        "retention.failed",
                        ENDLESS.toString(),
                        DELAY_RULE),
                new BadInput("a topic of a query", () -> TaskQuery.ALL.topic("a b"), "topic", "\"a b\"", TOPIC_RULE));
    }

    static Stream<BadInput> retries() {
        Retry ok = Retry.DEFAULT;
        return Stream.of(
                new BadInput("negative max", () -> ok.max(-1), "retry.max", "-1", "between 0 and 1000000"),
                new BadInput("huge max", () -> ok.max(1_000_001), "retry.max", "1000001", "between 0 and 1000000"),
                new BadInput("no back-off", () -> Retry.of(null, ok.base()), "retry.backoff", "null", REQUIRED),
                new BadInput("no base", () -> Retry.constant(null), "retry.base", "null", REQUIRED),
                new BadInput(
                        "negative base",
                        () -> Retry.exponential(Duration.ofSeconds(-1)),
                        "retry.base",
                        "PT-1S",
                        DELAY_RULE),
                new BadInput("endless base", () -> Retry.constant(ENDLESS), "retry.base", ENDLESS + "", DELAY_RULE),
                new BadInput("no room under the cap", () -> ok.cap(Duration.ZERO), "retry.cap", "PT0S", DURATION_RULE),
                new BadInput("endless cap", () -> ok.cap(ENDLESS), "retry.cap", ENDLESS + "", DELAY_RULE),
                new BadInput("no jitter", () -> ok.jitter(null), "retry.jitter", "null", REQUIRED));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "example",
                "/path",
                "ftp://example.org/x",
                "file:///etc/passwd",
                "javascript:alert(1)",
                "http://",
                "http:///path",
                "http:example.org",
                "http://exa mple.org/",
                "https://example.org/%zz",
            })
    void a_callback_is_an_http_url(String url) {
        bad("callback", task -> task.callback(url), "callback", "\"" + url + "\"", "it must be an http or https URL")
                .assertRefused();
    }

    @Test
    void a_deadline_in_the_past_is_refused_when_the_time_is_known() {
        NewTask task = NewTask.builder("email").deadline(NOON.minusMillis(1)).build();
        new BadInput("past", () -> task.checkAgainst(NOON), "deadline", "11:59:59.999Z", "it must not lie in the past")
                .assertRefused();
        assertThatCode(() -> task.checkAgainst(NOON.minusMillis(1))).doesNotThrowAnyException();
    }

    @Test
    void deadline_and_start_of_different_kinds_are_compared_when_the_time_is_known() {
        NewTask delayed = NewTask.builder("email")
                .delay(Duration.ofMinutes(2))
                .deadline(NOON.plusSeconds(60))
                .build();
        NewTask dated = NewTask.builder("email")
                .runAt(NOON.plusSeconds(120))
                .deadline(Duration.ofMinutes(1))
                .build();
        for (NewTask task : List.of(delayed, dated)) {
            assertThatThrownBy(() -> task.checkAgainst(NOON))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage("deadline: 2030-06-01T12:01:00Z is not allowed;"
                            + " it must not lie before runAt, 2030-06-01T12:02:00Z");
        }
        assertThatCode(() -> delayed.checkAgainst(NOON.minusSeconds(60))).doesNotThrowAnyException();
        assertThatCode(() -> dated.checkAgainst(NOON.plusSeconds(60))).doesNotThrowAnyException();
    }

    @Test
    void what_reaches_the_limits_is_taken() {
        String longest = "x".repeat(200);
        NewTask task = NewTask.builder("aZ09-_.:@/" + "t".repeat(190))
                .id(new UUID(0, 0))
                .entityId(longest)
                .uniqueKey(longest)
                .scope(Arrays.asList(longest, "2", "3", "4", "5", "6", "7", "8"))
                .priority(Integer.MIN_VALUE)
                .delay(Limits.LONGEST)
                .deadline(Limits.LONGEST)
                .timeout(Duration.ofMillis(1))
                .retry(Retry.DEFAULT.max(1_000_000).cap(Duration.ofMillis(1)))
                .retention(new Retention(Duration.ZERO, Limits.LONGEST))
                .callback("https://[::1]:8080/done?a=b")
                .waitFor(1_000_000)
                .build();
        assertThatCode(() -> task.checkAgainst(NOON)).doesNotThrowAnyException();
        assertThat(task.topic()).hasSize(200);
    }

    private static BadInput topic(String name, String topic, String shown) {
        return new BadInput(name, () -> NewTask.builder(topic), "topic", shown, TOPIC_RULE);
    }

    private static BadInput bad(
            String name, UnaryOperator<NewTask.Builder> setting, String field, String value, String allowed) {
        return new BadInput(name, () -> setting.apply(NewTask.builder("email")).build(), field, value, allowed);
    }
}
