package io.millrace.benchmarks.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A server in another process. */
public final class ServerProcess implements AutoCloseable {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Process process;
    private final int port;

    private ServerProcess(String what) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServerMain.class.getName(),
                        what)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        // a profiler may have its say first
        String line = output.lines()
                .filter(any -> any.startsWith(ServerMain.PORT))
                .findFirst()
                .orElseThrow(() -> new IOException("the server " + what + " did not start"));
        port = Integer.parseInt(line.substring(ServerMain.PORT.length()));
    }

    /** @param store the URL of its store */
    public static ServerProcess over(String store) throws IOException {
        return new ServerProcess(store);
    }

    /** One that parses and answers, and does nothing else. */
    public static ServerProcess bare() throws IOException {
        return new ServerProcess(ServerMain.BARE);
    }

    public int port() {
        return port;
    }

    /** The time of all its processors so far. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    public String worker() throws IOException, InterruptedException {
        String answer = send("POST", "/v1/workers", "");
        int from = answer.indexOf("\"id\":\"") + 6;
        return answer.substring(from, from + 36);
    }

    /** What the worker still holds is ready again. */
    public void leave(String worker) throws IOException, InterruptedException {
        var unused = send("DELETE", "/v1/workers/" + worker, "");
    }

    /** Removes all tasks, so that every round begins with as many. */
    public void clear() throws IOException, InterruptedException {
        var unused = send("DELETE", "/v1/tasks?topic=bench", "");
    }

    public String send(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() / 100 != 2) {
            throw new IllegalStateException(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
        }
        return answer.body();
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
