package io.millrace.benchmarks.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;

/** Just as much of HTTP as the load needs: requests as bytes, and where an answer ends. */
public final class Http {
    private static final byte[] LENGTH = "content-length: ".getBytes(ISO_8859_1);

    private Http() {}

    public static byte[] post(String path, String body) {
        return request("POST", path, body);
    }

    static byte[] request(String method, String path, String body) {
        String head = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + body.length() + "\r\n\r\n";
        return (head + body).getBytes(ISO_8859_1);
    }

    /** Whether the answer has come as a whole. @throws IllegalStateException if it is not a success */
    static boolean isAnswered(byte[] bytes, int length) {
        int body = bodyStart(bytes, length);
        if (body < 0) {
            return false;
        }
        // the answer to a good request: HTTP/1.1 2xx
        if (bytes[9] != '2') {
            throw new IllegalStateException(new String(bytes, 0, length, ISO_8859_1));
        }
        return length >= body + bodyLength(bytes, body);
    }

    static String body(byte[] bytes, int length) {
        int body = bodyStart(bytes, length);
        return new String(bytes, body, length - body, ISO_8859_1);
    }

    private static int bodyStart(byte[] bytes, int length) {
        for (int i = 4; i <= length; i++) {
            if (bytes[i - 1] == '\n' && bytes[i - 2] == '\r' && bytes[i - 3] == '\n' && bytes[i - 4] == '\r') {
                return i;
            }
        }
        return -1;
    }

    /** Servers on Netty write the names of headers in small letters. */
    private static int bodyLength(byte[] bytes, int headEnd) {
        int from = 0;
        while (!Arrays.equals(bytes, from, from + LENGTH.length, LENGTH, 0, LENGTH.length)) {
            from++;
            if (from + LENGTH.length > headEnd) {
                return 0;
            }
        }
        int length = 0;
        for (int i = from + LENGTH.length; bytes[i] != '\r'; i++) {
            length = 10 * length + bytes[i] - '0';
        }
        return length;
    }
}
