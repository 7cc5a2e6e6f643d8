package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TaskQuery;
import io.millrace.server.Bed.Answer;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts are UTF-8, and have no halves of characters: everything else is refused before anything is stored. */
class EncodingTest {
    private static final String LONE = "\\ud800";

    private final Bed bed = new Bed();

    @AfterEach
    void close() {
        bed.close();
    }

    private Answer send(String type, byte[] body) {
        return bed.send(bed.request("/v1/tasks")
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build());
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE", "x-UTF-32LE-BOM"})
    void other_encodings_are_400(String name) {
        Charset charset = Charset.forName(name);
        String task = "{\"topic\": \"t\", \"payload\": {\"a\": \"b\"}}";

        for (Answer answer : new Answer[] {
            send("application/json", task.getBytes(charset)),
            send("application/json", ("[" + task + "]").getBytes(charset)),
            send("application/x-ndjson", (task + "\n" + task + "\n").getBytes(charset))
        }) {
            assertThat(answer.status()).as(answer.text()).isEqualTo(400);
            assertThat(answer.at("/detail")).contains("not UTF-8");
        }
        assertThat(bed.millrace.stream(TaskQuery.ALL)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "80",
                "c0af",
                "c1bf",
                "e08080",
                "eda080",
                "edbfbf",
                "f08080af",
                "f4908080",
                "f5808080",
                "c3",
                "e282"
            })
    void bytes_that_are_not_utf8_are_400(String hex) {
        byte[] bad = java.util.HexFormat.of().parseHex(hex);
        for (String[] around : new String[][] {
            {"{\"topic\": \"t\", \"payload\": \"", "\"}"},
            {"{\"topic\": \"t\", \"payload\": {\"", "\": 1}}"},
            {"{\"topic\": \"t\", \"uniqueKey\": \"", "\"}"}
        }) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            body.writeBytes(around[0].getBytes(StandardCharsets.US_ASCII));
            body.writeBytes(bad);
            body.writeBytes(around[1].getBytes(StandardCharsets.US_ASCII));
            Answer answer = send("application/json", body.toByteArray());
            assertThat(answer.status()).as(around[0] + hex + around[1]).isEqualTo(400);
            assertThat(send("application/x-ndjson", body.toByteArray()).status())
                    .isEqualTo(400);
        }
        assertThat(bed.millrace.stream(TaskQuery.ALL)).isEmpty();
    }

    @Test
    void all_characters_come_back_as_they_were() {
        String text = "aé€𝄞\uFFFF\u0001";
        Answer answer = bed.post(
                "/v1/tasks",
                "{\"topic\": \"t\", \"payload\": {\"" + "é€𝄞" + "\": \"\\ud834\\udd1e\\u0000\"}, " + "\"entityId\": \""
                        + text.replace("\u0001", "\\u0001") + "\"}");

        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        assertThat(bed.task(answer.at("/id")).at("/payload/é€𝄞").asString()).isEqualTo("𝄞\0");
        assertThat(bed.task(answer.at("/id")).at("/entityId").asString()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/topic           | \"topic\": \"LONE\"",
                "/payload         | \"topic\": \"t\", \"payload\": \"LONE\"",
                "/payload         | \"topic\": \"t\", \"payload\": \"a\\udc00\\ud800\"",
                "/payload         | \"topic\": \"t\", \"payload\": {\"LONE\": 1}",
                "/payload         | \"topic\": \"t\", \"payload\": [[\"\\ud834\\udd1eLONEx\"]]",
                "/scope/1         | \"topic\": \"t\", \"scope\": [\"a\", \"LONE\"]",
                "/uniqueKey       | \"topic\": \"t\", \"uniqueKey\": \"LONE\"",
                "/entityId        | \"topic\": \"t\", \"entityId\": \"LONE\"",
                "/delay           | \"topic\": \"t\", \"delay\": \"LONE\"",
                "/onTimeout       | \"topic\": \"t\", \"onTimeout\": \"LONE\"",
            })
    void half_of_a_character_in_a_task_is_400_with_its_field(String pointer, String fields) {
        String task = "{" + fields.replace("LONE", LONE) + "}";
        for (Answer answer : new Answer[] {bed.post("/v1/tasks", task), bed.ndjson(task + "\n")}) {
            assertThat(answer.status()).as(answer.text()).isEqualTo(400);
            assertThat(answer.at("/errors/0/pointer")).endsWith(pointer);
        }
        assertThat(bed.millrace.stream(TaskQuery.ALL)).isEmpty();
    }

    @Test
    void half_of_a_character_in_an_unknown_field_is_400() {
        Answer answer = bed.post("/v1/tasks", "{\"topic\": \"t\", \"" + LONE + "\": 1}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
    }

    @Test
    void half_of_a_character_from_a_worker_is_400_with_its_field() {
        assertRefused(bed.post("/v1/workers", "{\"name\": \"" + LONE + "\"}"), "/name");
        assertRefused(bed.post("/v1/workers", "{\"host\": \"" + LONE + "\"}"), "/host");
        String worker = bed.worker();
        bed.enqueue("t");
        var task = bed.claim(worker);
        assertRefused(bed.report(worker, task, "failed", ", \"error\": \"" + LONE + "\""), "/error");
        assertRefused(bed.report(worker, task, "succeeded", ", \"result\": {\"" + LONE + "\": 1}"), "/result");
        String progress = "{\"tasks\": [{\"task\": \"" + task.at("/id").asString() + "\", \"lease\": \""
                + task.at("/lease").asString() + "\", \"message\": \"" + LONE + "\"}]}";
        assertRefused(bed.post("/v1/workers/" + worker + "/progress", progress), "/message");
        assertRefused(bed.claim(worker, "{\"topics\": [\"" + LONE + "\"]}"), "/topics");
    }

    private static void assertRefused(Answer answer, String pointer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.at("/errors/0/pointer")).contains(pointer);
    }

    @Test
    void half_of_a_character_in_a_url_is_400_and_named() {
        Answer parameter = bed.get("/v1/tasks?entityId=%ED%A0%80");
        assertThat(parameter.status()).isEqualTo(400);
        assertThat(parameter.at("/errors/0/parameter")).isEqualTo("entityId");
        Answer path = bed.get("/v1/topics/%ED%A0%80");
        assertThat(path.status()).isEqualTo(400);
        assertThat(path.at("/detail")).contains("%ED%A0%80");
    }
}
