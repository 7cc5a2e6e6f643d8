package io.millrace.server;

import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.testkit.SettableClock;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A real server on a free port, over a heap store whose time the test sets, and a client. */
final class Bed implements AutoCloseable {
    static final JsonMapper JSON = JsonMapper.shared();

    final SettableClock clock = new SettableClock();
    final Millrace millrace;
    final MillraceServer server;
    final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    /** An answer: its status, and its body as JSON if it has one. */
    record Answer(int status, String text, HttpResponse<String> response) {
        JsonNode json() {
            return JSON.readTree(text);
        }

        /** The value at a JSON pointer, as text. */
        String at(String pointer) {
            return json().at(pointer).asString();
        }
    }

    Bed() {
        this(options -> options);
    }

    Bed(UnaryOperator<ServerOptions.Builder> settings) {
        this("heap:", settings);
    }

    Bed(String url, UnaryOperator<ServerOptions.Builder> settings) {
        millrace = Millrace.open(url, MillraceOptions.builder().clock(clock).build());
        server = MillraceServer.start(
                millrace, settings.apply(ServerOptions.builder().port(0)).build());
    }

    private Bed(MillraceOptions options) {
        millrace = Millrace.open("heap:", options);
        server = MillraceServer.start(millrace, ServerOptions.builder().port(0).build());
    }

    /** Over a store that lives by real time: nobody looks at {@link #clock}. */
    static Bed inRealTime(Duration workerExpiry) {
        return new Bed(MillraceOptions.builder().workerExpiry(workerExpiry).build());
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.port() + path;
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url(path))).timeout(Duration.ofSeconds(30));
    }

    Answer send(HttpRequest request) {
        return sendAsync(request).join();
    }

    CompletableFuture<Answer> sendAsync(HttpRequest request) {
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .thenApply(response -> new Answer(response.statusCode(), response.body(), response));
    }

    Answer get(String path) {
        return send(request(path).GET().build());
    }

    Answer post(String path, String json) {
        return send(posting(path, json));
    }

    HttpRequest posting(String path, String json) {
        return body(path, "POST", "application/json", json);
    }

    Answer put(String path, String json) {
        return send(body(path, "PUT", "application/json", json));
    }

    Answer ndjson(String lines) {
        return send(body("/v1/tasks", "POST", "application/x-ndjson", lines));
    }

    HttpRequest body(String path, String method, String type, String body) {
        return request(path)
                .header("Content-Type", type)
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    Answer delete(String path) {
        return send(request(path).DELETE().build());
    }

    /** Registers a worker. */
    String worker() {
        return post("/v1/workers", "").at("/id");
    }

    String enqueue(String topic) {
        return enqueue(topic, "");
    }

    /** Enqueues a task. More fields begin with a comma. */
    String enqueue(String topic, String more) {
        return post("/v1/tasks", "{\"topic\": \"" + topic + "\"" + more + "}").at("/id");
    }

    String state(String id) {
        return millrace.find(UUID.fromString(id))
                .map(task -> task.state().toString())
                .orElse("GONE");
    }

    /** Claims one task of any topic. */
    JsonNode claim(String worker) {
        return claim(worker, "{}").json().at("/tasks/0");
    }

    Answer claim(String worker, String json) {
        return post("/v1/workers/" + worker + "/claim", json);
    }

    Answer ping(String worker, String json) {
        return post("/v1/workers/" + worker + "/ping", json);
    }

    /** A task as it is shown. */
    JsonNode task(String id) {
        return get("/v1/tasks/" + id).json();
    }

    /** An outcome of a claimed task as a request. More fields begin with a comma. */
    static String outcome(JsonNode task, String outcome, String more) {
        return "{\"outcomes\": [{\"task\": \"" + task.at("/id").asString() + "\", \"lease\": \""
                + task.at("/lease").asString() + "\", \"outcome\": \"" + outcome + "\"" + more + "}]}";
    }

    Answer report(String worker, JsonNode task, String outcome, String more) {
        return post("/v1/workers/" + worker + "/outcomes", outcome(task, outcome, more));
    }

    @Override
    public void close() {
        server.close();
        millrace.close();
    }
}
