package io.millrace.embedded;

import static io.millrace.embedded.TestStores.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Millrace;
import io.millrace.Payload;
import io.millrace.StoreUnavailableException;
import io.millrace.TaskQuery;
import io.millrace.internal.SystemClock;
import io.millrace.spi.TaskStore;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes and one directory. */
class OtherProcessTest {
    @TempDir
    Path directory;

    /** Opens the store, prints that it did, and the id of each task that it was acknowledged. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws InterruptedException {
            Millrace millrace = Millrace.open(arguments[0]);
            for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
                UUID id =
                        millrace.enqueue("topic", Payload.bytes(new byte[100])).id();
                System.out.println(id);
            }
            System.out.println("DONE");
            new CountDownLatch(1).await();
        }
    }

    @Test
    void a_directory_in_use_is_refused_with_its_holder_until_that_is_dead() throws Exception {
        String url = "embedded:" + directory.resolve("data");
        try (OtherProcess holder = new OtherProcess(128, Holder.class, url, "1")) {
            UUID id = UUID.fromString(holder.line());
            assertThatThrownBy(() -> Millrace.open(url))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(directory.resolve("data").toString())
                    .hasMessageContaining("process " + holder.pid());
            assertThatThrownBy(() -> EmbeddedRepair.repair(directory.resolve("data"), directory.resolve("repaired")))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("process " + holder.pid());
            holder.kill();
            try (Millrace millrace = Millrace.open(url)) {
                assertThat(millrace.find(id)).isPresent();
                assertThat(millrace.stream(TaskQuery.ALL)).hasSize(1);
            }
        }
    }

    @Test
    void what_was_acknowledged_without_a_force_survives_the_process() throws Exception {
        Path data = directory.resolve("data");
        String settings = "?segmentBytes=65536&forceEveryMillis=3600000";
        Set<UUID> acknowledged = new HashSet<>();
        try (OtherProcess holder = new OtherProcess(128, Holder.class, "embedded:" + data + settings, "100000")) {
            for (int i = 0; i < 500; i++) {
                acknowledged.add(UUID.fromString(holder.line()));
            }
            holder.kill();
            for (String line = holder.line(); line != null && line.length() == 36; line = holder.line()) {
                acknowledged.add(UUID.fromString(line));
            }
        }
        try (TaskStore store = TestStores.open(data, SystemClock.shared(), settings)) {
            assertThat(ids(store)).containsAll(acknowledged);
        }
    }
}
