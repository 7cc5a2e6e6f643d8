package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.InvalidValueException;
import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.testkit.client.MillraceFixture;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is different from an engine in the same process, and what only looks as if it were. */
class BordersTest {
    private final ServedMillrace fixture =
            new ServedMillrace("heap:", MillraceFixture.quick().build());
    private final Millrace client = fixture.millrace();

    @AfterEach
    void close() {
        fixture.close();
    }

    private Task finished(UUID id) throws Exception {
        return client.finished(id).get(60, TimeUnit.SECONDS);
    }

    record Mail(String to, int copies) {}

    @Test
    void typed_payloads_and_results_go_through_the_codec() throws Exception {
        client.handle("mail", Mail.class, (mail, context) -> context.result(new Mail(mail.to(), mail.copies() + 1)));

        Task task =
                finished(client.enqueue("mail", new Mail("ä@example.org", 1)).id());

        assertThat(task.result()).isNotNull();
        assertThat(task.result().text()).contains("ä@example.org", "2");
    }

    @Test
    void json_that_is_none_is_refused_before_it_breaks_the_request() {
        for (String text : List.of("{", "1}, {\"topic\": \"other\"", "1 2", "nothing")) {
            NewTask task = NewTask.builder("t").payload(Payload.json(text)).build();
            assertThatThrownBy(() -> client.enqueue(task))
                    .isInstanceOfSatisfying(
                            InvalidValueException.class,
                            e -> assertThat(e.field()).isEqualTo("payload"));
        }
        assertThat(client.stream(TaskQuery.ALL)).isEmpty();
    }

    @Test
    void a_result_that_is_no_json_fails_its_task() throws Exception {
        client.handle("t", (payload, context) -> context.result(Payload.json("}")));

        Task task = finished(client.enqueue(NewTask.builder("t").build()).id());

        assertThat(task.state()).isEqualTo(TaskState.FAILED);
        assertThat(task.lastError()).contains("cannot be kept");
    }

    @Test
    void tasks_that_wait_for_others_belong_next_to_the_store() throws Exception {
        assertThatThrownBy(() -> client.enqueue(NewTask.builder("t").waitFor(1).build()))
                .isInstanceOfSatisfying(
                        InvalidValueException.class, e -> assertThat(e.field()).isEqualTo("waitFor"));
        client.handle(
                "t", (payload, context) -> context.spawn(NewTask.builder("next").build()));
        Task task = finished(client.enqueue(NewTask.builder("t").build()).id());
        assertThat(task.state()).isEqualTo(TaskState.FAILED);
        assertThat(task.lastError()).contains("only handlers next to the store");
    }

    @Test
    void copies_of_the_store_are_made_where_it_is() {
        assertThatThrownBy(() -> client.backUp(Path.of("copy"))).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(client::local).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void what_the_server_refuses_is_told_in_full() {
        NewTask good = NewTask.builder("t").build();
        List<NewTask> tasks = new ArrayList<>(List.of(good));
        Instant past = Instant.parse("2020-01-01T00:00:00Z");
        tasks.addAll(Stream.generate(() -> NewTask.builder("t").deadline(past).build())
                .limit(14)
                .toList());

        InvalidValueException two =
                catchThrowableOfType(InvalidValueException.class, () -> client.enqueue(tasks.subList(0, 3)));
        assertThat(two.field()).isEqualTo("deadline");
        assertThat(two)
                .hasMessageStartingWith("deadline: 2020-01-01T00:00:00Z is not allowed; ")
                .hasMessageContaining("; and /2/deadline: 2020-01-01T00:00:00Z is not allowed; ");
        InvalidValueException many = catchThrowableOfType(InvalidValueException.class, () -> client.enqueue(tasks));
        assertThat(many)
                .hasMessageContaining("; and /10/deadline: ")
                .hasMessageNotContaining("/11/deadline")
                .hasMessageEndingWith("; and 4 more");
        assertThat(client.find(good.id())).isEmpty();
    }

    @Test
    void a_server_that_is_no_millrace_is_told_apart() {
        assertThatThrownBy(() -> Millrace.open("http://127.0.0.1:1/#x")).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> Millrace.open("http:///path")).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void large_batches_are_split_by_their_size() throws Exception {
        Payload large = Payload.bytes(new byte[1 << 20]);
        var answers = IntStream.range(0, 40)
                .mapToObj(i -> client.enqueueAsync(
                        List.of(NewTask.builder("t").payload(large).build())))
                .toList();

        for (var answer : answers) {
            assertThat(answer.get(60, TimeUnit.SECONDS)).hasSize(1);
        }
    }
}
