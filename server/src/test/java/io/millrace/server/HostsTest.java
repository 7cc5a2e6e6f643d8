package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A page whose name points at this machine is not let in. */
class HostsTest {
    private static String get(Bed bed, String path, String headers) {
        try (RawHttp raw = new RawHttp(bed.server.port())) {
            return raw.send("GET " + path + " HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n")
                    .readAll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST:7070",
                "127.0.0.1",
                "127.8.9.1:80",
                "[::1]",
                "[::1]:7070",
                "queue.example"
            })
    void known_names_are_served(String host) {
        try (Bed bed = new Bed(options -> options.allowedHosts(List.of("queue.example")))) {
            assertThat(get(bed, "/v1/tasks/count", "Host: " + host + "\r\n")).startsWith("HTTP/1.1 200");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Host: \r\n",
                "Host: evil.example\r\n",
                "Host: localhost.evil.example\r\n",
                "Host: 127.0.0.1.evil.example\r\n",
                "Host: localhost:80:80\r\n",
                "Host: localhost, evil.example\r\n",
                "Host: localhost\r\nHost: localhost\r\n",
                "Host: localhost\r\nHost: evil.example\r\n",
            })
    void all_others_are_421(String hosts) {
        try (Bed bed = new Bed()) {
            for (String path : List.of("/v1/tasks", "/", "/metrics", "/health/live", "/nothing")) {
                String answer = get(bed, path, hosts);

                assertThat(answer).startsWith("HTTP/1.1 421").contains("urn:millrace:problem:wrong-host");
            }
        }
    }

    @Test
    void with_keys_the_name_does_not_matter() {
        AccessKey.Generated key = AccessKey.generate("k", Role.ADMIN, Set.of());
        try (Bed bed = new Bed(options -> options.keys(List.of(key.key())))) {
            String answer = get(
                    bed, "/v1/tasks/count", "Host: queue.example\r\nAuthorization: Bearer " + key.secret() + "\r\n");

            assertThat(answer).startsWith("HTTP/1.1 200");
        }
    }
}
