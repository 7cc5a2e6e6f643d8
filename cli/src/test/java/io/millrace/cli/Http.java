package io.millrace.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Plain requests, as curl would send them. */
final class Http {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private Http() {}

    static String get(String url) throws IOException, InterruptedException {
        return CLIENT.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    static String post(String url, String json) throws IOException, InterruptedException {
        return CLIENT.send(request(url, json), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static HttpRequest request(String url, String json) {
        return HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
    }
}
