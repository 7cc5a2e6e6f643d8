package io.millrace.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonPOJOBuilder;
import tools.jackson.databind.json.JsonMapper;

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

    @Test
    void an_object_that_shares_no_property_is_refused_by_type_and_properties() {
        Payload order = Payload.json("{\"number\": 7, \"items\": [{\"to\": \"x\"}]}");

        assertThatThrownBy(() -> codec.decode(order, Email.class))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("payload: ")
                .hasMessageContaining(Email.class.getName())
                .hasMessageContaining("number, items");
        assertThatThrownBy(() -> codec.decode(order, Bean.class))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(Bean.class.getName())
                .hasMessageContaining("number, items");
    }

    @Test
    void an_object_with_very_many_other_properties_is_refused_with_the_first_of_them() {
        String many = IntStream.range(0, 30).mapToObj(i -> "\"p" + i + "\": 1").collect(Collectors.joining(", "));

        assertThatThrownBy(() -> codec.decode(Payload.json("{" + many + "}"), Email.class))
                .hasMessageContaining("p19 and 10 more")
                .hasMessageNotContaining("p20");
    }

    @Test
    void an_empty_object_is_accepted_since_it_carries_nothing_wrong() {
        assertThat(codec.decode(Payload.json("{}"), Email.class)).isEqualTo(new Email(null, 0, null, null));
    }

    @Test
    void a_type_without_properties_is_read_from_any_object() {
        record Ping() {}

        assertThat(codec.decode(Payload.json("{\"at\": 1}"), Ping.class)).isEqualTo(new Ping());
        assertThat(codec.decode(codec.encode(new Ping()), Ping.class)).isEqualTo(new Ping());
    }

    @Test
    void maps_and_types_that_take_any_property_are_never_of_another_type() {
        Payload order = Payload.json("{\"number\": 7}");

        assertThat(codec.decode(order, Map.class).get("number")).isEqualTo(7);
        assertThat(codec.decode(order, Anything.class).all).containsEntry("number", 7);
    }

    @Test
    void only_the_payload_itself_must_share_a_property() {
        record Node(String name, Node next, Email email) {}

        Node node = codec.decode(
                Payload.json("{\"next\": {\"colour\": 1}, \"email\": {\"name\": 2, \"next\": 3}}"), Node.class);

        assertThat(node.next()).isEqualTo(new Node(null, null, null));
    }

    @Test
    void an_alias_is_a_property_of_the_type() {
        record Letter(@JsonAlias("recipient") String to) {}
        Payload old = Payload.json("{\"recipient\": \"a\", \"colour\": 1}");

        assertThat(codec.decode(old, Letter.class).to()).isEqualTo("a");
        assertThat(codec.strict().decode(old, Letter.class).to()).isEqualTo("a");
    }

    @Test
    void a_type_that_ignores_what_it_does_not_know_is_not_read_from_another_type_either() {
        @JsonIgnoreProperties(ignoreUnknown = true)
        record Letter(String to) {}

        assertThat(codec.decode(Payload.json("{\"to\": \"a\", \"colour\": 1}"), Letter.class)
                        .to())
                .isEqualTo("a");
        assertThatThrownBy(() -> codec.decode(Payload.json("{\"colour\": 1}"), Letter.class))
                .hasMessageContaining("colour");
    }

    @Test
    void a_type_that_is_built_is_not_read_from_another_type_either() {
        assertThat(codec.decode(Payload.json("{\"to\": \"a\", \"colour\": 1}"), Built.class).to)
                .isEqualTo("a");
        assertThatThrownBy(() -> codec.decode(Payload.json("{\"colour\": 1}"), Built.class))
                .hasMessageContaining(Built.class.getName())
                .hasMessageContaining("colour");
    }

    @Test
    void the_kind_of_a_sealed_type_is_one_of_its_properties() {
        assertThat(codec.decode(Payload.json("{\"kind\": \"circle\", \"colour\": 1}"), Shape.class))
                .isEqualTo(new Circle(0));
        assertThatThrownBy(() -> codec.decode(Payload.json("{\"colour\": 1}"), Shape.class))
                .isInstanceOf(InvalidValueException.class);
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes(@JsonSubTypes.Type(value = Circle.class, name = "circle"))
    sealed interface Shape permits Circle {}

    record Circle(int radius) implements Shape {}

    @JsonDeserialize(builder = Built.Builder.class)
    static class Built {
        final String to;

        Built(String to) {
            this.to = to;
        }

        @JsonPOJOBuilder(withPrefix = "")
        static class Builder {
            private String to;

            public Builder to(String value) {
                to = value;
                return this;
            }

            public Built build() {
                return new Built(to);
            }
        }
    }

    @Test
    void a_mapper_of_your_own_reads_no_other_type_either() {
        assertThatThrownBy(() -> new JacksonCodec(new JsonMapper()).decode(Payload.json("{\"a\": 1}"), Email.class))
                .hasMessageContaining(Email.class.getName());
    }

    @Test
    void strictly_a_missing_property_is_refused() {
        JacksonCodec strict = codec.strict();
        record Outer(Email email) {}

        assertThat(strict.decode(strict.encode(EMAIL), Email.class)).isEqualTo(EMAIL);
        for (String text : List.of("{}", "{\"to\": \"a\"}", "{\"to\": \"a\", \"copies\": 1, \"tags\": []}")) {
            assertThatThrownBy(() -> strict.decode(Payload.json(text), Email.class))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining(Email.class.getName())
                    .hasMessageContaining("at");
        }
        assertThatThrownBy(() -> strict.decode(Payload.json("{\"email\": {\"to\": \"a\"}}"), Outer.class))
                .isInstanceOf(InvalidValueException.class);
        assertThat(strict.decode(Payload.json("{\"to\": \"a\", \"cc\": null, \"x\": 1}"), Bean.class).to)
                .as("null is there, and more than needed is passed over")
                .isEqualTo("a");
        assertThatThrownBy(() -> strict.decode(Payload.json("{\"to\": \"a\"}"), Bean.class))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(Bean.class.getName())
                .hasMessageContaining("lacks cc");
    }

    @Test
    void an_object_of_which_nothing_can_be_written_is_refused_at_enqueue() {
        try (var millrace = Millrace.open("heap:")) {
            assertThatThrownBy(() -> millrace.enqueue("email", new Object()))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("java.lang.Object");
            assertThatThrownBy(() -> millrace.enqueue("email", new Hidden()))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining(Hidden.class.getName());
        }
    }

    @Test
    void a_payload_of_another_type_fails_its_task() throws Exception {
        record Order(int number) {}
        try (var millrace = Millrace.open("heap:")) {
            millrace.handle("email", Email.class, (email, context) -> {});

            var id = millrace.enqueue("email", new Order(7)).id();
            Task task = millrace.finished(id).get(10, TimeUnit.SECONDS);

            assertThat(task.state()).isEqualTo(TaskState.FAILED);
            assertThat(task.lastError()).contains(Email.class.getName()).contains("number");
        }
    }

    static class Bean {
        public String to;
        public String cc;

        @JsonIgnore
        public String own;
    }

    static class Hidden {
        @SuppressWarnings("unused")
        private final String secret = "x";
    }

    static class Anything {
        final Map<String, Object> all = new HashMap<>();

        public String name;

        @JsonAnySetter
        void set(String key, Object value) {
            all.put(key, value);
        }
    }
}
