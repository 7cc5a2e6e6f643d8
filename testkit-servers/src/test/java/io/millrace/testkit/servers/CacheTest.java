package io.millrace.testkit.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_METHOD)
class CacheTest {
    private final String name = "test-" + UUID.randomUUID();
    private final AtomicInteger fills = new AtomicInteger();

    @AfterEach
    void removeEntry() throws IOException {
        try (Stream<Path> all = Files.list(CommonDirectory.path())) {
            for (Path path : all.filter(path -> path.getFileName().toString().startsWith(name))
                    .toList()) {
                FileTree.delete(path);
            }
        }
    }

    private Path entry() throws IOException {
        return Cache.entry(name, directory -> {
            fills.incrementAndGet();
            Files.writeString(Files.createDirectory(directory.resolve("inner")).resolve("file"), "content");
        });
    }

    @Test
    void an_entry_is_filled_once() throws IOException {
        IntStream.range(0, 8).parallel().forEach(any -> {
            try {
                assertThat(entry().resolve("inner/file")).hasContent("content");
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(fills).hasValue(1);
    }

    @Test
    void an_entry_that_lost_a_file_is_filled_again() throws IOException {
        Files.delete(entry().resolve("inner/file"));
        assertThat(entry().resolve("inner/file")).hasContent("content");
        assertThat(fills).hasValue(2);
    }

    @Test
    void an_entry_that_could_not_be_filled_is_not_there() throws IOException {
        assertThatThrownBy(() -> Cache.entry(name, directory -> {
                    Files.writeString(directory.resolve("half"), "of it");
                    throw new IOException("disk full");
                }))
                .hasMessage("disk full");
        assertThat(CommonDirectory.path().resolve(name)).doesNotExist();
        assertThat(entry().resolve("half")).doesNotExist();
    }
}
