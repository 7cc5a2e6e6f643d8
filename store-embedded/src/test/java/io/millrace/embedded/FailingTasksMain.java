package io.millrace.embedded;

import static io.millrace.embedded.TestStores.KEPT;
import static io.millrace.embedded.TestStores.TOPIC;
import static io.millrace.embedded.TestStores.claim;
import static io.millrace.embedded.TestStores.success;

import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Page;
import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TopicPolicy;
import io.millrace.internal.SystemClock;
import io.millrace.spi.Change;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** What {@link FailingTasksTest} runs with a small heap. It obeys a line at a time. */
final class FailingTasksMain {
    private static final String OTHER = "other";
    private static final String ERROR = "x".repeat(Limits.ERROR_LENGTH);
    private static final Next AGAIN = new Next.Requeue(Duration.ZERO, Next.Reason.RETRY);

    private final TaskStore store;
    private final UUID worker;

    private FailingTasksMain(TaskStore store) {
        this.store = store;
        worker = TestStores.worker(store);
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (TaskStore store = new EmbeddedProvider().open(arguments[0], SystemClock.shared())) {
            FailingTasksMain main = new FailingTasksMain(store);
            main.takeBack();
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                String[] words = order.split(" ", -1);
                System.out.println(main.obey(words[0], words.length > 1 ? Integer.parseInt(words[1]) : 0));
            }
        }
    }

    private String obey(String order, int number) {
        return switch (order) {
            case "enqueue" -> enqueue(number);
            case "fail" -> fail(number);
            case "fill" -> fill();
            case "results" -> results();
            case "read" -> read();
            default -> delete();
        };
    }

    /** What the process before had held. */
    private void takeBack() {
        for (OverdueLease overdue : store.claimExpired(worker, 1_000)) {
            Next back = new Next.Requeue(Duration.ZERO, Next.Reason.RELEASE);
            store.complete(
                    List.of(new Completion(overdue.leased().lease(), false, Outcome.RELEASED, null, back, back)));
        }
    }

    private String enqueue(int tasks) {
        for (int i = 0; i < tasks; i++) {
            TestStores.add(store, NewTask.builder(TOPIC).build());
        }
        return "done";
    }

    private String fail(int rounds) {
        List<LeasedTask> leased = List.of();
        for (int i = 0; i < rounds; i++) {
            leased = claim(store, worker, 1_000);
            store.complete(leased.stream()
                    .map(each -> new Completion(each.lease(), Outcome.FAILED, ERROR, AGAIN, AGAIN))
                    .toList());
        }
        return leased.size() + " with " + leased.get(0).task().tally().attempts() + " attempts";
    }

    private String fill() {
        NewTask.Builder task = NewTask.builder(OTHER).payload(Payload.bytes(new byte[1_000]));
        EnqueueResult result;
        do {
            UUID id = UUID.randomUUID();
            result = store.enqueue(List.of(EnqueueRequest.of(task.id(id).build())))
                    .get(0);
        } while (result instanceof EnqueueResult.Stored);
        return "full";
    }

    /** Tasks that are there end with large results, until there is no room for another. */
    private String results() {
        Payload result = Payload.bytes(new byte[200_000]);
        var from = new ClaimRequest.FromTopic(OTHER, 1_000, TopicPolicy.DEFAULT);
        List<LeasedTask> leased = store.claim(List.of(new ClaimRequest(worker, List.of(from), 1_000)))
                .get(0)
                .tasks();
        List<CompletionResult> results = store.complete(
                leased.stream().map(each -> success(each.lease(), result, KEPT)).toList());
        boolean refused = results.stream().anyMatch(each -> each.status() == CompletionResult.Status.STORE_FULL);
        boolean taken = results.stream().anyMatch(each -> each.status() == CompletionResult.Status.APPLIED);
        return taken && refused ? "refused at last" : "taken " + taken + ", refused " + refused;
    }

    private String read() {
        String cursor = null;
        do {
            Page<Task> page = store.list(TaskQuery.ALL, cursor, 500);
            page.items().forEach(task -> store.get(List.of(task.id())));
            cursor = page.next();
        } while (cursor != null);
        return "done";
    }

    private String delete() {
        String cursor = null;
        do {
            cursor = store.change(new Selection.Matching(TaskQuery.ALL, cursor), new Change.Delete(), 500)
                    .next();
        } while (cursor != null);
        return "done";
    }
}
