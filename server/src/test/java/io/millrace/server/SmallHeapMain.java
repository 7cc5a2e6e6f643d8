package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.Payload;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What {@link SmallHeapTest} runs with a heap of 128 MB. */
final class SmallHeapMain {
    private static final int TASKS = 100;
    private static final int CLIENTS = 20;
    private static final int LINES = 2_000;
    private static final int PAYLOAD = 200_000;

    private SmallHeapMain() {}

    public static void main(String[] args) throws Exception {
        try (Millrace millrace = Millrace.open("heap:");
                MillraceServer server = MillraceServer.start(
                        millrace, ServerOptions.builder().port(0).build())) {
            char[] text = new char[PAYLOAD];
            Arrays.fill(text, 'x');
            String payload = "\"" + new String(text) + "\"";
            for (int i = 0; i < TASKS; i++) {
                var unused = millrace.enqueue(
                        NewTask.builder("t").payload(Payload.json(payload)).build());
            }
            readSlowly(server.port());
            sendMuch(server.port(), payload);
            System.out.println("all went through");
        }
    }

    /** Many ask for the same long list, and none reads on before all have begun. */
    private static void readSlowly(int port) throws Exception {
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Socket socket = connect(port);
            socket.getOutputStream()
                    .write("GET /v1/tasks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            clients.add(socket);
            assertThat(socket.getInputStream().read()).isEqualTo('H');
        }
        byte[] buffer = new byte[64 << 10];
        for (Socket socket : clients) {
            try (socket;
                    InputStream in = socket.getInputStream()) {
                long total = 0;
                int read;
                while ((read = in.read(buffer)) >= 0) {
                    total += read;
                }
                assertThat(total).isGreaterThan((long) TASKS * PAYLOAD);
            }
        }
    }

    /** Duplicates are not stored, so that only what is under way takes room. */
    private static void sendMuch(int port, String payload) throws Exception {
        byte[] line = ("{\"topic\":\"u\",\"uniqueKey\":\"k\",\"payload\":" + payload + "}\n")
                .getBytes(StandardCharsets.US_ASCII);
        try (Socket socket = connect(port)) {
            OutputStream out = socket.getOutputStream();
            out.write(
                    ("POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/x-ndjson\r\n"
                                    + "Content-Length: " + (long) LINES * line.length + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < LINES; i++) {
                out.write(line);
            }
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer)
                    .contains("201")
                    .contains("{\"accepted\":" + LINES + ",\"duplicates\":" + (LINES - 1) + "}");
        }
    }

    private static Socket connect(int port) throws Exception {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(60_000);
        return socket;
    }
}
