package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.testkit.environment.OtherJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Requests that are somehow wrong: never a 5xx, never a hang, and nothing of them stays in memory. {@code
 * -Dmillrace.fuzz=100000} asks for more of them,
 * {@code -Dmillrace.fuzz.seed=…} for the same again.
 */
class FuzzTest {
    private static final boolean LONG = Boolean.getBoolean("millrace.long");
    private static final int REQUESTS = Integer.getInteger("millrace.fuzz", LONG ? 1_000_000 : 24_000);
    private static final int CLIENTS = 8;
    private static final int STALLED = 200;
    private static final int HEAP_MEGABYTES = 128;
    private static final int TOLERATED_MEGABYTES = 8;
    private static final long SEED = Long.getLong("millrace.fuzz.seed", System.nanoTime());

    private static final String[] METHODS = {"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "FOO"};
    private static final String[] PATHS = {
        "/v1/tasks",
        "/v1/tasks/summary",
        "/v1/tasks/count",
        "/v1/tasks/ID",
        "/v1/tasks/ID/cancel",
        "/v1/tasks/ID/retry",
        "/v1/tasks/ID/reschedule",
        "/v1/workers",
        "/v1/workers/ID/ping",
        "/v1/workers/ID/claim",
        "/v1/workers/ID/outcomes",
        "/v1/workers/ID/progress",
        "/v1/workers/ID/stop",
        "/v1/workers/ID",
        "/v1/topics",
        "/v1/topics/a",
        "/v1/topics/a%2Fb/pause",
        "/v1/topics/a/redrive",
        "/metrics",
        "/health/ready",
        "/openapi.json",
        "/"
    };
    private static final String[] BODIES = {
        "{\"topic\":\"a\",\"payload\":{\"x\":[1,2,{\"y\":\"é\"}]},\"delay\":\"5s\",\"scope\":[\"a\",\"b\"],\"priority\":5}",
        "[{\"topic\":\"a\"},{\"topic\":\"b\",\"retry\":{\"max\":3,\"base\":\"1s\",\"jitter\":\"full\"}}]",
        "{\"topic\":\"a\",\"payloadBase64\":\"AAECAw==\",\"deadline\":\"1h\",\"uniqueKey\":\"k\"}",
        "{\"topic\":\"a\",\"callback\":\"http://x/y\",\"payloadBase64\":\"A*\",\"x\":{\"y\":[1]},\"topic\":1}",
        "{\"topics\":[\"a\",\"b\"],\"max\":10,\"wait\":\"1ms\"}",
        "{\"holding\":[\"ID\"]}",
        "{\"outcomes\":[{\"task\":\"ID\",\"lease\":\"1.5\",\"outcome\":\"failed\",\"error\":\"e\",\"stop\":false}]}",
        "{\"tasks\":[{\"task\":\"ID\",\"lease\":\"1.5\",\"percent\":40,\"extend\":\"30s\"}]}",
        "{\"retry\":{\"max\":2},\"capacity\":10,\"deadLetter\":\"d\",\"rate\":{\"limit\":10,\"per\":\"1s\"},\"leak\":\"front\"}",
        "{\"runAt\":\"2030-01-01T00:00:00Z\"}",
        "{\"topic\":\"a\"}\n{\"topic\":\"b\"}\n",
        "{\"topic\":7,\"scope\":\"a\",\"priority\":\"high\",\"retry\":[],\"delay\":5}",
        "{\"topics\":{},\"max\":\"ten\",\"wait\":30}",
        "{\"outcomes\":{\"task\":1}}",
        "{\"holding\":\"ID\"}",
        ""
    };
    private static final String[] REPORTS = {
        "{\"outcomes\":[{\"task\":\"TASK\",\"lease\":\"LEASE\",\"outcome\":\"succeeded\",\"result\":{\"é\":[1,\"\\u0001\",null]}}]}",
        "{\"outcomes\":[{\"task\":\"TASK\",\"lease\":\"LEASE\",\"outcome\":\"succeeded\",\"resultBase64\":\"AP//\"}]}",
        "{\"outcomes\":[{\"task\":\"TASK\",\"lease\":\"LEASE\",\"outcome\":\"failed\",\"error\":\"\\ud83d\\ude00 \\u0000 é\"}]}",
        "{\"outcomes\":[{\"task\":\"TASK\",\"lease\":\"LEASE\",\"outcome\":\"failed\",\"error\":\"\",\"stop\":true,\"ran\":\"3s\"}]}",
        "{\"outcomes\":[{\"task\":\"TASK\",\"lease\":\"LEASE\",\"outcome\":\"timedOut\",\"error\":\"late\"}]}",
        "{\"outcomes\":[{\"task\":\"TASK\",\"lease\":\"LEASE\",\"outcome\":\"snoozed\",\"delay\":\"36525d\"}]}",
        "{\"outcomes\":[{\"task\":\"TASK\",\"lease\":\"LEASE\",\"outcome\":\"snoozed\",\"delay\":\"0s\"},"
                + "{\"task\":\"TASK\",\"lease\":\"LEASE\",\"outcome\":\"succeeded\"}]}",
        "{\"outcomes\":[{\"task\":\"TASK\",\"lease\":\"LEASE\",\"outcome\":\"released\"}]}",
        "{\"tasks\":[{\"task\":\"TASK\",\"lease\":\"LEASE\",\"percent\":40,\"message\":\"é \\u0007\",\"extend\":\"36525d\"}]}",
        "{\"tasks\":[{\"task\":\"TASK\",\"lease\":\"LEASE\",\"percent\":100,\"extend\":\"1ms\"}]}"
    };

    /** Put in somewhere now and then: each is more than some limit, or a text that is none. */
    private static final String[] MONSTERS = {
        "[".repeat(20_000),
        "{\"a\":".repeat(20_000),
        "[".repeat(600) + "]".repeat(600),
        "9".repeat(5_000),
        "-0." + "1".repeat(5_000) + "e99999",
        "a".repeat(9_000),
        "a".repeat(120_000),
        "/x".repeat(5_000),
        "&limit=1".repeat(2_000),
        "\u00c0\u0080",
        "\u00ed\u00a0\u0080",
        "\u00ff\u00fe\u00f8"
    };

    private static final String[] QUERIES = {
        "",
        "",
        "",
        "?limit=5",
        "?topic=a&state=pending",
        "?scope=a&scope=b",
        "?cursor=AAAA",
        "?claim=3",
        "?wait=1ms",
        "?by=topic",
        "?worker=ID",
        "?createdAfter=2030-01-01T00:00:00Z",
        "?text=%C3%A9"
    };
    private static final String[] TYPES = {
        "application/json",
        "application/json",
        "application/x-ndjson",
        "text/plain",
        "",
        "application/json; charset=latin1",
        ";;;"
    };
    private static final String[] BITS = {
        "\"", "{", "}", "[", "]", ",", ":", "null", "-1", "1e999", "99999999999999999999", "\\", "\\u0000", "\u0000",
                "\n", "\r", "%",
        "%00", "é", "\u00ff", "'", "true", "\"payload\":", "\"id\":\"ID\"", "/", "//", "..", "&", "=", "?", "#",
                "PT-1S", "0s", " "
    };

    @Test
    void whatever_is_sent_is_answered_and_is_never_the_servers_fault() throws Exception {
        SplittableRandom seeds = new SplittableRandom(SEED);
        try (OtherJvm server = ServerMain.startStrict(HEAP_MEGABYTES, "heap:")) {
            int port = Integer.parseInt(server.line());
            // what is made once for all is there afterwards
            send(port, seeds.split(), REQUESTS / 10);
            long before = clearedHeap(server, port);

            send(port, seeds.split(), REQUESTS);

            assertThat(RawHttp.get(port, "/health/ready")).startsWith("HTTP/1.1 200");
            assertThat(clearedHeap(server, port)).isLessThanOrEqualTo(before + TOLERATED_MEGABYTES);
        }
    }

    @Test
    void whatever_the_holder_of_a_lease_reports_is_never_the_servers_fault() throws Exception {
        SplittableRandom seeds = new SplittableRandom(SEED);
        try (OtherJvm server = ServerMain.start(HEAP_MEGABYTES, "heap:")) {
            int port = Integer.parseInt(server.line());
            List<CompletableFuture<Integer>> clients = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                SplittableRandom random = seeds.split();
                String name = "client " + client + " of seed " + SEED;
                clients.add(CompletableFuture.supplyAsync(
                        () -> report(port, random, name), action -> new Thread(action).start()));
            }
            int applied = 0;
            for (CompletableFuture<Integer> client : clients) {
                applied += client.get(30, TimeUnit.MINUTES);
            }

            assertThat(applied).isGreaterThan(REQUESTS / 10);
            assertThat(RawHttp.get(port, "/health/ready")).startsWith("HTTP/1.1 200");
        }
    }

    /**
     * Claims task after task, and reports on each something that may be right. @return how many reports were applied
     */
    private static int report(int port, SplittableRandom random, String name) {
        int applied = 0;
        try (RawHttp raw = new RawHttp(port)) {
            String worker = raw.post("/v1/workers", "").readJson().at("/id").asString();
            for (int i = 0; i < REQUESTS / CLIENTS; i++) {
                raw.post("/v1/tasks", "{\"topic\": \"f\", \"retry\": {\"max\": 2, \"base\": \"1ms\"}}")
                        .readJson();
                JsonNode task = raw.post("/v1/workers/" + worker + "/claim", "{\"wait\": \"1s\"}")
                        .readJson()
                        .at("/tasks/0");
                String template = one(random, REPORTS)
                        .replace("TASK", task.at("/id").asString())
                        .replace("LEASE", task.at("/lease").asString());
                String body = mangled(random, template, 2);
                String path = template.startsWith("{\"tasks\"") ? "/progress" : "/outcomes";
                applied += answered(port, "/v1/workers/" + worker + path, body, name + ", report " + i) ? 1 : 0;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return applied;
    }

    /** @return whether something was applied */
    private static boolean answered(int port, String path, String body, String which) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        try (RawHttp raw = new RawHttp(port)) {
            String answer = raw.send("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                            + "Content-Type: application/json\r\nContent-Length: " + bytes.length + "\r\n\r\n")
                    .send(bytes)
                    .readAll();
            assertThat(answer)
                    .as(which + ": " + body)
                    .startsWith("HTTP/1.1 ")
                    .doesNotStartWith("HTTP/1.1 5")
                    .doesNotContain("Exception", "\tat ");
            return answer.contains("\"applied\":true");
        }
    }

    @Test
    void who_stalls_is_cut_off_and_holds_nothing() throws Exception {
        String[] beginnings = {
            "GET /v1/tas",
            "GET /v1/tasks HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
            "POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000\r\n\r\n{\"topic\"",
            "POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"to",
        };
        try (OtherJvm server = ServerMain.startStrict(HEAP_MEGABYTES, "heap:")) {
            int port = Integer.parseInt(server.line());
            long before = clearedHeap(server, port);
            List<RawHttp> stalled = new ArrayList<>();
            for (int i = 0; i < STALLED; i++) {
                stalled.add(new RawHttp(port).send(beginnings[i % beginnings.length]));
            }
            for (RawHttp raw : stalled) {
                // it ends, and does not time out: with 408, or with nothing
                assertThat(raw.readAll()).matches("(?s)|HTTP/1.1 408.*");
                raw.close();
            }
            assertThat(clearedHeap(server, port)).isLessThanOrEqualTo(before + TOLERATED_MEGABYTES);
        }
    }

    private static void send(int port, SplittableRandom seeds, int requests) throws Exception {
        String worker;
        String task;
        try (RawHttp raw = new RawHttp(port)) {
            worker = raw.post("/v1/workers", "").readJson().at("/id").asString();
            task = raw.post("/v1/tasks", "{\"topic\": \"a\"}")
                    .readJson()
                    .at("/id")
                    .asString();
        }
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            SplittableRandom random = seeds.split();
            String name = "client " + client + " of seed " + SEED;
            clients.add(CompletableFuture.runAsync(
                    () -> {
                        for (int i = 0; i < requests / CLIENTS; i++) {
                            String id = random.nextInt(3) == 0 ? task : worker;
                            check(port, request(random, id), name + ", request " + i);
                        }
                    },
                    action -> new Thread(action).start()));
        }
        CompletableFuture.allOf(clients.toArray(new CompletableFuture<?>[0])).get(30, TimeUnit.MINUTES);
    }

    /** What is in use when nothing is under way, and what was enqueued on the way is gone. */
    private static long clearedHeap(OtherJvm server, int port) throws Exception {
        try (RawHttp raw = new RawHttp(port)) {
            raw.send("DELETE /v1/tasks?createdAfter=2000-01-01T00:00:00Z HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(raw.readJson().has("deleted")).isTrue();
        }
        await().untilAsserted(() -> assertThat(server.ask("underWay")).isEqualTo("0"));
        return Long.parseLong(server.ask("heap"));
    }

    private static void check(int port, byte[] request, String which) {
        try (RawHttp raw = new RawHttp(port)) {
            String line;
            try {
                raw.send(request);
                line = raw.readLine();
            } catch (SocketTimeoutException e) {
                throw new AssertionError(which + " hangs: " + shown(request), e);
            } catch (IOException e) {
                // the server may close a connection that makes no sense before all is sent
                return;
            }
            assertThat(line.isEmpty() || line.startsWith("HTTP/1."))
                    .as(which + ": " + shown(request))
                    .isTrue();
            if (line.startsWith("HTTP/1.1 503")) {
                // a limit that is stated, and says when to come again
                assertThat(raw.readAll()).as(which).containsIgnoringCase("Retry-After");
                return;
            }
            assertThat(line).as(which + ": " + shown(request)).doesNotContainPattern("^HTTP/1\\.[01] 5");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String shown(byte[] request) {
        return new String(request, StandardCharsets.ISO_8859_1);
    }

    private static byte[] request(SplittableRandom random, String id) {
        String body = monstrous(random, mangled(random, one(random, BODIES).replace("ID", id), 3));
        String path =
                monstrous(random, mangled(random, (one(random, PATHS) + one(random, QUERIES)).replace("ID", id), 6));
        byte[] bytes = body.getBytes(random.nextInt(10) == 0 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder();
        head.append(mangled(random, one(random, METHODS), 30)).append(' ');
        head.append(path.replace("\r", "").replace("\n", "").replace(" ", ""))
                .append(" HTTP/1.1\r\nHost: localhost\r\n");
        if (random.nextInt(50) == 0) {
            head.append("X-Odd: ").append(one(random, MONSTERS)).append("\r\n");
        }
        String type = one(random, TYPES);
        if (!type.isEmpty()) {
            head.append("Content-Type: ").append(type).append("\r\n");
        }
        // a length that is too long must not make the server wait for ever
        head.append("Content-Length: ").append(random.nextInt(500) == 0 ? bytes.length + 5 : bytes.length);
        head.append(mangled(random, "\r\nConnection: close\r\n\r\n", 50));
        byte[] start = head.toString().getBytes(StandardCharsets.ISO_8859_1);
        byte[] whole = Arrays.copyOf(start, start.length + bytes.length);
        System.arraycopy(bytes, 0, whole, start.length, bytes.length);
        return whole;
    }

    private static String one(SplittableRandom random, String[] of) {
        return of[random.nextInt(of.length)];
    }

    private static String monstrous(SplittableRandom random, String text) {
        if (random.nextInt(50) != 0) {
            return text;
        }
        int at = random.nextInt(text.length() + 1);
        return text.substring(0, at) + one(random, MONSTERS) + text.substring(at);
    }

    /** Changes a text in one of so many cases: something is cut out, put in, or put twice. */
    private static String mangled(SplittableRandom random, String text, int oneOf) {
        if (random.nextInt(oneOf) != 0) {
            return text;
        }
        StringBuilder changed = new StringBuilder(text);
        for (int i = random.nextInt(4); i >= 0; i--) {
            int from = random.nextInt(changed.length() + 1);
            int to = Math.min(changed.length(), from + random.nextInt(8));
            switch (random.nextInt(3)) {
                case 0 -> changed.delete(from, to);
                case 1 -> changed.insert(from, one(random, BITS));
                default -> changed.insert(from, changed.substring(from, to));
            }
        }
        return changed.toString();
    }
}
