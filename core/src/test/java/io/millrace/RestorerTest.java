package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.internal.engine.HandClock;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestorerTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @TempDir
    Path temporary;

    private DumpDirectory directory;
    private HandClock clock;
    private final List<String> restored = new ArrayList<>();
    private double rate;

    @BeforeEach
    void open() {
        directory = new DumpDirectory(temporary.resolve("dump"));
        clock = directory.clock();
    }

    private Restorer.Builder<String> filling() {
        return directory
                .restorer(restored::add)
                .into(
                        item -> {
                            restored.add(item);
                            rate += 0.25;
                        },
                        () -> rate);
    }

    @Test
    void a_directory_that_is_not_there_has_nothing_to_restore() throws Exception {
        try (Restorer<String> restorer = filling().build()) {
            assertThat(restorer.restoreNow()).isEqualTo(new RestoreReport(0, 0, false, List.of()));
        }
    }

    @Test
    void a_directory_that_is_none_is_trouble() throws Exception {
        Files.writeString(directory.path(), "a file");
        try (Restorer<String> restorer = filling().build()) {
            assertThatThrownBy(restorer::restoreNow)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining(directory.path().toString())
                    .hasMessageContaining("the next look tries again");
        }
    }

    @Test
    void puts_only_while_the_rate_is_below_the_allowed_one() throws Exception {
        directory.write("a", "b", "c", "d", "e");
        try (Restorer<String> restorer = filling().allowedRate(0.75).build()) {
            assertThat(restorer.restoreNow()).isEqualTo(new RestoreReport(3, 0, true, List.of()));
            assertThat(restored).containsExactly("a", "b", "c");
            assertThat(restorer.restoreNow()).isEqualTo(new RestoreReport(0, 0, true, List.of()));
            rate = 0;
            assertThat(restorer.restoreNow()).isEqualTo(new RestoreReport(2, 1, false, List.of()));
            assertThat(restored).containsExactly("a", "b", "c", "d", "e");
        }
        assertThat(directory.names()).isEmpty();
    }

    @Test
    void an_unknown_rate_postpones() throws Exception {
        directory.write("a");
        try (Restorer<String> restorer =
                filling().into(restored::add, () -> Double.NaN).build()) {
            assertThat(restorer.restoreNow().postponed()).isTrue();
            assertThat(restored).isEmpty();
        }
    }

    @Test
    void once_started_it_looks_again_and_again() throws Exception {
        try (Restorer<String> restorer = filling().checkEvery(SECOND).build()) {
            restorer.start();
            restorer.start();
            assertThat(clock.pending()).hasSize(1);
            directory.write("a", "b", "c", "d", "e");
            clock.advance(SECOND);
            assertThat(restored).containsExactly("a", "b", "c", "d");

            clock.advance(SECOND);
            assertThat(restored).hasSize(4);
            rate = 0;
            directory.write("later");
            clock.advance(SECOND.minusMillis(1));
            assertThat(restored).hasSize(4);
            clock.advance(Duration.ofMillis(1));
            assertThat(restored).containsExactly("a", "b", "c", "d", "e", "later");
        }
        assertThat(clock.pending()).isEmpty();
    }

    @Test
    void a_target_that_fails_gets_the_same_item_again_and_none_twice() throws Exception {
        directory.write("a", "b", "c");
        List<RuntimeException> failures = new ArrayList<>(List.of(new IllegalStateException("out of order")));
        Enqueuer<String> failing = item -> {
            if (item.equals("b") && !failures.isEmpty()) {
                throw failures.remove(0);
            }
            restored.add(item);
        };
        try (Restorer<String> restorer = directory.restorer(failing).build()) {
            assertThatThrownBy(restorer::restoreNow).hasMessage("out of order");
            assertThat(directory.names()).hasSize(1);
            assertThat(restorer.restoreNow()).isEqualTo(new RestoreReport(2, 1, false, List.of()));
        }
        assertThat(restored).containsExactly("a", "b", "c");
    }

    @Test
    void a_started_restorer_survives_a_target_that_fails() throws Exception {
        directory.write("a", "b");
        List<RuntimeException> failures = new ArrayList<>(List.of(new StoreUnavailableException("down", null)));
        Enqueuer<String> failing = item -> {
            if (!failures.isEmpty()) {
                throw failures.remove(0);
            }
            restored.add(item);
        };
        try (Restorer<String> restorer = directory.restorer(failing).build()) {
            restorer.start();
            clock.advance(SECOND);
            assertThat(restored).isEmpty();
            clock.advance(SECOND);
            assertThat(restored).containsExactly("a", "b");
        }
    }

    @Test
    void an_interrupted_run_continues_where_it_was() throws Exception {
        directory.write("a", "b", "c");
        Enqueuer<String> interrupted = item -> {
            if (item.equals("b") && restored.size() == 1) {
                restored.add("interrupted");
                throw new InterruptedException();
            }
            restored.add(item);
        };
        try (Restorer<String> restorer = directory.restorer(interrupted).build()) {
            assertThatThrownBy(restorer::restoreNow).isInstanceOf(InterruptedException.class);
            restorer.restoreNow();
        }
        assertThat(restored).containsExactly("a", "interrupted", "b", "c");
    }

    @Test
    void a_file_half_restored_is_read_from_its_beginning_by_the_next_restorer_only() throws Exception {
        directory.write("a", "b", "c", "d", "e");
        try (Restorer<String> restorer = filling().build()) {
            restorer.restoreNow();
            assertThat(directory.restored()).as("held by the first").isEmpty();
        }
        assertThat(directory.restored()).containsExactly("a", "b", "c", "d", "e");
    }

    @Test
    void close_does_not_wait_for_a_put_and_lets_go_of_the_file_after_it() throws Exception {
        directory.write("a", "b");
        CountDownLatch putting = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Restorer<String> restorer = directory
                .restorer(item -> {
                    putting.countDown();
                    go.await();
                    restored.add(item);
                })
                .build();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Future<RestoreReport> run = thread.submit(restorer::restoreNow);
        putting.await();
        restorer.close();
        go.countDown();
        assertThat(run.get()).isEqualTo(new RestoreReport(1, 0, true, List.of()));
        thread.shutdown();

        assertThatThrownBy(restorer::restoreNow).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(restorer::start).isInstanceOf(IllegalStateException.class);
        assertThat(directory.restored()).containsExactly("a", "b");
    }

    @Test
    void a_listener_that_fails_on_a_damage_is_no_hindrance() throws Exception {
        directory.write("a", "?b", "c");
        Restorer.Builder<String> builder = filling().onDamage(damage -> {
            throw new IllegalStateException("no ears");
        });
        try (Restorer<String> restorer = builder.build()) {
            assertThat(restorer.restoreNow().damages()).hasSize(1);
        }
        assertThat(restored).containsExactly("a", "c");
    }

    @Test
    void a_file_that_cannot_be_opened_is_left_and_later_ones_are_restored() throws Exception {
        directory.write("later");
        Path unreadable = Files.createDirectory(directory.path().resolve("000.dump"));
        try (Restorer<String> restorer = filling().build()) {
            RestoreReport report = restorer.restoreNow();
            assertThat(restored).containsExactly("later");
            assertThat(report.damages()).singleElement().satisfies(damage -> {
                assertThat(damage.file()).isEqualTo(unreadable);
                assertThat(damage.what()).startsWith("it cannot be read now and is tried again (");
            });
        }
    }
}
