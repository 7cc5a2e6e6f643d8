package io.millrace.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Plain requests, as curl would send them. */
final class Http {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private Http() {}

    static String get(String url) throws IOException, InterruptedException {
        return CLIENT.send(to(url).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    static String post(String url, String json) throws IOException, InterruptedException {
        return CLIENT.send(request(url, json), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** The status of a request with an access key. */
    static int status(String url, String key) throws IOException, InterruptedException {
        return CLIENT.send(
                        to(url).header("Authorization", "Bearer " + key).build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static HttpRequest request(String url, String json) {
        return to(url).header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
    }

    private static HttpRequest.Builder to(String url) {
        return HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(30));
    }
}
