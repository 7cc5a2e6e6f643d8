package io.millrace.benchmarks.durable;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DurableLogTest {
    private static final int THREADS = 8;
    private static final int PER_THREAD = 50;

    @TempDir
    Path directory;

    enum Peer {
        BARE {
            @Override
            DurableLog open(Path path) throws IOException {
                return new BareLog(path);
            }
        },
        SQLITE {
            @Override
            DurableLog open(Path path) throws IOException {
                return new SqliteLog(path);
            }
        },
        ROCKS {
            @Override
            DurableLog open(Path path) throws IOException {
                return new RocksLog(path);
            }
        };

        abstract DurableLog open(Path path) throws IOException;
    }

    @ParameterizedTest
    @EnumSource
    void what_many_threads_appended_is_there_after_reopening(Peer peer) throws Exception {
        try (DurableLog log = peer.open(directory.resolve("log"))) {
            inParallel(thread -> {
                for (int i = 0; i < PER_THREAD; i++) {
                    log.append(record(thread, i));
                }
            });
        }
        try (DurableLog log = peer.open(directory.resolve("log"))) {
            assertKept(log.read());
        }
    }

    @ParameterizedTest
    @EnumSource
    void what_is_appended_after_reopening_follows_what_was_there(Peer peer) throws Exception {
        for (int i = 0; i < 3; i++) {
            try (DurableLog log = peer.open(directory.resolve("log"))) {
                log.append(record(0, i));
            }
        }
        try (DurableLog log = peer.open(directory.resolve("log"))) {
            assertThat(log.read()).containsExactly(record(0, 0), record(0, 1), record(0, 2));
        }
    }

    @ParameterizedTest
    @EnumSource
    void records_appended_together_are_all_there(Peer peer) throws Exception {
        try (DurableLog log = peer.open(directory.resolve("log"))) {
            inParallel(thread -> log.appendAll(IntStream.range(0, PER_THREAD)
                    .mapToObj(i -> record(thread, i))
                    .toList()));
        }
        try (DurableLog log = peer.open(directory.resolve("log"))) {
            assertKept(log.read());
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_copy_taken_while_open_holds_what_was_acknowledged(Peer peer) throws Exception {
        Path original = Files.createDirectory(directory.resolve("original"));
        Path copy = Files.createDirectory(directory.resolve("copy"));
        try (DurableLog log = peer.open(peer == Peer.ROCKS ? original : original.resolve("log"))) {
            inParallel(thread -> {
                for (int i = 0; i < PER_THREAD; i++) {
                    log.append(record(thread, i));
                }
            });
            try (var files = Files.list(original)) {
                for (Path file : files.toList()) {
                    Files.copy(file, copy.resolve(file.getFileName()));
                }
            }
        }
        try (DurableLog log = peer.open(peer == Peer.ROCKS ? copy : copy.resolve("log"))) {
            assertKept(log.read());
        }
    }

    private static byte[] record(int thread, int i) {
        byte[] record = new byte[200];
        record[0] = (byte) thread;
        record[1] = (byte) i;
        return record;
    }

    private static void assertKept(List<byte[]> records) {
        assertThat(records).hasSize(THREADS * PER_THREAD);
        for (int thread = 0; thread < THREADS; thread++) {
            int wanted = thread;
            assertThat(records.stream().filter(record -> record[0] == wanted).map(record -> (int) record[1]))
                    .containsExactlyElementsOf(
                            IntStream.range(0, PER_THREAD).boxed().toList());
        }
    }

    private interface Appends {
        void run(int thread) throws Exception;
    }

    private static void inParallel(Appends appends) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                ends.add(threads.submit(() -> {
                    appends.run(thread);
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
