package io.millrace.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.InvalidValueException;
import io.millrace.Millrace;
import io.millrace.Payload;
import io.millrace.Retry;
import io.millrace.Task;
import io.millrace.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class JacksonCodecTest {
    record Email(String to, int copies, Instant at, List<String> tags) {}

    private static final Email EMAIL =
            new Email("a@example.org", 2, Instant.parse("2026-01-02T03:04:05Z"), List.of("x"));

    private final JacksonCodec codec = new JacksonCodec();

    @Test
    void an_object_comes_back_as_it_was() {
        Payload payload = codec.encode(EMAIL);

        assertThat(payload.isJson()).isTrue();
        assertThat(codec.decode(payload, Email.class)).isEqualTo(EMAIL);
    }

    @Test
    void times_keep_their_zone_and_offset() {
        record Times(ZonedDateTime zoned, OffsetDateTime offset, Duration duration) {}
        Times times = new Times(
                ZonedDateTime.parse("2026-01-02T03:04:05+01:00[Europe/Vienna]"),
                OffsetDateTime.parse("2026-01-02T03:04:05+05:00"),
                Duration.ofMinutes(5));

        assertThat(codec.decode(codec.encode(times), Times.class)).isEqualTo(times);
    }

    @Test
    void fields_that_are_not_known_are_passed_over() {
        Payload newer = Payload.json("{\"to\": \"b\", \"colour\": \"red\"}");

        assertThat(codec.decode(newer, Email.class).to()).isEqualTo("b");
    }

    @Test
    void a_payload_of_another_shape_is_refused_with_a_clear_error() {
        for (String text : List.of("{", "[1]", "null", "", "{\"copies\": \"many\"}")) {
            assertThatThrownBy(() -> codec.decode(Payload.json(text), Email.class))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageStartingWith("payload: ");
        }
    }

    @Test
    void an_object_that_cannot_be_written_is_refused() {
        Map<String, Object> loop = new HashMap<>();
        loop.put("self", loop);

        assertThatThrownBy(() -> codec.encode(loop)).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void typed_handlers_find_the_codec_by_themselves() throws Exception {
        try (var millrace = Millrace.open("heap:")) {
            millrace.handle("email", Email.class, (email, context) -> context.result(List.of(email.to())));

            var id = millrace.enqueue("email", EMAIL).id();
            Task task = millrace.finished(id).get(10, TimeUnit.SECONDS);

            assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
            assertThat(task.result()).isEqualTo(Payload.json("[\"a@example.org\"]"));
        }
    }

    @Test
    void a_payload_that_cannot_be_read_fails_at_once_without_retries() throws Exception {
        try (var millrace = Millrace.open("heap:")) {
            millrace.handle("email", Email.class, (email, context) -> {});

            var id = millrace.enqueue(millrace.task("email", Payload.json("[]"))
                            .retry(Retry.DEFAULT.max(5))
                            .build())
                    .id();
            Task task = millrace.finished(id).get(10, TimeUnit.SECONDS);

            assertThat(task.state()).isEqualTo(TaskState.FAILED);
            assertThat(task.lastError()).contains("payload");
            assertThat(task.attempts()).hasSize(1);
        }
    }
}
