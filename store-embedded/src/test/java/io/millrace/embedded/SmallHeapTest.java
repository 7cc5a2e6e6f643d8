package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.StoreFullException;
import io.millrace.TaskQuery;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process with little memory that enqueues for ever is refused before it runs out of it, and can be started again. */
class SmallHeapTest {
    private static final int MEGABYTES = 64;

    @TempDir
    Path directory;

    static final class Filling {
        private Filling() {}

        public static void main(String[] arguments) {
            long count = 0;
            try (Millrace millrace = Millrace.open(arguments[0])) {
                while (true) {
                    List<NewTask> batch = batch(Integer.parseInt(arguments[1]));
                    count += millrace.enqueue(batch).size();
                }
            } catch (StoreFullException e) {
                System.out.println(count);
            }
        }

        /** About 100 kB, in tasks with more than a payload. */
        private static List<NewTask> batch(int bytes) {
            List<NewTask> batch = new ArrayList<>();
            for (int sum = 0; sum < 100_000; sum += bytes + 100) {
                NewTask.Builder task = NewTask.builder("topic").payload(Payload.bytes(new byte[bytes]));
                String id = task.build().id().toString();
                batch.add(task.uniqueKey(id)
                        .scope("a", "b " + id, "c")
                        .entityId(id)
                        .build());
            }
            return batch;
        }
    }

    static final class Counting {
        private Counting() {}

        public static void main(String[] arguments) {
            try (Millrace millrace = Millrace.open(arguments[0])) {
                System.out.println(millrace.count(TaskQuery.ALL).get(0).count());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {50, 300_000, 1 << 20})
    void it_ends_in_a_refusal_and_not_without_memory(int bytes) throws Exception {
        String url = "embedded:" + directory.resolve("data");
        String count;
        String lazy = url + "?forceEveryMillis=1000";
        try (OtherProcess filling = new OtherProcess(MEGABYTES, Filling.class, lazy, Integer.toString(bytes))) {
            count = filling.line();
            assertThat(count).isNotNull();
            assertThat(filling.line()).as("it has ended").isNull();
        }
        try (OtherProcess counting = new OtherProcess(MEGABYTES, Counting.class, url)) {
            assertThat(counting.line()).isEqualTo(count);
        }
    }
}
