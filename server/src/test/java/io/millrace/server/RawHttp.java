package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** A client that sends whatever it is told to. */
final class RawHttp implements AutoCloseable {
    private final Socket socket;

    RawHttp(int port) throws IOException {
        this(port, new Socket());
    }

    private RawHttp(int port, Socket socket) throws IOException {
        this.socket = socket;
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(20_000);
    }

    /** One for which the system takes in little that is not read. */
    static RawHttp reluctant(int port) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4 << 10);
        return new RawHttp(port, socket);
    }

    RawHttp send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    RawHttp send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    RawHttp post(String path, String json) throws IOException {
        return send(
                "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                        + json.length() + "\r\n\r\n" + json);
    }

    /** One answer, of which the connection is not the end. */
    JsonNode readJson() throws IOException {
        String status = readLine();
        int length = 0;
        for (String line = readLine(); !line.isEmpty(); line = readLine()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        String body = new String(socket.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
        assertThat(status).as(body).startsWith("HTTP/1.1 2");
        return Bed.JSON.readTree(body);
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
            return raw.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    .readAll();
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
