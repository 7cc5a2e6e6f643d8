package io.millrace.client;

import java.net.http.HttpResponse;
import java.time.Duration;

/** What a server said. */
final class Answer {
    private static final int LONGEST_WAIT = 10;

    private final HttpResponse<byte[]> response;
    private final int tries;

    Answer(HttpResponse<byte[]> response, int tries) {
        this.response = response;
        this.tries = tries;
    }

    int status() {
        return response.statusCode();
    }

    byte[] body() {
        return response.body();
    }

    /** How often it was asked. */
    int tries() {
        return tries;
    }

    boolean isGood() {
        return status() >= 200 && status() < 300;
    }

    /** How long the server asks to be left alone; a date, which the header may be as well, is passed over. */
    Duration retryAfter() {
        String text = response.headers().firstValue("Retry-After").orElse("");
        return text.matches("\\d{1,9}")
                ? Duration.ofSeconds(Math.min(LONGEST_WAIT, Integer.parseInt(text)))
                : Duration.ZERO;
    }
}
