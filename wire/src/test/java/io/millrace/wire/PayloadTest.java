package io.millrace.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.NewTask;
import io.millrace.Payload;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "-0",
                "1.50",
                "1e400",
                "123456789012345678901234567890",
                "\"\"",
                "\"a\"",
                "\"\\u00e9 é \\\" \\\\ 𝄞\"",
                "true",
                "false",
                "null",
                "[]",
                "{}",
                "[1, [2, {\"a\": \"]\"}]]",
                "{ \"a\" :\n [ 1 ,\t2 ] , \"a\": {\"b\": \"}\"} }"
            })
    void a_payload_stays_the_text_it_was(String json) {
        for (String body : new String[] {
            "{\"payload\":" + json + ",\"topic\":\"t\"}",
            "{\"topic\":\"é\\u0041\", \"entityId\": \"é\", \"payload\" :  " + json + "  }".replace("é", "e"),
            "{\"topic\":\"t\",\"payload\":\n" + json + "\n,\"priority\":3}"
        }) {
            NewTask task = read(body.replace("\"topic\":\"é\\u0041\"", "\"topic\":\"t\""));
            assertThat(task.payload()).isEqualTo(Payload.json(json));
            assertThat(read(written(task)).payload()).isEqualTo(Payload.json(json));
        }
    }

    @Test
    void payloads_of_an_array_do_not_mix() {
        String body = "[{\"topic\":\"a\",\"payload\":[1, 2]} ,{\"payload\": \"x\" ,\"topic\":\"b\"}]";
        var tasks =
                TaskForm.readBody(body.getBytes(StandardCharsets.UTF_8), 100).tasks();

        assertThat(tasks).extracting(task -> task.payload().text()).containsExactly("[1, 2]", "\"x\"");
    }

    @Test
    void a_task_can_be_a_part_of_a_larger_array() {
        byte[] lines = "{\"topic\":\"a\"}\n{\"topic\":\"b\",\"payload\":[7]}\n".getBytes(StandardCharsets.UTF_8);

        NewTask task = TaskForm.read(lines, 14, lines.length - 1, 100);

        assertThat(task.topic()).isEqualTo("b");
        assertThat(task.payload()).isEqualTo(Payload.json("[7]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "{", "1 2", "{\"a\":1}}", "nul", "\"", "],["})
    void what_only_says_that_it_is_json_comes_as_bytes_and_breaks_nothing_around_it(String broken) {
        NewTask task = NewTask.builder("t").payload(Payload.json(broken)).build();

        assertThat(read(written(task)).payload()).isEqualTo(Payload.bytes(broken.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void bytes_come_back_as_they_were() {
        byte[] bytes = new byte[1_000];
        new SplittableRandom(1).nextBytes(bytes);
        NewTask task = read(
                "{\"topic\":\"t\",\"payloadBase64\":\"" + Base64.getEncoder().encodeToString(bytes) + "\"}");

        assertThat(task.payload()).isEqualTo(Payload.bytes(bytes));
        assertThat(read(written(task))).isEqualTo(task);
    }

    @Test
    void the_limit_counts_decoded_bytes() {
        String hundred = Base64.getEncoder().encodeToString(new byte[100]);
        assertThat(read("{\"topic\":\"t\",\"payloadBase64\":\"" + hundred + "\"}", 100)
                        .payload()
                        .size())
                .isEqualTo(100);
        for (String body : new String[] {
            "{\"topic\":\"t\",\"payloadBase64\":\"" + hundred + "\"}",
            "{\"topic\":\"t\",\"payload\":\"" + "a".repeat(98) + "\"}"
        }) {
            assertThatThrownBy(() -> read(body, 99)).isInstanceOfSatisfying(WireException.class, e -> {
                assertThat(e.isTooLarge()).isTrue();
                assertThat(e.pointer()).startsWith("/payload");
                assertThat(e.detail()).contains("100 bytes").contains("99");
            });
        }
    }

    @Test
    void deep_nesting_is_refused() {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        assertThatThrownBy(() -> read("{\"topic\":\"t\",\"payload\":" + deep + "}"))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("" + JsonIn.DEEPEST);
    }

    @Test
    void what_is_not_utf_8_is_refused() {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes("{\"topic\":\"t\",\"payload\":\"".getBytes(StandardCharsets.UTF_8));
        body.write(0xED);
        body.write(0xA0);
        body.write(0x80);
        body.writeBytes("\"}".getBytes(StandardCharsets.UTF_8));
        byte[] bytes = body.toByteArray();

        assertThatThrownBy(() -> TaskForm.read(bytes, 0, bytes.length, 100))
                .isInstanceOfSatisfying(
                        WireException.class, e -> assertThat(e.pointer()).isEqualTo("/payload"));
    }

    @Test
    void in_ndjson_a_payload_takes_one_line() {
        NewTask task = read("{\"topic\":\"t\",\"payload\":{\"a\":\n1,\r\n\"b\": \"x\\ny\"}}");
        JsonOut out = JsonOut.inOneLine();
        TaskForm.write(task, out);
        String line = new String(out.toBytes(), StandardCharsets.UTF_8);

        assertThat(line).doesNotContain("\n", "\r");
        assertThat(read(line).payload().text()).isEqualTo("{\"a\": 1,  \"b\": \"x\\ny\"}");
    }

    private static NewTask read(String json) {
        return read(json, 1 << 20);
    }

    private static NewTask read(String json, int limit) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return TaskForm.read(bytes, 0, bytes.length, limit);
    }

    private static String written(NewTask task) {
        JsonOut out = new JsonOut();
        TaskForm.write(task, out);
        return new String(out.toBytes(), StandardCharsets.UTF_8);
    }
}
