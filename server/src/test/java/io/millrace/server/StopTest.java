package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.server.Bed.Answer;
import java.net.ConnectException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that stops lets nobody hang. */
class StopTest {
    private final Bed bed = new Bed();

    @AfterEach
    void close() {
        bed.close();
    }

    @Test
    void those_who_wait_are_answered_with_what_there_is() {
        String worker = bed.worker();
        String id = bed.enqueue("other");
        CompletableFuture<Answer> poll = bed.sendAsync(
                bed.posting("/v1/workers/" + worker + "/claim", "{\"topics\": [\"t\"], \"wait\": \"60s\"}"));
        CompletableFuture<Answer> wait =
                bed.sendAsync(bed.request("/v1/tasks/" + id + "?wait=60s").build());
        Awaitility.await().until(() -> bed.server.waiting() == 2);

        bed.server.close();

        assertThat(poll.join().status()).isEqualTo(200);
        assertThat(poll.join().json().at("/tasks").isEmpty()).isTrue();
        assertThat(wait.join().at("/state")).isEqualTo("READY");
        assertThatThrownBy(() -> bed.get("/v1/tasks"))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(ConnectException.class);
    }

    @Test
    void to_close_twice_is_fine_and_the_store_stays_open() {
        String id = bed.enqueue("t");

        bed.server.close();
        bed.server.close();

        assertThat(bed.state(id)).isEqualTo("READY");
    }

    @Test
    void a_request_under_way_is_finished_first() throws Exception {
        try (RawHttp raw = new RawHttp(bed.server.port())) {
            raw.send("POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 14\r\n\r\n{\"topic\":");
            Awaitility.await().until(() -> bed.server.underWay() == 1);
            Thread closing = new Thread(bed.server::close);
            closing.start();
            Awaitility.await().until(() -> bed.server.isStopping());

            raw.send("\"t\"} ");

            assertThat(raw.readLine()).startsWith("HTTP/1.1 201");
            closing.join(20_000);
            assertThat(closing.isAlive()).isFalse();
        }
    }
}
