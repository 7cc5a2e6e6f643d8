package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.Bed.Answer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A bad request is answered with all that is wrong in it, so that it can be mended at once. */
class AllErrorsTest {
    private final Bed bed = new Bed();

    @AfterEach
    void close() {
        bed.close();
    }

    private static void assertErrors(Answer answer, String... expected) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        List<String> places = new ArrayList<>();
        for (JsonNode error : answer.json().at("/errors")) {
            places.add(
                    error.has("pointer")
                            ? error.get("pointer").asString()
                            : error.at("/parameter").asString());
        }
        assertThat(places).as(answer.text()).containsExactlyInAnyOrderElementsOf(Arrays.asList(expected));
    }

    private static String detail(Answer answer, String place) {
        for (JsonNode error : answer.json().at("/errors")) {
            if (error.at("/pointer").asString().equals(place)
                    || error.at("/parameter").asString().equals(place)) {
                return error.at("/detail").asString();
            }
        }
        return "nothing";
    }

    @Test
    void a_task_names_every_bad_field_with_its_value_and_what_is_allowed() {
        Answer answer = bed.post(
                "/v1/tasks",
                "{\"topic\": \"t\", \"delay\": \"soon\", \"priority\": 1.5, \"colour\": {\"a\": [1]}, \"uniqueKey\": \"\"}");

        assertErrors(answer, "/delay", "/priority", "/colour", "/uniqueKey");
        assertThat(detail(answer, "/delay")).contains("\"soon\"").contains("\"30s\"");
        assertThat(detail(answer, "/priority")).contains("1.5").contains("whole number");
        assertThat(detail(answer, "/colour")).contains("no such field").contains("uniqueKey");
        assertThat(detail(answer, "/uniqueKey")).contains("\"\"").contains("1 to 200");
        assertThat(answer.at("/detail")).contains("soon").contains("3 more");
        assertThat(answer.json().has("more")).isFalse();
    }

    @Test
    void an_array_names_the_bad_fields_of_all_its_tasks() {
        Answer answer = bed.post(
                "/v1/tasks",
                "[{\"topic\": \"t\", \"delay\": 5}, {\"topic\": \"t\"}, {\"payload\": 1},"
                        + " {\"topic\": \"t\", \"priority\": \"x\", \"retry\": {\"max\": -1, \"base\": \"x\", \"y\": 1}},"
                        + " 7, {\"topic\": \"a b\", \"timeout\": \"0s\", \"scope\": [\"\", 1, \"good\"]}]");

        assertErrors(
                answer,
                "/0/delay",
                "/2/topic",
                "/3/priority",
                "/3/retry/max",
                "/3/retry/base",
                "/3/retry/y",
                "/4",
                "/5/topic",
                "/5/timeout",
                "/5/scope/0",
                "/5/scope/1");
        assertThat(bed.get("/v1/tasks/count").json().at("/count").asInt()).isZero();
    }

    @Test
    void passed_deadlines_are_named_for_all_tasks() {
        Answer answer = bed.post(
                "/v1/tasks",
                "[{\"topic\": \"t\", \"deadline\": \"2020-01-01T00:00:00Z\"}, {\"topic\": \"t\"},"
                        + " {\"topic\": \"t\", \"deadline\": \"2020-01-01T00:00:00Z\"}]");

        assertErrors(answer, "/0/deadline", "/2/deadline");
    }

    @Test
    void the_first_100_are_listed_and_the_others_counted() {
        String tasks = IntStream.range(0, 130)
                .mapToObj(i -> "{\"topic\": \"t\", \"delay\": \"x\"}")
                .collect(Collectors.joining(","));

        Answer answer = bed.post("/v1/tasks", "[" + tasks + "]");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/errors").size()).isEqualTo(100);
        assertThat(answer.at("/errors/99/pointer")).isEqualTo("/99/delay");
        assertThat(answer.json().at("/more").asInt()).isEqualTo(30);
    }

    @Test
    void a_text_that_is_not_json_names_what_was_bad_before_and_the_end() {
        Answer answer = bed.post("/v1/tasks", "{\"topic\": \"t\", \"delay\": 5, \"payload\": {\"a\": nul}}");

        assertErrors(answer, "/delay", "/payload/a");
        assertThat(detail(answer, "/payload/a")).contains("well-formed");
    }

    @Test
    void what_is_bad_is_named_once() {
        assertErrors(bed.post("/v1/tasks", "{\"topic\": 5}"), "/topic");
        assertErrors(bed.put("/v1/topics/t", "{\"leak\": \"front\", \"deadLetter\": \"a b\"}"), "/deadLetter");
        assertErrors(
                bed.post("/v1/tasks", "{\"topic\": \"t\", \"payloadBase64\": \"a*\", \"delay\": \"x\"}"),
                "/payloadBase64",
                "/delay");
    }

    @Test
    void a_line_of_ndjson_names_all_its_bad_fields() {
        Answer answer =
                bed.ndjson("{\"topic\": \"t\"}\n{\"topic\": \"t\", \"delay\": 5, \"colour\": 1}\n{\"topic\": 5}\n");

        assertErrors(answer, "/1/delay", "/1/colour");
        assertThat(answer.json().at("/accepted").asInt()).isEqualTo(1);
    }

    @Test
    void a_payload_that_is_too_large_is_413_unless_something_else_is_bad() {
        try (Bed small = new Bed(options -> options)) {
            String large = "\"" + "x".repeat(2 << 20) + "\"";
            Answer alone = small.post("/v1/tasks", "{\"topic\": \"t\", \"payload\": " + large + "}");
            assertThat(alone.status()).isEqualTo(413);
            assertErrors(
                    small.post("/v1/tasks", "{\"topic\": \"t\", \"payload\": " + large + ", \"delay\": 5}"),
                    "/payload",
                    "/delay");
        }
    }

    @Test
    void a_policy_names_every_bad_setting() {
        Answer answer = bed.put(
                "/v1/topics/t",
                "{\"capacity\": 0, \"leak\": \"top\", \"rate\": {\"limit\": 0}, \"retry\": {\"cap\": \"0s\"}, \"x\": 1}");

        assertErrors(answer, "/capacity", "/leak", "/rate/limit", "/rate/per", "/retry/cap", "/x");
        assertThat(detail(answer, "/capacity")).contains("0").contains("between 1");
    }

    @Test
    void requests_of_workers_name_every_bad_field() {
        String worker = bed.worker();
        assertErrors(
                bed.post("/v1/workers", "{\"topics\": [\"a b\", 5], \"name\": 1, \"x\": 2}"),
                "/topics/0",
                "/topics/1",
                "/name",
                "/x");
        assertErrors(
                bed.post("/v1/workers/" + worker + "/claim", "{\"max\": 0, \"wait\": \"x\", \"topics\": 1}"),
                "/max",
                "/wait",
                "/topics");
        assertErrors(
                bed.post(
                        "/v1/workers/" + worker + "/outcomes",
                        "{\"outcomes\": [{\"task\": 1, \"lease\": \"1.a\", \"outcome\": \"x\"}, {},"
                                + " {\"task\": \"" + worker + "\", \"lease\": \"1.a\", \"outcome\": \"failed\","
                                + " \"result\": 1, \"delay\": \"1s\"}]}"),
                "/outcomes/0/task",
                "/outcomes/0/outcome",
                "/outcomes/1/task",
                "/outcomes/1/lease",
                "/outcomes/1/outcome",
                "/outcomes/2/result",
                "/outcomes/2/delay");
        assertErrors(
                bed.post("/v1/workers/" + worker + "/progress", "{\"tasks\": [{\"percent\": 101, \"extend\": \"x\"}]}"),
                "/tasks/0/percent",
                "/tasks/0/extend",
                "/tasks/0/task",
                "/tasks/0/lease");
    }

    @Test
    void every_bad_query_parameter_is_named_with_its_value() {
        Answer answer =
                bed.get("/v1/tasks?limit=0&colour=red&state=DONE&worker=x&createdAfter=soon&topic=&cursor=a&cursor=b");

        assertErrors(answer, "limit", "colour", "state", "worker", "createdAfter", "topic", "cursor");
        assertThat(detail(answer, "limit")).contains("0").contains("between 1 and 1000");
        assertThat(detail(answer, "state")).contains("\"DONE\"").contains("READY");
        assertErrors(bed.get("/v1/tasks/count?by=colour&state=X"), "by", "state");
        assertErrors(bed.delete("/v1/tasks?state=X&colour=red"), "state", "colour");
        String worker = bed.worker();
        assertErrors(bed.post("/v1/workers/" + worker + "/outcomes?claim=0&x=1", "{\"outcomes\": []}"), "claim", "x");
        assertErrors(bed.get("/v1/tasks/" + worker + "?wait=x&y=1"), "wait", "y");
    }
}
