package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.server.Bed.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** All bodies and pages together take a part of the memory, and clients that do not read take none for long. */
class BudgetTest {
    private final Bed bed = new Bed(options -> options.requestTimeout(Duration.ofSeconds(5)));
    private final List<RawHttp> clients = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (RawHttp client : clients) {
            client.close();
        }
        bed.close();
    }

    private RawHttp client() throws IOException {
        RawHttp client = RawHttp.reluctant(bed.server.port());
        clients.add(client);
        return client;
    }

    /** Takes all that large bodies may have, as other requests would. */
    private Budget.Charge useUp() {
        Budget.Charge charge = bed.server.budget().charge();
        charge.set(bed.server.budget().largestBody());
        return charge;
    }

    private static String task(int bytes) {
        return "{\"topic\": \"t\", \"payload\": \"" + "a".repeat(bytes) + "\"}";
    }

    @Test
    void beyond_the_budget_large_bodies_are_503_and_small_ones_get_through() throws Exception {
        String worker = bed.worker();
        Budget.Charge others = useUp();

        Answer announced = bed.post("/v1/tasks", task(200_000));
        assertThat(announced.status()).isEqualTo(503);
        assertThat(announced.at("/type")).isEqualTo("urn:millrace:problem:unavailable");
        assertThat(announced.response().headers().firstValue("Retry-After")).isPresent();
        assertThat(bed.ndjson(task(200_000) + "\n").status()).isEqualTo(503);
        String chunk = "a".repeat(100_000);
        assertThat(client().send("POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                                + Integer.toHexString(chunk.length()) + "\r\n" + chunk + "\r\n")
                        .readAll())
                .contains(" 503 ")
                .contains("Retry-After");

        assertThat(bed.post("/v1/tasks", task(1_000)).status()).isEqualTo(201);
        assertThat(bed.ndjson(task(1_000) + "\n").status()).isEqualTo(201);
        assertThat(bed.ping(worker, "{}").status()).isEqualTo(200);

        others.release();
        assertThat(bed.post("/v1/tasks", task(200_000)).status()).isEqualTo(201);
    }

    @Test
    void what_has_come_is_charged_and_not_what_is_announced() throws Exception {
        long announced = bed.server.budget().largestBody() / 2;
        for (int i = 0; i < 4; i++) {
            client().send("POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                    + Math.min(announced, 32 << 20) + "\r\n\r\n" + "a".repeat(100_000));
        }
        Awaitility.await().until(() -> bed.server.budget().used() >= 800_000);
        assertThat(bed.server.budget().used()).isLessThan(1_000_000);
        assertThat(bed.post("/v1/tasks", task(200_000)).status()).isEqualTo(201);

        clients.get(0).close();
        clients.get(1).close();
        Awaitility.await().until(() -> bed.server.budget().used() < 500_000);
        // the others are too slow
        Awaitility.await().until(() -> bed.server.budget().used() == 0);
    }

    @Test
    void the_charge_is_given_back_however_a_request_ends() throws Exception {
        bed.post("/v1/tasks", task(200_000));
        bed.post("/v1/tasks", task(200_000) + "x");
        bed.post("/v1/nowhere", task(200_000));
        bed.ndjson((task(100_000) + "\n").repeat(30));
        bed.ndjson(task(100_000) + "\n{");
        bed.claim(bed.worker(), "{\"max\": 1" + " ".repeat(200_000) + "}");
        bed.delete("/v1/tasks?topic=t");
        Awaitility.await().until(() -> bed.server.budget().used() == 0);
    }

    @Test
    void a_claim_that_waits_does_not_hold_its_body() throws Exception {
        String worker = bed.worker();
        client().post("/v1/workers/" + worker + "/claim", "{\"wait\": \"1m\"" + " ".repeat(200_000) + "}");
        Awaitility.await().until(() -> bed.server.waiting() == 1);
        Awaitility.await().until(() -> bed.server.budget().used() == 0);
    }

    @Test
    void a_charge_that_is_held_survives_the_end_of_its_request() {
        Budget budget = new Budget(1 << 20);
        Budget.Charge charge = budget.charge();
        charge.set(100_000);
        charge.hold();
        charge.release();
        assertThat(budget.used()).isEqualTo(200_000);
        assertThatThrownBy(() -> budget.charge().set(400_000)).isInstanceOf(ProblemException.class);
        charge.release();
        assertThat(budget.used()).isZero();
    }

    private void enqueueLarge(int tasks) {
        for (int i = 0; i < tasks; i++) {
            bed.millrace.enqueue(NewTask.builder("t")
                    .payload(Payload.json("\"" + "x".repeat(1_000_000) + "\""))
                    .build());
        }
    }

    @Test
    void a_page_of_large_tasks_ends_early_and_goes_on() {
        enqueueLarge(20);
        int tasks = 0;
        int pages = 0;
        String cursor = "";
        do {
            Answer answer = bed.get("/v1/tasks?limit=1000" + cursor);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text().length()).isLessThan(13 << 20);
            JsonNode page = answer.json();
            tasks += page.at("/tasks").size();
            pages++;
            cursor = page.has("next") ? "&cursor=" + page.at("/next").asString() : "";
        } while (!cursor.isEmpty());
        assertThat(tasks).isEqualTo(20);
        assertThat(pages).isBetween(2, 4);
    }

    @Test
    void requests_in_a_row_are_answered_only_as_far_as_answers_are_taken() throws Exception {
        enqueueLarge(8);
        RawHttp client = client();
        client.send("GET /v1/tasks?limit=8 HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(50));
        Awaitility.await().until(() -> bed.server.budget().used() > 0);
        // it takes nothing, and is cut off; meanwhile there is one page, or the next one
        long[] most = {0};
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
            most[0] = Math.max(most[0], bed.server.budget().used());
            return bed.server.budget().used() == 0;
        });
        assertThat(most[0]).isLessThan(3L * Budget.FACTOR * (9 << 20));
    }

    @Test
    void a_stream_that_nobody_reads_is_cut_off() throws Exception {
        enqueueLarge(20);
        client().send("GET /v1/tasks HTTP/1.1\r\nHost: localhost\r\n\r\n").readLine();
        Awaitility.await().until(() -> bed.server.underWay() == 1);
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> bed.server.underWay() == 0);
    }
}
