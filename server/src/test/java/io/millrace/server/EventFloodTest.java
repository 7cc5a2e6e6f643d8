package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.millrace.Event;
import io.millrace.Observer;
import io.millrace.server.Bed.Answer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listeners, many and slow, harm neither those who make events nor each other. */
class EventFloodTest {
    private static final Event EVENT = new Event.TaskChanged(UUID.randomUUID(), "t", Event.TaskChanged.Kind.RETRIED);

    private final List<RawHttp> clients = new ArrayList<>();
    private final List<Bed> beds = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (RawHttp client : clients) {
            client.close();
        }
        beds.forEach(Bed::close);
    }

    private Bed open(UnaryOperator<ServerOptions.Builder> settings) {
        Bed bed = new Bed(settings);
        beds.add(bed);
        return bed;
    }

    /** Sends a request and reads the status. */
    private String listen(Bed bed, String header) throws IOException {
        RawHttp client = RawHttp.reluctant(bed.server.port());
        clients.add(client);
        return client.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n")
                .readLine();
    }

    @Test
    void a_hundred_listeners_that_do_not_read_cost_the_producer_as_much_as_one() throws Exception {
        Bed bed = open(options -> options);
        Observer events = bed.server.events();
        assertThat(listen(bed, "")).contains("200");
        Awaitility.await().until(() -> bed.server.waiting() == 1);
        allocatedBy(events);
        for (int i = 1; i < 100; i++) {
            assertThat(listen(bed, "")).contains("200");
        }
        Awaitility.await().until(() -> bed.server.waiting() == 100);

        // a listener cost about 200 bytes
        assertThat(allocatedBy(events)).isLessThan(500);
    }

    /** Bytes that this thread takes for an event: it is told of it as producers are. */
    private static long allocatedBy(Observer events) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int count = 2_000;
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < count; i++) {
            events.on(EVENT);
        }
        return (threads.getCurrentThreadAllocatedBytes() - before) / count;
    }

    @Test
    void a_listener_that_is_too_slow_is_told_what_it_has_missed() throws Exception {
        Bed bed = open(options -> options.requestTimeout(Duration.ofMinutes(1)));
        assertThat(listen(bed, "")).contains("200");
        Awaitility.await().until(() -> bed.server.waiting() == 1);
        for (int i = 0; i < 200_000; i++) {
            bed.server.events().on(EVENT);
        }
        RawHttp client = clients.get(0);
        String line = "";
        while (!line.equals("event: missed")) {
            line = client.readLine();
            if (line.isEmpty()) {
                // so that there is always something to be told with
                bed.server.events().on(EVENT);
            }
        }
        assertThat(client.readLine()).startsWith("data: {\"count\":");
    }

    @Test
    void a_listener_that_takes_nothing_is_cut_off() throws Exception {
        Bed bed = open(options -> options.requestTimeout(Duration.ofMillis(500)));
        assertThat(listen(bed, "")).contains("200");
        Awaitility.await().until(() -> bed.server.waiting() == 1);

        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
            for (int i = 0; i < 5_000; i++) {
                bed.server.events().on(EVENT);
            }
            return bed.server.waiting() == 0;
        });
    }

    @Test
    void the_number_of_listeners_is_bounded_and_places_become_free() throws Exception {
        Bed bed = open(options -> options.eventListeners(2));
        assertThat(listen(bed, "")).contains("200");
        assertThat(listen(bed, "")).contains("200");

        Answer refused = bed.get("/v1/events");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.at("/type")).isEqualTo("urn:millrace:problem:too-many-listeners");
        assertThat(refused.response().headers().firstValue("Retry-After")).isPresent();

        clients.get(0).close();
        Awaitility.await().until(() -> listen(bed, "").contains("200"));
    }

    @Test
    void one_key_has_half_of_the_places() throws Exception {
        AccessKey.Generated one = AccessKey.generate("one", Role.VIEWER, Set.of());
        AccessKey.Generated other = AccessKey.generate("other", Role.VIEWER, Set.of());
        Bed bed = open(options -> options.eventListeners(4).keys(List.of(one.key(), other.key())));
        String first = "Authorization: Bearer " + one.secret() + "\r\n";
        assertThat(listen(bed, first)).contains("200");
        assertThat(listen(bed, first)).contains("200");
        assertThat(listen(bed, first)).contains("429");
        assertThat(listen(bed, "Authorization: Bearer " + other.secret() + "\r\n"))
                .contains("200");
    }
}
