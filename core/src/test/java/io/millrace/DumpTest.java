package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.internal.engine.HandClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DumpTest {
    private static final int THREADS = 8;
    private static final int MANY = THREADS * 2_000;
    private static final int HEADER = 16;
    private static final int HEAD = 13;
    private static final Duration SECOND = Duration.ofSeconds(1);

    @TempDir
    Path temporary;

    private DumpDirectory directory;
    private HandClock clock;

    @BeforeEach
    void open() {
        directory = new DumpDirectory(temporary.resolve("dump"));
        clock = directory.clock();
    }

    @Test
    void what_many_put_at_once_comes_back_once() throws Exception {
        try (Dump<String> dump =
                directory.dump().flushBytes(1_000).fileBytes(20_000).build()) {
            await(putByMany(dump));
            assertThat(dump.items()).isEqualTo(MANY);
        }
        assertThat(directory.names()).hasSizeGreaterThan(5);
        assertThat(directory.restored()).containsExactlyInAnyOrderElementsOf(many());
        assertThat(directory.names()).isEmpty();
    }

    @Test
    void a_restorer_works_beside_those_who_put() throws Exception {
        List<String> restored = new ArrayList<>();
        try (Restorer<String> restorer = directory.restorer(restored::add).build()) {
            try (Dump<String> dump =
                    directory.dump().flushBytes(300).fileBytes(3_000).build()) {
                List<Future<?>> putters = putByMany(dump);
                while (!putters.stream().allMatch(Future::isDone)) {
                    restorer.restoreNow();
                }
                await(putters);
            }
            assertThat(restorer.restoreNow().damages()).isEmpty();
        }
        assertThat(restored).containsExactlyInAnyOrderElementsOf(many());
    }

    private static List<String> many() {
        return IntStream.range(0, MANY).mapToObj(i -> "item " + i).toList();
    }

    private static List<Future<?>> putByMany(Dump<String> dump) {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        int each = MANY / THREADS;
        List<Future<?>> putters = new ArrayList<>();
        for (int from = 0; from < MANY; from += each) {
            List<String> items = many().subList(from, from + each);
            putters.add(pool.submit(() -> items.forEach(dump::put)));
        }
        pool.shutdown();
        return putters;
    }

    private static void await(List<Future<?>> putters) throws Exception {
        for (Future<?> putter : putters) {
            putter.get();
        }
    }

    @Test
    void items_of_one_thread_come_back_in_order_over_many_files() throws Exception {
        List<String> items = IntStream.range(0, 500).mapToObj(i -> "item " + i).toList();
        try (Dump<String> dump = directory.dump().flushBytes(1).fileBytes(1).build()) {
            items.forEach(dump::put);
        }
        assertThat(directory.names()).hasSize(500).allMatch(name -> name.endsWith(".dump"));
        assertThat(directory.restored()).isEqualTo(items);
    }

    @Test
    void an_item_waits_in_the_buffer_until_enough_bytes_have_come() throws Exception {
        try (Dump<String> dump = directory.dump().flushBytes(2 * (HEAD + 4)).build()) {
            dump.put("four");
            assertThat(directory.names()).isEmpty();
            dump.put("more");
            assertThat(dump.bytes()).isEqualTo(HEADER + 2 * (HEAD + 4));
            assertThat(Files.size(directory.path().resolve(directory.names().get(0))))
                    .isEqualTo(dump.bytes());
            dump.put("rest");
            assertThat(dump.bytes()).isEqualTo(HEADER + 2 * (HEAD + 4));
            assertThat(dump.items()).isEqualTo(3);
        }
    }

    @Test
    void an_item_is_flushed_when_it_has_waited_for_long_enough() {
        try (Dump<String> dump = directory.dump().flushEvery(SECOND).build()) {
            assertThat(clock.pending()).isEmpty();
            dump.put("first");
            clock.advance(Duration.ofMillis(600));
            dump.put("second");
            clock.advance(Duration.ofMillis(399));
            assertThat(dump.bytes()).isZero();
            clock.advance(Duration.ofMillis(1));
            assertThat(dump.bytes()).isEqualTo(HEADER + HEAD + 5 + HEAD + 6);
        }
    }

    @Test
    void no_timer_runs_while_nothing_is_buffered_and_no_file_is_open() {
        try (Dump<String> dump = directory.dump().fileBytes(1).build()) {
            dump.put("item");
            assertThat(clock.pending()).containsExactly(HandClock.START.plus(SECOND));
            dump.flush();
            assertThat(clock.pending()).isEmpty();
        }
    }

    @Test
    void flush_writes_what_is_buffered_and_nothing_if_nothing_is() throws Exception {
        try (Dump<String> dump = directory.dump().sync(true).build()) {
            dump.flush();
            assertThat(directory.names()).isEmpty();
            dump.put("item");
            dump.flush();
            long bytes = dump.bytes();
            assertThat(bytes).isEqualTo(HEADER + HEAD + 4);
            dump.flush();
            assertThat(dump.bytes()).isEqualTo(bytes);
        }
    }

    @Test
    void close_flushes_finishes_the_file_and_sets_no_timer() throws Exception {
        Dump<String> dump = directory.dump().build();
        dump.put("item");
        dump.close();
        assertThat(directory.names()).singleElement().asString().endsWith(".dump");
        assertThat(clock.pending()).isEmpty();

        dump.close();
        assertThat(directory.restored()).containsExactly("item");
    }

    @Test
    void a_closed_dump_takes_nothing() {
        Dump<String> dump = directory.dump().build();
        dump.close();
        assertThatThrownBy(() -> dump.put("late"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(directory.path().toString())
                .hasMessageContaining("closed");
        assertThat(dump.items()).isZero();
    }

    @Test
    void a_file_in_writing_is_not_read_until_its_time_is_over() throws Exception {
        try (Dump<String> dump =
                directory.dump().fileEvery(Duration.ofMinutes(1)).build()) {
            dump.put("item");
            dump.flush();
            assertThat(directory.names()).singleElement().asString().endsWith(".dump.open");
            assertThat(directory.restored()).isEmpty();

            clock.advance(Duration.ofMinutes(1));
            assertThat(directory.names()).singleElement().asString().endsWith(".dump");
            assertThat(directory.restored()).containsExactly("item");
            dump.put("next");
        }
        assertThat(directory.restored()).containsExactly("next");
    }

    @Test
    void two_dumps_share_a_directory() throws Exception {
        try (Dump<String> one = directory.dump().build();
                Dump<String> other = directory.dump().build()) {
            one.put("one");
            other.put("other");
        }
        assertThat(directory.names()).hasSize(2);
        assertThat(directory.restored()).containsExactlyInAnyOrder("one", "other");
    }

    @Test
    void json_and_empty_payloads_come_back_as_they_were() throws Exception {
        Codec passing = new Codec() {
            @Override
            public Payload encode(Object value) {
                return (Payload) value;
            }

            @Override
            public <T> T decode(Payload payload, Class<T> type) {
                return type.cast(payload);
            }
        };
        List<Payload> items =
                List.of(Payload.json("{\"a\":1}"), Payload.EMPTY, Payload.json(""), Payload.bytes(new byte[200_000]));
        try (Dump<Payload> dump =
                Dump.builder(directory.path(), Payload.class).codec(passing).build()) {
            items.forEach(dump::put);
            assertThatThrownBy(() -> dump.put(Payload.bytes(new byte[(64 << 20) + 1])))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("67108865 is not allowed; it must be between 0 and 67108864");
        }
        List<Payload> restored = new ArrayList<>();
        try (Restorer<Payload> restorer = Restorer.builder(directory.path(), Payload.class)
                .codec(passing)
                .into(restored::add, () -> 0)
                .build()) {
            restorer.restoreNow();
        }
        assertThat(restored).isEqualTo(items);
    }

    @Test
    void an_interrupted_thread_can_put_and_flush() throws Exception {
        try (Dump<String> dump = directory.dump().sync(true).build()) {
            dump.put("before");
            dump.flush();
            Thread.currentThread().interrupt();
            dump.put("item");
            dump.flush();
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(directory.names()).hasSize(1);
        assertThat(directory.restored()).containsExactly("before", "item");
    }
}
