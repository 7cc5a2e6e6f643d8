package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.environment.OtherJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/**
 * Hostile clients, each with all it has, against a server of 512 MiB on the embedded store. Meanwhile it answers a
 * probe and takes in a task every second, and soon afterwards it is as before. For a minute each with {@code
 * -Dmillrace.long=true}.
 */
@Tag("slow")
class AttackTest {
    private static final boolean LONG = Boolean.getBoolean("millrace.long");
    private static final Duration ATTACK = LONG ? Duration.ofMinutes(1) : Duration.ofSeconds(3);
    /** In the build, other tests use the machine too. */
    private static final Duration LONGEST_ANSWER = LONG ? Duration.ofSeconds(1) : Duration.ofSeconds(5);

    private static final Duration RECOVERY = Duration.ofSeconds(10);
    private static final int MEGABYTES = 512;
    private static final int CLIENTS = 8;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();
    private final AtomicLong calls = new AtomicLong();
    private int port;
    private volatile boolean over;

    /** What a client does again and again; what it gets for it does not matter. */
    private interface Step {
        void run() throws Exception;
    }

    enum Attack {
        FAILING_TASKS,
        REGISTRATIONS,
        TOPICS,
        SEARCHES,
        LISTENERS,
        BODIES
    }

    @ParameterizedTest
    @EnumSource
    void an_attack_is_withstood(Attack attack, @TempDir Path directory) throws Exception {
        try (OtherJvm server = ServerMain.start(MEGABYTES, "embedded:" + directory.resolve("data"))) {
            port = Integer.parseInt(server.line());
            Step step = prepare(attack);
            probe();
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Thread one = new Thread(() -> repeat(step));
                one.start();
                clients.add(one);
            }

            long end = System.nanoTime() + ATTACK.toNanos();
            while (System.nanoTime() < end) {
                Duration longest = probe();
                assertThat(longest).as(attack + " after " + calls + " calls").isLessThan(LONGEST_ANSWER);
                // one probe a second: a rate, not a wait for something
                Thread.sleep(Math.max(0, 1_000 - longest.toMillis()));
            }
            over = true;
            for (AutoCloseable each : open) {
                each.close();
            }
            for (Thread one : clients) {
                one.join();
            }
            assertThat(calls.get()).isPositive();
            awaitNormal(server);
        }
    }

    private void repeat(Step step) {
        while (!over) {
            try {
                step.run();
            } catch (Exception e) {
                // cut off, or refused
            }
            calls.incrementAndGet();
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json");
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode post(String path, String body) throws IOException, InterruptedException {
        return Bed.JSON.readTree(send(request(path)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build())
                .body());
    }

    private int get(String path) throws IOException, InterruptedException {
        return send(request(path).build()).statusCode();
    }

    /** @return how long the slower of both took */
    private Duration probe() throws IOException, InterruptedException {
        long start = System.nanoTime();
        assertThat(get("/health/live")).isEqualTo(200);
        long alive = System.nanoTime();
        assertThat(post("/v1/tasks", "{\"topic\": \"probe\"}").has("id")).isTrue();
        return Duration.ofNanos(Math.max(alive - start, System.nanoTime() - alive));
    }

    private void awaitNormal(OtherJvm server) throws Exception {
        long end = System.nanoTime() + RECOVERY.toNanos();
        List<String> wrong;
        do {
            wrong = new ArrayList<>();
            for (String path : List.of("/health/ready", "/v1/topics/probe", "/v1/tasks?topic=probe&limit=1")) {
                if (get(path) != 200) {
                    wrong.add(path);
                }
            }
            if (!server.ask("underWay").equals("0")) {
                wrong.add("requests under way");
            }
        } while (!wrong.isEmpty() && System.nanoTime() < end);
        assertThat(wrong).isEmpty();
        assertThat(probe()).isLessThan(LONGEST_ANSWER);
    }

    /** @return what each client does then */
    private Step prepare(Attack attack) throws Exception {
        return switch (attack) {
            case FAILING_TASKS -> failingTasks();
            case REGISTRATIONS -> registrations();
            case TOPICS -> topics();
            case SEARCHES -> searches();
            case LISTENERS -> listeners();
            case BODIES -> this::sendLargeBody;
        };
    }

    /** Sixty tasks that fail for ever, with the longest error there is. */
    private Step failingTasks() throws Exception {
        enqueueFailing(60);
        String worker = worker();
        return () -> failSome(worker, 10);
    }

    private void enqueueFailing(int tasks) throws Exception {
        String task =
                "{\"topic\": \"bad\", \"retry\": {\"max\": 1000000, \"backoff\": \"constant\", \"base\": \"1ms\"}}";
        post("/v1/tasks", "[" + (task + ",").repeat(tasks - 1) + task + "]");
    }

    private String worker() throws Exception {
        return post("/v1/workers", "{\"topics\": [\"bad\"]}").at("/id").asString();
    }

    private void failSome(String worker, int most) throws Exception {
        JsonNode claimed = post("/v1/workers/" + worker + "/claim", "{\"max\": " + most + "}");
        List<String> outcomes = new ArrayList<>();
        for (JsonNode task : claimed.path("tasks")) {
            outcomes.add("{\"task\": \"" + task.at("/id").asString() + "\", \"lease\": \""
                    + task.at("/lease").asString() + "\", \"outcome\": \"failed\", \"error\": \"" + "e".repeat(9_900)
                    + "\"}");
        }
        if (!outcomes.isEmpty()) {
            post("/v1/workers/" + worker + "/outcomes", "{\"outcomes\": [" + String.join(",", outcomes) + "]}");
        }
    }

    /** Workers of a thousand long topics each. */
    private Step registrations() {
        return () -> {
            List<String> topics = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                topics.add("\"" + UUID.randomUUID() + "x".repeat(150) + "\"");
            }
            post("/v1/workers", "{\"topics\": [" + String.join(",", topics) + "]}");
        };
    }

    private Step topics() throws Exception {
        for (int from = 0; from < 100_000; from += 10_000) {
            List<String> tasks = new ArrayList<>();
            for (int i = from; i < from + 10_000; i++) {
                tasks.add("{\"topic\": \"t" + i + "\"}");
            }
            post("/v1/tasks", "[" + String.join(",", tasks) + "]");
        }
        AtomicLong turn = new AtomicLong();
        List<String> paths = List.of(
                "/v1/topics", "/metrics", "/v1/topics?limit=1", "/v1/tasks?state=FAILED", "/v1/tasks/count?text=x");
        return () -> get(paths.get((int) (turn.getAndIncrement() % paths.size())));
    }

    private Step searches() throws Exception {
        enqueueFailing(1_000);
        String worker = worker();
        for (int i = 0; i < 30; i++) {
            failSome(worker, 100);
        }
        return () -> get("/v1/tasks/count?text=eeeeeeeeef");
    }

    /** Listeners that do not read, and much to tell them. */
    private Step listeners() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            RawHttp listener = RawHttp.reluctant(port);
            open.add(listener);
            listener.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }
        String tasks = "[" + "{\"topic\": \"t\"},".repeat(99) + "{\"topic\": \"t\"}]";
        // a full store would be no fault of the listeners
        return () -> {
            post("/v1/tasks", tasks);
            send(request("/v1/tasks?topic=t").DELETE().build());
        };
    }

    /** Three at a time of each client, of 31 MiB, of which the last byte does not come. */
    private void sendLargeBody() {
        byte[] part = "[1234567".repeat(1 << 13).getBytes(StandardCharsets.US_ASCII);
        List<RawHttp> bodies = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                RawHttp body = new RawHttp(port);
                open.add(body);
                bodies.add(body);
                body.send("POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + (31 << 20) + "\r\n\r\n");
            }
            for (int sent = 0; sent < (31 << 20) - part.length && !over; sent += part.length) {
                for (RawHttp body : bodies) {
                    body.send(part);
                }
            }
            for (RawHttp body : bodies) {
                body.readAll();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            open.removeAll(bodies);
            for (RawHttp body : bodies) {
                try {
                    body.close();
                } catch (IOException e) {
                    // it is closed one way or another
                }
            }
        }
    }
}
