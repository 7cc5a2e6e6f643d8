package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.testkit.environment.OtherJvm;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Many tasks go in and out of a server whose heap has little room beside them: 20,000, or with {@code
 * -Dmillrace.long=true} a million. The embedded store keeps them all in memory and fills up to 60 % of the heap, which
 * sets the least one; a database keeps them elsewhere.
 */
@Tag("slow")
class ManyTasksTest {
    private static final boolean LONG = Boolean.getBoolean("millrace.long");
    private static final int TASKS = LONG ? 1_000_000 : 20_000;
    private static final int EMBEDDED_MEGABYTES = LONG ? 800 : 64;
    private static final int DATABASE_MEGABYTES = LONG ? 256 : 64;
    private static final int STALLED = 20;
    /** What a list holds on its way, a page of tasks and their text, however long it is. */
    private static final int READER_MEGABYTES = 2;

    private static final int BLOCK = 1_000;
    private static final String LINE = "{\"topic\":\"t\",\"payload\":[1]}\n";

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void they_go_through_a_server_with_an_embedded_store(@TempDir Path directory) throws Exception {
        check("embedded:" + directory.resolve("data"), EMBEDDED_MEGABYTES);
    }

    @Test
    void they_go_through_a_server_with_a_database() throws Exception {
        try (TestDatabase database = DatabaseProduct.POSTGRES.newDatabase()) {
            check(database.url(), DATABASE_MEGABYTES);
        }
    }

    private void check(String store, int megabytes) throws Exception {
        try (OtherJvm server = ServerMain.start(megabytes, store)) {
            int port = Integer.parseInt(server.line());
            send(port);
            long before = megabytes(server);

            assertThat(listed(port, "application/json")).hasSize(TASKS);
            assertThat(listed(port, "application/x-ndjson")).hasSize(TASKS);
            stopReading(server, port, before + STALLED * READER_MEGABYTES);
        }
    }

    private static long megabytes(OtherJvm server) {
        return Long.parseLong(server.ask("heap"));
    }

    private static void send(int port) throws Exception {
        byte[] block = LINE.repeat(BLOCK).getBytes(StandardCharsets.US_ASCII);
        try (RawHttp raw = new RawHttp(port)) {
            raw.send(
                    "POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: "
                            + (long) TASKS / BLOCK * block.length + "\r\n\r\n");
            for (int i = 0; i < TASKS; i += BLOCK) {
                raw.send(block);
            }
            assertThat(raw.readJson().at("/accepted").asInt()).isEqualTo(TASKS);
        }
    }

    /** The ids of all tasks, as they come. */
    private Set<String> listed(int port, String type) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/tasks"))
                .header("Accept", type)
                .build();
        HttpResponse<InputStream> answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        assertThat(answer.headers().firstValue("Content-Type")).contains(type);
        Set<String> ids = new HashSet<>();
        try (JsonParser parser = Bed.JSON.createParser(answer.body())) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.PROPERTY_NAME && parser.currentName().equals("id")) {
                    assertThat(ids.add(parser.nextStringValue())).isTrue();
                }
            }
        }
        return ids;
    }

    /** All of these lists together would not fit. */
    private static void stopReading(OtherJvm server, int port, long most) throws Exception {
        List<RawHttp> stalled = new ArrayList<>();
        try {
            for (int i = 0; i < STALLED; i++) {
                RawHttp raw = RawHttp.reluctant(port);
                stalled.add(raw);
                raw.send("GET /v1/tasks HTTP/1.1\r\nHost: localhost\r\n\r\n");
                assertThat(raw.readLine()).contains("200");
            }
            assertThat(server.ask("underWay")).isEqualTo(Integer.toString(STALLED));
            assertThat(megabytes(server)).isLessThan(most);
        } finally {
            for (RawHttp raw : stalled) {
                raw.close();
            }
        }
        await().untilAsserted(() -> assertThat(server.ask("underWay")).isEqualTo("0"));
    }
}
