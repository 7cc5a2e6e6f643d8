package io.millrace.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Codec;
import io.millrace.Discard;
import io.millrace.Dump;
import io.millrace.Enqueuer;
import io.millrace.ItemHandler;
import io.millrace.Millrace;
import io.millrace.Payload;
import io.millrace.RestoreReport;
import io.millrace.Restorer;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.WorkQueue;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a queue can leak or pass on to: another queue, a topic, a dump, nothing. */
class TargetsTest {
    private static final class Texts implements Codec {
        @Override
        public Payload encode(Object value) {
            return Payload.bytes(value.toString().getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public <T> T decode(Payload payload, Class<T> type) {
            return type.cast(payload.text());
        }
    }

    /** A queue with room for one, whose only worker is busy. */
    private static WorkQueue<String> busy(Gate gate, Enqueuer<? super String> target) throws InterruptedException {
        WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(1)
                .workers(1)
                .deadLetter(target)
                .handler(gate)
                .build();
        queue.put("runs");
        gate.awaitBegun(1);
        queue.put("waits");
        return queue;
    }

    @Test
    void a_queue_leaks_to_another_queue() throws Exception {
        Gate gate = new Gate();
        Gate other = Gate.opened();
        try (WorkQueue<Object> overflow = WorkQueue.builder()
                        .capacity(10)
                        .workers(1)
                        .handler(item -> other.handle(item.toString()))
                        .build();
                WorkQueue<String> queue = busy(gate, overflow)) {
            queue.put("leaks");
            other.awaitHandled(1);
            assertThat(other.handled()).containsExactly("leaks");
            gate.open();
            gate.awaitHandled(2);
            assertThat(gate.handled()).containsExactly("runs", "waits");
        }
    }

    @Test
    void queues_leak_in_a_line_until_one_has_room() throws Exception {
        Gate gate = new Gate();
        Gate other = new Gate();
        Discard<String> end = new Discard<>();
        try (WorkQueue<String> second = busy(other, end);
                WorkQueue<String> first = busy(gate, second)) {
            first.put("falls through");
            assertThat(end.count()).isEqualTo(1);
            assertThat(first.totals().leaked()).isEqualTo(1);
            assertThat(second.totals().leaked()).isEqualTo(1);
            other.open();
            other.awaitHandled(2);
            first.put("finds room");
            other.awaitHandled(3);
            assertThat(other.handled()).containsExactly("runs", "waits", "finds room");
            assertThat(end.count()).isEqualTo(1);
            gate.open();
        }
    }

    @Test
    void a_discard_counts_and_refuses_nothing_but_nothing() throws Exception {
        Gate gate = new Gate();
        Discard<String> discard = new Discard<>();
        try (WorkQueue<String> queue = busy(gate, discard)) {
            for (int i = 0; i < 1_000; i++) {
                queue.put("item " + i);
            }
            assertThat(discard.count()).isEqualTo(1_000);
            assertThat(queue.totals().leaked()).isEqualTo(1_000);
            gate.open();
        }
        assertThat(discard.count()).isEqualTo(1_000);
        new Refusal(() -> discard.put(null), "item", "null", "it is required").check();
    }

    @Test
    void what_leaked_to_a_dump_comes_back_when_there_is_room(@TempDir Path directory) throws Exception {
        Gate gate = new Gate();
        Dump<String> dump = Dump.builder(directory, String.class)
                .codec(new Texts())
                .sync(false)
                .build();
        try (WorkQueue<String> queue = busy(gate, dump);
                Restorer<String> restorer = Restorer.builder(directory, String.class)
                        .codec(new Texts())
                        .into(queue)
                        .build()) {
            queue.put("grüße");
            queue.put("second");
            assertThat(dump.items()).isEqualTo(2);
            dump.close();
            assertThat(restorer.restoreNow()).as("no room yet").isEqualTo(new RestoreReport(0, 0, true, List.of()));
            gate.open();
            Background.until(() -> !restorer.restoreNow().postponed());
            gate.awaitHandled(4);
            assertThat(gate.handled()).containsExactly("runs", "waits", "grüße", "second");
            assertThat(directory).isEmptyDirectory();
        }
    }

    @Test
    void what_is_left_when_a_queue_is_closed_waits_in_the_dump(@TempDir Path directory) throws Exception {
        try (Dump<String> dump = Dump.builder(directory, String.class)
                .codec(new Texts())
                .sync(false)
                .build()) {
            assertThat(busy(new Gate(), dump).closeNow()).isEmpty();
        }
        Gate next = Gate.opened();
        try (WorkQueue<String> queue = WorkQueue.<String>builder()
                        .capacity(10)
                        .workers(1)
                        .handler(next)
                        .build();
                Restorer<String> restorer = Restorer.builder(directory, String.class)
                        .codec(new Texts())
                        .into(queue)
                        .build()) {
            assertThat(restorer.restoreNow().items()).isEqualTo(2);
            next.awaitHandled(2);
            assertThat(next.handled()).containsExactlyInAnyOrder("runs", "waits");
        }
    }

    private static List<String> payloads(Millrace millrace, String topic) {
        try (Stream<Task> tasks = millrace.stream(TaskQuery.ALL.topic(topic))) {
            return tasks.map(task -> task.payload().text()).sorted().toList();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void a_queue_leaks_and_sends_its_failures_to_topics() throws Exception {
        Gate gate = new Gate();
        try (Millrace millrace = Millrace.open("heap:");
                WorkQueue<byte[]> queue = WorkQueue.<byte[]>builder()
                        .capacity(1)
                        .workers(1)
                        .deadLetter(millrace.enqueuer("dead"))
                        .handler(item -> {
                            gate.handle(new String(item, StandardCharsets.UTF_8));
                            throw new IllegalArgumentException("fails");
                        })
                        .build()) {
            queue.put(bytes("fails 1"));
            gate.awaitBegun(1);
            queue.put(bytes("fails 2"));
            queue.put(bytes("leaks"));
            assertThat(payloads(millrace, "dead")).containsExactly("leaks");
            gate.open();
            Background.until(() -> payloads(millrace, "dead").size() == 3);
            assertThat(payloads(millrace, "dead")).containsExactly("fails 1", "fails 2", "leaks");
            new Refusal(() -> millrace.enqueuer("a b"), "topic", "\"a b\"", "1 to 200 letters").check();
        }
    }

    @Test
    void a_tree_of_handlers_ends_in_another_queue_and_in_a_topic() throws Exception {
        Gate leaf = Gate.opened();
        try (Millrace millrace = Millrace.open("heap:");
                WorkQueue<byte[]> next = WorkQueue.<byte[]>builder()
                        .capacity(10)
                        .workers(1)
                        .handler(item -> leaf.handle(new String(item, StandardCharsets.UTF_8)))
                        .build();
                WorkQueue<byte[]> root = WorkQueue.<byte[]>builder()
                        .capacity(10)
                        .workers(2)
                        .handler(ItemHandler.asyncChain(
                                ItemHandler.transit(next),
                                ItemHandler.chain(item -> {}, ItemHandler.transit(millrace.enqueuer("leaf")))))
                        .build()) {
            root.put(bytes("a"));
            root.put(bytes("b"));
            root.close();
            leaf.awaitHandled(2);
            assertThat(leaf.handled()).containsExactlyInAnyOrder("a", "b");
            assertThat(payloads(millrace, "leaf")).containsExactly("a", "b");
        }
    }
}
