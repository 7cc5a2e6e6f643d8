package io.millrace.client;

import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;

/**
 * One request to be made.
 *
 * @param hold how long the server may hold it before it answers
 */
record Call(String method, String path, BodyPublisher body, Again again, Duration hold) {
    private static final BodyPublisher NONE = BodyPublishers.noBody();

    /** Whether it may be sent again. */
    enum Again {
        /** It makes no difference how often it is made. */
        ALWAYS,
        /** Only if it surely did not arrive. */
        IF_NOT_SENT,
        NEVER
    }

    static Call get(String path) {
        return new Call("GET", path, NONE, Again.ALWAYS, Duration.ZERO);
    }

    static Call delete(String path) {
        return new Call("DELETE", path, NONE, Again.ALWAYS, Duration.ZERO);
    }

    static Call post(String path) {
        return new Call("POST", path, NONE, Again.ALWAYS, Duration.ZERO);
    }

    static Call post(String path, byte[] body) {
        return new Call("POST", path, BodyPublishers.ofByteArray(body), Again.ALWAYS, Duration.ZERO);
    }

    static Call put(String path, byte[] body) {
        return new Call("PUT", path, BodyPublishers.ofByteArray(body), Again.ALWAYS, Duration.ZERO);
    }

    Call once() {
        return new Call(method, path, body, Again.NEVER, hold);
    }

    Call unlessSent() {
        return new Call(method, path, body, Again.IF_NOT_SENT, hold);
    }

    Call held(Duration time) {
        return new Call(method, path, body, again, time);
    }
}
