package io.millrace.benchmarks.against;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContestTest {
    private static final Path SOURCES = Path.of("src", "main");

    @TempDir
    private Path directory;

    private Contest.Start start(String name) throws IOException {
        String classPath =
                Checkout.compile(SOURCES, System.getProperty("java.class.path"), directory.resolve("classes"));
        return () -> Side.start(name, classPath, List.of("-Xmx128m"));
    }

    @Test
    void both_sides_run_every_workload_and_take_turns_at_being_first() throws Exception {
        List<String> order = new ArrayList<>();
        Contest contest = new Contest(2, 1, 2, (side, workload) -> {
            order.add(workload + " " + side.name());
            Path data = directory.resolve("data" + order.size());
            double rate = side.measure(workload, 200, "embedded:" + data);
            assertThat(data).isNotEmptyDirectory();
            return rate;
        });

        Map<String, Contest.Figures> figures =
                contest.run(List.of("drain", "singles", "bulk"), start("ours"), start("theirs"));

        assertThat(figures).containsOnlyKeys("drain", "singles", "bulk");
        figures.values().forEach(each -> {
            assertThat(each.ours()).hasSize(2).allMatch(rate -> rate > 0);
            assertThat(each.theirs()).hasSize(2).allMatch(rate -> rate > 0);
        });
        assertThat(order).hasSize(2 * 3 * (1 + 2) * 2).startsWith("drain ours", "drain theirs", "drain ours");
        assertThat(order.subList(18, 36)).startsWith("drain theirs", "drain ours", "drain theirs");
    }

    @Test
    void a_side_that_fails_is_named_with_its_error() throws Exception {
        try (Side side = start("theirs").start()) {
            assertThatThrownBy(() -> side.measure("drain", 10, "nosuch:"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("theirs")
                    .hasMessageContaining("nosuch");
        }
    }

    @Test
    void a_checkout_without_a_class_path_is_refused() throws IOException {
        Files.createDirectories(directory.resolve("benchmarks"));
        assertThatThrownBy(() -> Checkout.classPath(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(directory.toString());
    }
}
