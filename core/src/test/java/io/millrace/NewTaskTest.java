package io.millrace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class NewTaskTest {
    private static final Instant NOON = Instant.parse("2030-06-01T12:00:00Z");

    private static NewTask.Builder full() {
        return NewTask.builder("email@2")
                .id(new UUID(1, 2))
                .payload(Payload.json("{\"to\":\"a@example.org\"}"))
                .entityId("customer-7")
                .scope("acme", "/room1")
                .priority(-3)
                .runAt(NOON)
                .deadline(NOON.plusSeconds(60))
                .timeout(Duration.ofSeconds(5))
                .retry(Retry.DEFAULT.max(3))
                .uniqueKey("key")
                .callback("https://example.org/done")
                .retention(new Retention(Duration.ofHours(1), null))
                .waitFor(2)
                .origin(new Origin("other", new UUID(3, 4), "why", "old key"));
    }

    @Test
    void all_that_is_given_is_kept() {
        NewTask task = full().build();
        assertThat(task.id()).isEqualTo(new UUID(1, 2));
        assertThat(task.topic()).isEqualTo("email@2");
        assertThat(task.payload().text()).isEqualTo("{\"to\":\"a@example.org\"}");
        assertThat(task.entityId()).isEqualTo("customer-7");
        assertThat(task.scope()).containsExactly("acme", "/room1");
        assertThat(task.priority()).isEqualTo(-3);
        assertThat(task.runAt()).isEqualTo(When.at(NOON));
        assertThat(task.deadline()).isEqualTo(When.at(NOON.plusSeconds(60)));
        assertThat(task.timeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(task.retry()).isEqualTo(Retry.DEFAULT.max(3));
        assertThat(task.uniqueKey()).isEqualTo("key");
        assertThat(task.callback()).hasToString("https://example.org/done");
        assertThat(task.retention()).isEqualTo(new Retention(Duration.ofHours(1), null));
        assertThat(task.waitFor()).isEqualTo(2);
        assertThat(task.origin()).isEqualTo(new Origin("other", new UUID(3, 4), "why", "old key"));
    }

    @Test
    void what_is_not_given_is_left_to_the_topic() {
        NewTask task = NewTask.builder("email").build();
        assertThat(task.payload()).isEqualTo(Payload.EMPTY);
        assertThat(task.scope()).isEmpty();
        assertThat(task.priority()).isEqualTo(100);
        assertThat(task.runAt()).isEqualTo(When.NOW);
        assertThat(task.retention()).isEqualTo(Retention.UNSET);
        assertThat(task.waitFor()).isZero();
        assertThat(task)
                .extracting(
                        NewTask::entityId,
                        NewTask::deadline,
                        NewTask::timeout,
                        NewTask::retry,
                        NewTask::uniqueKey,
                        NewTask::callback,
                        NewTask::origin)
                .containsOnlyNulls();
    }

    @Test
    void a_task_built_from_a_task_is_the_same() {
        NewTask task = full().build();
        NewTask copy = task.toBuilder().build();
        assertThat(copy).isEqualTo(task).hasSameHashCodeAs(task);
        assertThat(copy)
                .usingRecursiveComparison()
                .ignoringAllOverriddenEquals()
                .isEqualTo(task);
        NewTask delayed = NewTask.builder("email")
                .delay(Duration.ofSeconds(1))
                .deadline(Duration.ofSeconds(2))
                .build();
        assertThat(delayed.toBuilder().build()).isEqualTo(delayed);
    }

    @Test
    void a_builder_made_from_a_task_leaves_the_task_alone() {
        NewTask task = full().build();
        NewTask changed = task.toBuilder().priority(5).scope("other").build();
        assertThat(changed.priority()).isEqualTo(5);
        assertThat(changed.id()).isEqualTo(task.id());
        assertThat(task).isEqualTo(full().build());
    }

    @Test
    void tasks_that_differ_in_one_field_are_not_equal() {
        List<UnaryOperator<NewTask.Builder>> changes = List.of(
                task -> task.id(new UUID(9, 9)),
                task -> task.payload(Payload.bytes(new byte[] {1})),
                task -> task.payload(Payload.bytes("{\"to\":\"a@example.org\"}".getBytes(UTF_8))),
                task -> task.entityId("x"),
                task -> task.scope("acme"),
                task -> task.priority(1),
                task -> task.deadline(Duration.ofSeconds(1)),
                task -> task.timeout(Duration.ofSeconds(6)),
                task -> task.retry(Retry.DEFAULT),
                task -> task.uniqueKey("x"),
                task -> task.callback("https://example.org/other"),
                task -> task.retention(Retention.UNSET),
                task -> task.waitFor(0),
                task -> task.origin(null));
        NewTask task = full().build();
        changes.forEach(
                change -> assertThat(change.apply(task.toBuilder()).build()).isNotEqualTo(task));
    }

    @Test
    void a_task_without_an_id_gets_its_own_each_time_it_is_built() {
        NewTask.Builder builder = NewTask.builder("email");
        UUID first = builder.build().id();
        UUID second = builder.build().id();
        assertThat(first.version()).isEqualTo(7);
        assertThat(second).isGreaterThan(first);
        assertThat(builder.id(first).build().id()).isEqualTo(first);
    }

    @Test
    void time_is_kept_in_milliseconds() {
        NewTask task = NewTask.builder("email")
                .runAt(NOON.plusNanos(1_999_999))
                .deadline(Duration.ofNanos(2_999_999))
                .timeout(Duration.ofNanos(3_999_999))
                .build();
        assertThat(task.runAt()).isEqualTo(When.at(NOON.plusMillis(1)));
        assertThat(task.deadline()).isEqualTo(When.after(Duration.ofMillis(2)));
        assertThat(task.timeout()).isEqualTo(Duration.ofMillis(3));
    }

    @Test
    void a_moment_is_fixed_or_counted_from_now() {
        assertThat(When.NOW.from(NOON)).isEqualTo(NOON);
        assertThat(When.after(Duration.ofSeconds(5)).from(NOON)).isEqualTo(NOON.plusSeconds(5));
        assertThat(When.at(NOON).from(Instant.EPOCH)).isEqualTo(NOON);
        assertThat(When.after(Limits.LONGEST).from(NOON)).isEqualTo(NOON.plus(Limits.LONGEST));
    }

    @Test
    void a_scope_is_copied() {
        List<String> tags = new ArrayList<>(List.of("acme"));
        NewTask task = NewTask.builder("email").scope(tags).build();
        tags.add("late");
        assertThat(task.scope()).containsExactly("acme");
        assertThat(task.scope()).isUnmodifiable();
    }

    @Test
    void a_payload_is_copied_and_not_shown() {
        byte[] bytes = "secret".getBytes(UTF_8);
        Payload payload = Payload.bytes(bytes);
        bytes[0] = 'X';
        payload.toBytes()[1] = 'X';
        assertThat(payload.text()).isEqualTo("secret");
        assertThat(payload.size()).isEqualTo(6);
        assertThat(payload).hasToString("bytes[6]");
        assertThat(Payload.json("\"ü\"")).hasToString("json[4]").isEqualTo(Payload.json("\"ü\"".getBytes(UTF_8)));
        assertThat(Payload.json("1")).isNotEqualTo(Payload.bytes("1".getBytes(UTF_8)));
    }

    @Test
    void a_copy_of_a_task_that_starts_now_can_be_delayed() {
        NewTask copy = NewTask.builder("email").build().toBuilder()
                .delay(Duration.ofMinutes(1))
                .build();

        assertThat(copy.runAt()).isEqualTo(When.after(Duration.ofMinutes(1)));
    }

    @Test
    void a_scope_that_is_missing_is_refused_by_name() {
        assertThatThrownBy(() -> NewTask.builder("email").scope((List<String>) null))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("scope: ");
        assertThatThrownBy(() -> NewTask.builder("email").scope("acme", null))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("scope: ");
    }

    @Test
    void a_message_about_a_long_value_is_short() {
        assertThatThrownBy(() -> NewTask.builder("email").scope(Collections.nCopies(9, "x".repeat(1_000_000))))
                .satisfies(error -> assertThat(error.getMessage()).hasSizeLessThan(300));
    }

    @Test
    void a_callback_may_be_written_in_capitals_or_name_a_host_with_an_underscore() {
        for (String url : List.of("HTTPS://example.org/", "http://order_service:8080/done")) {
            assertThat(NewTask.builder("email").callback(url).build().callback())
                    .hasToString(url);
        }
    }
}
