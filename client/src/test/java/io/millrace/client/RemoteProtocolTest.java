package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.ClaimOrder;
import io.millrace.NewTask;
import io.millrace.Worker;
import io.millrace.spi.ClaimRequest.TimeFrom;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.Ending;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.WorkerProtocol.Claim;
import io.millrace.spi.WorkerProtocol.LeaseListener;
import io.millrace.spi.WorkerProtocol.Report;
import io.millrace.spi.WorkerProtocol.Wanted;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.spi.WorkerStanding;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a worker says, request by request. */
class RemoteProtocolTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final TestServer server = new TestServer("heap:");
    private final CuttingProxy proxy;
    private final Transport transport;
    private final RemoteProtocol protocol;
    private final UUID worker;

    RemoteProtocolTest() throws IOException {
        proxy = new CuttingProxy(server.port());
        transport = new Transport(ServerUrl.parse(proxy.url()), null, LONG);
        protocol = new RemoteProtocol(transport);
        worker = protocol.register(new Introduction("w", "", Set.of("t")), LeaseListener.NONE)
                .id();
    }

    @AfterEach
    void close() throws IOException {
        transport.close();
        proxy.close();
        server.close();
    }

    private void enqueue(int tasks) {
        for (int i = 0; i < tasks; i++) {
            var unused = server.millrace().enqueue(NewTask.builder("t").build());
        }
    }

    private CompletableFuture<Claim> claim(int max) {
        return protocol.claim(
                worker, new Wanted(Set.of("t"), max, LONG, TimeFrom.START, ClaimOrder.SHARE), Runnable::run);
    }

    private CompletableFuture<CompletionResult> succeed(LeasedTask task) {
        return protocol.report(worker, new Report(task.lease(), Ending.Succeeded.PLAIN));
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }

    @Test
    void a_claim_goes_along_with_reports_that_wait() throws Exception {
        enqueue(4);
        List<LeasedTask> held = get(claim(3)).tasks();
        proxy.hold();
        CompletableFuture<CompletionResult> first = succeed(held.get(0));
        CompletableFuture<CompletionResult> second = succeed(held.get(1));
        CompletableFuture<CompletionResult> third = succeed(held.get(2));
        CompletableFuture<Claim> next = claim(3);
        proxy.release();

        assertThat(get(next).tasks()).hasSize(1);
        assertThat(proxy.claimsAlong()).isEqualTo(1);
        for (CompletableFuture<CompletionResult> each : List.of(first, second, third)) {
            assertThat(get(each).status()).isEqualTo(CompletionResult.Status.APPLIED);
        }
    }

    @Test
    void a_claim_that_brought_nothing_along_waits_on_its_own() throws Exception {
        enqueue(2);
        List<LeasedTask> held = get(claim(2)).tasks();
        proxy.hold();
        var first = succeed(held.get(0));
        var second = succeed(held.get(1));
        CompletableFuture<Claim> next = claim(1);
        proxy.release();
        get(first);
        get(second);
        assertThat(next).isNotDone();

        enqueue(1);
        assertThat(get(next).tasks()).hasSize(1);
    }

    /** If the task was under way to the one who cancelled, the next pings tell that nobody holds it. */
    @Test
    void a_claim_that_is_cancelled_takes_no_task_away() throws Exception {
        CompletableFuture<Claim> cancelled = claim(1);
        cancelled.cancel(false);
        enqueue(1);

        CompletableFuture<Claim> next = claim(1);
        await().atMost(60, TimeUnit.SECONDS).until(() -> {
            var unused = protocol.ping(worker, Set.of(), Set.of(), List.of());
            return next.isDone();
        });
        assertThat(get(next).tasks()).hasSize(1);
    }

    @Test
    void a_report_again_is_repeated_and_one_without_a_lease_is_lost() throws Exception {
        enqueue(1);
        LeasedTask task = get(claim(1)).tasks().get(0);

        assertThat(get(succeed(task)).status()).isEqualTo(CompletionResult.Status.APPLIED);
        assertThat(get(succeed(task)).status()).isEqualTo(CompletionResult.Status.REPEATED);
        assertThat(get(protocol.report(worker, new Report(task.lease(), new Ending.Failed("late", false))))
                        .status())
                .isEqualTo(CompletionResult.Status.LEASE_LOST);
    }

    @Test
    void a_worker_that_is_not_known_is_told_so_everywhere() throws Exception {
        enqueue(1);
        LeasedTask task = get(claim(1)).tasks().get(0);
        UUID nobody = UUID.randomUUID();

        assertThat(protocol.ping(nobody, Set.of(), Set.of(), List.of()).worker())
                .isEqualTo(WorkerStanding.UNKNOWN);
        assertThat(get(protocol.claim(
                                nobody,
                                new Wanted(Set.of("t"), 1, LONG, TimeFrom.START, ClaimOrder.SHARE),
                                Runnable::run))
                        .worker())
                .isEqualTo(WorkerStanding.UNKNOWN);
        assertThat(get(protocol.report(nobody, new Report(task.lease(), Ending.Succeeded.PLAIN)))
                        .status())
                .isEqualTo(CompletionResult.Status.LEASE_LOST);
        protocol.leave(nobody);
    }

    @Test
    void the_report_of_a_worker_that_expired_has_lost_its_lease() throws Exception {
        enqueue(1);
        LeasedTask task = claim(1).get(20, TimeUnit.SECONDS).tasks().get(0);
        await().until(() ->
                server.millrace().workers().list().stream().allMatch(known -> known.status() == Worker.Status.EXPIRED));

        assertThat(succeed(task).get(20, TimeUnit.SECONDS).status()).isEqualTo(CompletionResult.Status.LEASE_LOST);
        assertThat(claim(1).get(20, TimeUnit.SECONDS).worker()).isEqualTo(WorkerStanding.EXPIRED);
    }
}
