package io.millrace.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that sends whatever it is told to. */
final class RawHttp implements AutoCloseable {
    private final Socket socket;

    RawHttp(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
    }

    RawHttp send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    RawHttp send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    /** All that comes until the server closes the connection. */
    String readAll() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** The first line of the answer. */
    String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        int next;
        while ((next = socket.getInputStream().read()) >= 0 && next != '\n') {
            line.append((char) next);
        }
        return line.toString().strip();
    }

    static String get(int port, String path) throws IOException {
        try (RawHttp raw = new RawHttp(port)) {
            return raw.send("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                    .readAll();
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
