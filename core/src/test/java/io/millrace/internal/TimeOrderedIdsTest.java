package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimeOrderedIdsTest {
    private static final int THREADS = 4;
    private static final int EACH = 250_000;

    @Test
    void ids_are_uuids_of_version_7_with_the_time_in_front() {
        long before = System.currentTimeMillis();
        for (int i = 0; i < 1_000; i++) {
            UUID id = TimeOrderedIds.next();
            assertThat(id.version()).isEqualTo(7);
            assertThat(id.variant()).isEqualTo(2);
            assertThat(millis(id)).isGreaterThanOrEqualTo(before);
        }
    }

    @Test
    void each_id_is_greater_than_the_one_before_as_uuid_and_as_text() {
        UUID last = TimeOrderedIds.next();
        for (int i = 0; i < 20_000; i++) {
            UUID next = TimeOrderedIds.next();
            assertThat(next.compareTo(last)).isPositive();
            assertThat(next.toString().compareTo(last.toString())).isPositive();
            last = next;
        }
    }

    @Test
    void ids_of_many_threads_are_ordered_and_unique() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            UUID before = TimeOrderedIds.next();
            CyclicBarrier start = new CyclicBarrier(THREADS);
            Callable<long[]> ordered = () -> {
                start.await();
                return orderedIds();
            };
            List<Future<long[]>> futures = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                futures.add(pool.submit(ordered));
            }
            long[] all = new long[THREADS * EACH];
            for (int i = 0; i < THREADS; i++) {
                System.arraycopy(futures.get(i).get(), 0, all, i * EACH, EACH);
            }
            UUID after = TimeOrderedIds.next();

            Arrays.sort(all);
            assertThat(all[0]).isGreaterThan(before.getMostSignificantBits());
            assertThat(all[all.length - 1]).isLessThan(after.getMostSignificantBits());
            assertThat(all).hasSize(1_000_000);
            assertThat(IntStream.range(1, all.length).filter(i -> all[i] == all[i - 1]))
                    .isEmpty();
        } finally {
            pool.shutdownNow();
        }
    }

    /** The upper halves, which hold time and counter and are in order by themselves. */
    private static long[] orderedIds() {
        long[] ids = new long[EACH];
        for (int i = 0; i < EACH; i++) {
            ids[i] = TimeOrderedIds.next().getMostSignificantBits();
            if (i > 0 && ids[i] <= ids[i - 1]) {
                throw new AssertionError(ids[i] + " came after " + ids[i - 1]);
            }
        }
        return ids;
    }

    @Test
    void the_lower_half_is_left_to_chance() {
        long[] ids = new long[10_000];
        Arrays.setAll(ids, i -> TimeOrderedIds.next().getLeastSignificantBits());
        assertThat(Arrays.stream(ids).distinct().count()).isEqualTo(ids.length);
        for (int bit = 0; bit < 62; bit++) {
            int position = bit;
            long set =
                    Arrays.stream(ids).filter(id -> (id >>> position & 1) == 1).count();
            assertThat(set).as("ids with bit %d set", bit).isBetween(4_500L, 5_500L);
        }
    }

    private static long millis(UUID id) {
        return id.getMostSignificantBits() >>> 16;
    }
}
