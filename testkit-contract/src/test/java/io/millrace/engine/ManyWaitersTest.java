package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.ClaimOrder;
import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.spi.ClaimRequest.TimeFrom;
import io.millrace.spi.WorkerProtocol;
import io.millrace.spi.WorkerProtocol.Claim;
import io.millrace.spi.WorkerProtocol.Wanted;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Many ask at the same moment, and all of them wait. */
class ManyWaitersTest {
    private static final int THREADS = 4;
    private static final int EACH = 500;
    private static final int ROUNDS = 10;

    @Test
    void one_bulk_enqueue_answers_each_of_them() throws Exception {
        try (Millrace millrace = Millrace.open("heap:")) {
            for (int round = 0; round < ROUNDS; round++) {
                Queue<CompletableFuture<Claim>> claims = claimTogether(millrace, Duration.ofMinutes(5));
                millrace.enqueue(Stream.generate(() -> NewTask.builder("t").build())
                        .limit(THREADS * EACH)
                        .toList());

                for (CompletableFuture<Claim> claim : claims) {
                    assertThat(claim.get(20, TimeUnit.SECONDS).tasks()).hasSize(1);
                }
            }
        }
    }

    @Test
    void each_is_answered_when_its_time_is_over() throws Exception {
        try (Millrace millrace = Millrace.open("heap:")) {
            for (CompletableFuture<Claim> claim : claimTogether(millrace, Duration.ofMillis(1))) {
                assertThat(claim.get(20, TimeUnit.SECONDS).tasks()).isEmpty();
            }
        }
    }

    /** Claims one task with every call, by several threads. */
    private static Queue<CompletableFuture<Claim>> claimTogether(Millrace millrace, Duration wait) throws Exception {
        WorkerProtocol protocol = millrace.local().protocol();
        UUID worker = protocol.register(Introduction.ANONYMOUS, WorkerProtocol.LeaseListener.NONE)
                .id();
        Queue<CompletableFuture<Claim>> claims = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(CompletableFuture.runAsync(
                    () -> {
                        for (int j = 0; j < EACH; j++) {
                            claims.add(protocol.claim(
                                    worker,
                                    new Wanted(List.of("t"), 1, wait, TimeFrom.START, ClaimOrder.SHARE),
                                    Runnable::run));
                        }
                    },
                    action -> new Thread(action).start()));
        }
        CompletableFuture.allOf(threads.toArray(new CompletableFuture<?>[0])).get(1, TimeUnit.MINUTES);
        return claims;
    }
}
