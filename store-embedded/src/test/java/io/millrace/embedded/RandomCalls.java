package io.millrace.embedded;

import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Rate;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.When;
import io.millrace.spi.Change;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.Completion;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.Records;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Calls of all kinds on a store, by chance. What they answer is not looked at, but for the leases. */
final class RandomCalls {
    /** What survives when a call has returned: nothing yet, the end of the process, or that of the power. */
    enum Kept {
        PERHAPS,
        WRITTEN,
        DURABLE
    }

    private static final List<String> TOPICS = List.of("a", "b", "limited");

    private final Random chance;
    private final List<UUID> tasks = new ArrayList<>();
    private final List<UUID> workers = new ArrayList<>();
    private final List<Lease> leases = new ArrayList<>();

    RandomCalls(Random chance) {
        this.chance = chance;
    }

    List<Lease> leases() {
        return leases;
    }

    private int upTo(int most) {
        return chance.nextInt(most + 1);
    }

    private <T> T oneOf(List<T> some) {
        return some.get(chance.nextInt(some.size()));
    }

    private Duration seconds(int most) {
        return Duration.ofSeconds(upTo(most));
    }

    Kept call(TaskStore store) {
        int dice = upTo(99);
        if (workers.isEmpty() || dice < 5) {
            return moveWorkers(store);
        } else if (dice < 30 || tasks.isEmpty()) {
            return enqueue(store);
        } else if (dice < 50) {
            return claim(store);
        } else if (dice < 72 && !leases.isEmpty()) {
            store.complete(List.of(completion(oneOf(leases))));
            return Kept.DURABLE;
        } else if (dice < 78 && !leases.isEmpty()) {
            return renew(store);
        } else if (dice < 84) {
            store.claimExpired(oneOf(workers), 5).stream()
                    .map(OverdueLease::leased)
                    .map(LeasedTask::lease)
                    .forEach(leases::add);
            return Kept.PERHAPS;
        } else if (dice < 95) {
            Selection selection = dice < 92
                    ? new Selection.Ids(List.of(oneOf(tasks)))
                    : dice < 94
                            ? new Selection.PastRetention()
                            : new Selection.Matching(TaskQuery.ALL.topic(oneOf(TOPICS)), null);
            store.change(selection, dice == 92 || dice == 93 ? new Change.Delete() : change(), 20);
            return Kept.DURABLE;
        }
        return records(store);
    }

    private Kept moveWorkers(TaskStore store) {
        if (workers.size() > 3) {
            store.workers().leave(workers.remove(upTo(3)));
        }
        workers.add(store.workers().register(Introduction.ANONYMOUS, Duration.ofSeconds(20 + upTo(600))));
        return Kept.PERHAPS;
    }

    private NewTask task() {
        NewTask.Builder task = NewTask.builder(oneOf(TOPICS))
                .payload(Payload.bytes(new byte[upTo(99) == 0 ? 5_000 : upTo(300)]))
                .priority(upTo(2))
                .waitFor(upTo(9) == 0 ? 1 + upTo(1) : 0);
        if (upTo(3) == 0) {
            task.uniqueKey("key " + upTo(5));
        }
        if (upTo(3) == 0) {
            task.delay(seconds(60));
        }
        if (upTo(5) == 0) {
            task.scope("scope", "of " + upTo(9)).deadline(Duration.ofMinutes(2));
        }
        // one that is there, or was
        NewTask built = (tasks.isEmpty() || upTo(9) > 0 ? task : task.id(oneOf(tasks))).build();
        tasks.add(built.id());
        return built;
    }

    private Kept enqueue(TaskStore store) {
        List<NewTask> some = new ArrayList<>();
        for (int i = upTo(2); i >= 0; i--) {
            some.add(task());
        }
        store.enqueue(List.of(EnqueueRequest.of(some.toArray(NewTask[]::new))));
        return Kept.DURABLE;
    }

    private Kept claim(TaskStore store) {
        TopicPolicy limited =
                TopicPolicy.builder().rate(new Rate(20, Duration.ofMinutes(1))).build();
        List<ClaimRequest.FromTopic> from = TOPICS.stream()
                .map(topic ->
                        new ClaimRequest.FromTopic(topic, 2, topic.equals("limited") ? limited : TopicPolicy.DEFAULT))
                .toList();
        store.claim(List.of(new ClaimRequest(oneOf(workers), from, 1 + upTo(4)))).stream()
                .flatMap(result -> result.tasks().stream())
                .map(LeasedTask::lease)
                .forEach(leases::add);
        return Kept.WRITTEN;
    }

    private Completion completion(Lease lease) {
        Next next = upTo(2) == 0 ? new Next.Requeue(seconds(30), oneOf(List.of(Next.Reason.values()))) : finish();
        Outcome outcome = next instanceof Next.Finish ? Outcome.SUCCEEDED : Outcome.FAILED;
        return new Completion(
                lease, outcome, "error " + upTo(9), next, Next.Finish.as(TaskState.CANCELLED, seconds(60)));
    }

    private Next finish() {
        Duration retention = upTo(1) == 0 ? Duration.ZERO : seconds(300);
        List<NewTask> spawned = upTo(4) == 0 ? List.of(task()) : List.of();
        Payload result = Payload.bytes(new byte[upTo(200)]);
        return new Next.Finish(TaskState.SUCCEEDED, retention, result, spawned, List.of(oneOf(tasks), oneOf(tasks)));
    }

    private Kept renew(TaskStore store) {
        Lease lease = oneOf(leases);
        Set<UUID> holding =
                leases.stream().filter(any -> upTo(9) > 0).map(Lease::task).collect(Collectors.toSet());
        var report = new Heartbeat.Report(lease, upTo(100), "progress", seconds(100));
        store.workers()
                .renew(new Heartbeat(lease.worker(), upTo(1) == 0 ? null : holding, seconds(5), List.of(report)));
        return Kept.PERHAPS;
    }

    private Change change() {
        return switch (upTo(3)) {
            case 0 -> new Change.Cancel(java.util.Map.of());
            case 1 -> new Change.Retry();
            case 2 -> new Change.Delete();
            default -> new Change.Reschedule(When.after(seconds(60)));
        };
    }

    private Kept records(TaskStore store) {
        String key = "key " + upTo(4);
        long version = store.records().get(key).map(Records.Entry::version).orElse(Records.ABSENT);
        if (upTo(2) == 0) {
            store.records().remove(key, version);
        } else {
            store.records().put(key, "value " + upTo(1_000), version);
        }
        return Kept.DURABLE;
    }
}
