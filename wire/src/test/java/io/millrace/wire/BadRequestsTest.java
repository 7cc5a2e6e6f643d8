package io.millrace.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BadRequestsTest {
    private static final UUID WORKER = UUID.randomUUID();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}                                              | /topic             | required",
                "[]                                              | ``                 | at least one",
                "[{}]                                            | /0/topic           | required",
                "{\"topic\": \"\"}                               | /topic             | 1 to 200",
                "{\"topic\": \"a b\"}                            | /topic             | letters",
                "{\"topic\": 5}                                  | /topic             | a string, but is a number",
                "{\"topic\": null}                               | /topic             | but is null",
                "{\"topic\": \"a\", \"topic\": \"a\"}            | /topic             | twice",
                "{\"topic\": \"a\", \"colour\": 1}               | /colour            | no such field",
                "{\"topic\": \"a\", \"a/b~c\": 1}                | /a~1b~0c           | no such field",
                "{\"topic\": \"a\", \"id\": \"1-2-3-4-5\"}       | /id                | UUID",
                "{\"topic\": \"a\", \"priority\": 1.5}           | /priority          | whole number",
                "{\"topic\": \"a\", \"priority\": \"1\"}         | /priority          | whole number",
                "{\"topic\": \"a\", \"priority\": 2147483648}    | /priority          | between",
                "{\"topic\": \"a\", \"priority\": 99999999999999999999} | /priority   | between",
                "{\"topic\": \"a\", \"delay\": \"soon\"}         | /delay             | duration",
                "{\"topic\": \"a\", \"delay\": 5}                | /delay             | duration",
                "{\"topic\": \"a\", \"delay\": \"-PT5S\"}        | /delay             | between 0",
                "{\"topic\": \"a\", \"delay\": \"99999d\"}       | /delay             | between 0",
                "{\"topic\": \"a\", \"runAt\": \"tomorrow\"}     | /runAt             | time",
                "{\"topic\": \"a\", \"delay\": \"1s\", \"runAt\": \"2030-01-01T00:00:00Z\"} | /runAt | exclude",
                "{\"topic\": \"a\", \"payload\": 1, \"payloadBase64\": \"\"} | /payloadBase64 | exclude",
                "{\"topic\": \"a\", \"payloadBase64\": \"*\"}    | /payloadBase64     | Base64",
                "{\"topic\": \"a\", \"deadline\": \"x\"}         | /deadline          | time",
                "{\"topic\": \"a\", \"deadline\": \"0s\"}        | /deadline          | millisecond",
                "{\"topic\": \"a\", \"timeout\": \"0s\"}         | /timeout           | millisecond",
                "{\"topic\": \"a\", \"scope\": \"x\"}            | /scope             | array",
                "{\"topic\": \"a\", \"scope\": [\"x\", \"\"]}    | /scope/1           | 1 to 200",
                "{\"topic\": \"a\", \"scope\": [\"x\", 1]}       | /scope/1           | string",
                "{\"topic\": \"a\", \"scope\": [\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]} | /scope/8 | up to 8",
                "{\"topic\": \"a\", \"uniqueKey\": \"\"}         | /uniqueKey         | 1 to 200",
                "{\"topic\": \"a\", \"entityId\": \"a\\u0000\"}  | /entityId          | U+0000",
                "{\"topic\": \"a\", \"callback\": \"http://x\"}  | /callback          | push is not available yet",
                "{\"topic\": \"a\", \"retry\": 3}                | /retry             | object",
                "{\"topic\": \"a\", \"retry\": {\"max\": -1}}    | /retry/max         | between 0",
                "{\"topic\": \"a\", \"retry\": {\"backoff\": \"x\"}} | /retry/backoff | exponential",
                "{\"topic\": \"a\", \"retry\": {\"jitter\": \"x\"}} | /retry/jitter   | decorrelated",
                "{\"topic\": \"a\", \"retry\": {\"cap\": \"0s\"}} | /retry/cap        | millisecond",
                "{\"topic\": \"a\", \"retry\": {\"x\": 1}}       | /retry/x           | no such field",
                "{\"topic\": \"a\", \"retention\": {\"failed\": \"x\"}} | /retention/failed | duration",
                "[{\"topic\": \"a\"}, {\"topic\": \"a\", \"delay\": \"x\"}] | /1/delay  | duration",
                "[{\"topic\": \"a\"}, 7]                         | /1                 | an object, but is a number",
                "{\"topic\": \"a\"                               | /topic             | well-formed",
                "{\"topic\": \"a\"} x                            | ``                 | well-formed",
                "{\"topic\": \"a\"} {}                           | ``                 | nothing after",
                "{\"topic\": \"a\", \"payload\": {\"b\": [}}     | /payload/b         | well-formed",
                "{\"topic\": \"a\", \"payload\": nul}            | /payload           | well-formed",
                "{\"topic\": \"a\", \"payload\": 01}             | /payload           | well-formed",
                "'{'                                             | ``                 | well-formed",
                "``                                              | ``                 | must be a JSON value",
            })
    void a_bad_task_is_refused_with_the_place_and_what_is_allowed(String json, String pointer, String detail) {
        expect(() -> TaskForm.readBody(bytes(json), 1_000), pointer, detail);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}                                                           | /outcomes            | required",
                "{\"outcomes\": [{}]}                                         | /outcomes/0/task     | required",
                "{\"outcomes\": [{\"task\": \"T\"}]}                          | /outcomes/0/lease    | required",
                "{\"outcomes\": [{\"task\": \"T\", \"lease\": \"1.a\"}]}      | /outcomes/0/outcome  | required",
                "{\"outcomes\": [{\"task\": \"T\", \"lease\": \"1.a\", \"outcome\": \"lost\"}]} | /outcomes/0/outcome | lost",
                "{\"outcomes\": [{\"task\": \"T\", \"lease\": \"1.a\", \"outcome\": \"x\"}]} | /outcomes/0/outcome | timedOut",
                "{\"outcomes\": [{\"task\": \"T\", \"lease\": \"1.a\", \"outcome\": \"snoozed\"}]} | /outcomes/0/delay | required",
                "{\"outcomes\": [{\"task\": \"T\", \"lease\": \"1.a\", \"outcome\": \"failed\", \"result\": 1}]} | /outcomes/0/result | not belong",
                "{\"outcomes\": [{\"task\": \"T\", \"lease\": \"1.a\", \"outcome\": \"succeeded\", \"error\": \"\"}]} | /outcomes/0/error | not belong",
            })
    void a_bad_outcome_is_refused_likewise(String json, String pointer, String detail) {
        byte[] request = bytes(json.replace("\"T\"", "\"" + WORKER + "\""));
        expect(() -> OutcomeForm.readRequest(request, WORKER, 1_000), pointer, detail);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"capacity\": 0}                | /capacity     | between 1",
                "{\"leak\": \"top\"}              | /leak         | rear",
                "{\"leak\": \"front\"}            | /leak         | needs a deadLetter",
                "{\"deadLetter\": \"a b\"}        | /deadLetter   | letters",
                "{\"rate\": {\"limit\": 1}}       | /rate/per     | required",
                "{\"rate\": {\"per\": \"1s\"}}    | /rate/limit   | required",
                "{\"rate\": {\"limit\": 1, \"per\": \"0s\"}} | /rate/per | millisecond",
                "{\"weight\": 0}                  | /weight       | between 1",
                "{\"onTimeout\": \"stop\"}        | /onTimeout    | final",
                "{\"timeout\": \"0s\"}            | /timeout      | millisecond",
                "{\"retry\": {\"base\": \"-PT1S\"}} | /retry/base | between 0",
            })
    void a_bad_policy_is_refused_likewise(String json, String pointer, String detail) {
        expect(() -> PolicyForm.read(bytes(json)), pointer, detail);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"max\": 0}                 | /max       | between 1 and 1000",
                "{\"max\": 1001}              | /max       | between 1 and 1000",
                "{\"wait\": \"-PT1S\"}        | /wait      | between 0",
                "{\"topics\": [\"a\", \"*x\"]} | /topics/1  | letters",
                "{\"timeFrom\": \"end\"}      | /timeFrom  | [claim, start]",
                "{\"order\": \"newest\"}      | /order     | [share, oldest]",
                "[]                           | ``         | an object",
            })
    void a_bad_claim_is_refused_likewise(String json, String pointer, String detail) {
        expect(() -> ClaimForm.readRequest(bytes(json)), pointer, detail);
    }

    private static void expect(Runnable reading, String pointer, String detail) {
        WireException e = catchThrowableOfType(WireException.class, reading::run);
        assertThat(e).isNotNull();
        assertThat(e.pointer()).isEqualTo(pointer);
        assertThat(e.detail()).contains(detail);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
