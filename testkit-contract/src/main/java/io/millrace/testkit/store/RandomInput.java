package io.millrace.testkit.store;

import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Retention;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.When;
import io.millrace.spi.Change;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.Completion;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.Lease;
import io.millrace.spi.Next;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Input for stores, by chance. Time moves in whole seconds and delays are whole seconds, so that many things fall due
 * at the same moment. Where the contract does not say whether "at that moment" is before or after, the duration has odd
 * milliseconds and the question does not arise.
 */
final class RandomInput {
    private static final List<String> TOPICS = List.of("red", "green", "blue");
    private static final int[] PRIORITIES = {-1, 50, 100, 100, 100, 100};

    final Random chance;
    /** Ids that were used for something, to be used again. */
    private final List<UUID> known = new ArrayList<>();

    RandomInput(long seed) {
        chance = new Random(seed);
    }

    boolean happens(int percent) {
        return chance.nextInt(100) < percent;
    }

    int between(int least, int most) {
        return least + chance.nextInt(most - least + 1);
    }

    Duration seconds(int least, int most) {
        return Duration.ofSeconds(between(least, most));
    }

    <T> List<T> some(int least, int most, Supplier<T> source) {
        List<T> list = new ArrayList<>();
        int number = between(least, most);
        while (list.size() < number) {
            list.add(source.get());
        }
        return list;
    }

    <T> T oneOf(List<T> list) {
        return list.get(chance.nextInt(list.size()));
    }

    UUID knownOrNewId() {
        return known.isEmpty() || happens(10) ? new UUID(chance.nextLong(), chance.nextLong()) : oneOf(known);
    }

    String topic() {
        return oneOf(TOPICS);
    }

    NewTask task() {
        UUID id = happens(8) ? knownOrNewId() : new UUID(chance.nextLong(), chance.nextLong());
        known.add(id);
        NewTask.Builder task = NewTask.builder(topic())
                .id(id)
                .payload(Payload.json(String.valueOf(chance.nextInt(1000))))
                .priority(PRIORITIES[chance.nextInt(PRIORITIES.length)]);
        Duration delay = happens(30) ? seconds(1, 15) : Duration.ZERO;
        if (!delay.isZero()) {
            task.delay(delay);
        }
        if (happens(15)) {
            task.deadline(delay.plus(seconds(1, 20)).plusMillis(750));
        }
        if (happens(20)) {
            task.uniqueKey("key-" + chance.nextInt(4));
        }
        if (happens(15)) {
            task.waitFor(between(1, 3));
        }
        if (happens(30)) {
            task.timeout(seconds(3, 30).plusMillis(500));
        }
        if (happens(20)) {
            task.retention(new Retention(retention(), retention()));
        }
        return task.build();
    }

    Duration retention() {
        return happens(30) ? Duration.ZERO : seconds(1, 60).plusMillis(125);
    }

    EnqueueRequest request() {
        Map<String, Integer> capacities = new HashMap<>();
        for (String topic : TOPICS) {
            if (happens(25)) {
                capacities.put(topic, between(1, 12));
            }
        }
        return new EnqueueRequest(some(1, 4, this::task), capacities);
    }

    List<FromTopic> topics() {
        List<String> shuffled = new ArrayList<>(TOPICS);
        Collections.shuffle(shuffled, chance);
        return shuffled.subList(0, between(1, TOPICS.size())).stream()
                .map(topic -> new FromTopic(topic, between(0, 3), policy()))
                .toList();
    }

    private TopicPolicy policy() {
        TopicPolicy.Builder policy =
                TopicPolicy.builder().timeout(seconds(3, 60).plusMillis(500));
        if (happens(20)) {
            policy.concurrency(between(1, 5));
        }
        if (happens(30)) {
            policy.retention(new Retention(retention(), retention()));
        }
        return policy.build();
    }

    Completion completion(Lease lease) {
        if (happens(40)) {
            Next.Reason reason = oneOf(List.of(Next.Reason.values()));
            return Reports.requeue(lease, reason, happens(50) ? Duration.ZERO : seconds(1, 10));
        }
        if (happens(10)) {
            return happens(50) ? Reports.notStarted(lease) : Reports.expired(lease, retention());
        }
        if (happens(30)) {
            return Reports.end(lease, oneOf(List.of(TaskState.FAILED, TaskState.TIMED_OUT)), retention());
        }
        Next next = new Next.Finish(
                TaskState.SUCCEEDED,
                retention(),
                happens(50) ? Payload.json("true") : null,
                happens(30) ? some(1, 2, this::task) : List.of(),
                some(0, 3, this::knownOrNewId).stream().distinct().toList());
        return new Completion(lease, Outcome.SUCCEEDED, null, next, next);
    }

    /** The lease, or, now and then, one with something wrong about it. */
    Lease perhapsSpoilt(Lease lease) {
        if (happens(90)) {
            return lease;
        }
        return switch (between(1, 3)) {
            case 1 -> new Lease(lease.task(), lease.attempt(), lease.worker(), lease.token() + "0");
            case 2 -> new Lease(lease.task(), lease.attempt(), UUID.randomUUID(), lease.token());
            default -> new Lease(knownOrNewId(), lease.attempt(), lease.worker(), lease.token());
        };
    }

    Change change() {
        return switch (between(1, 5)) {
            case 1 -> new Change.Cancel(Map.of(topic(), policy()));
            case 2 -> new Change.Retry();
            case 3 -> new Change.Reschedule(When.after(happens(50) ? Duration.ZERO : seconds(1, 10)));
            case 4 -> new Change.Redriven();
            default -> new Change.Delete();
        };
    }

    TaskQuery query() {
        TaskQuery query = happens(50) ? TaskQuery.ALL.topic(topic()) : TaskQuery.ALL;
        return happens(70) ? query.state(oneOf(List.of(TaskState.values()))) : query;
    }
}
