package io.millrace.testkit.mutants;

import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.When;
import io.millrace.spi.Change;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.EnqueueResult.Full;
import io.millrace.spi.EnqueueResult.Item;
import io.millrace.spi.EnqueueResult.Stored;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Stores that take tasks in wrongly. */
final class EnqueueMutants {
    private EnqueueMutants() {}

    static final class TakesDuplicatesForNew extends RewritingStore {
        TakesDuplicatesForNew(TaskStore store) {
            super(store);
        }

        @Override
        EnqueueResult enqueueOne(EnqueueRequest request) {
            EnqueueResult result = super.enqueueOne(request);
            return result instanceof Stored stored
                    ? new Stored(stored.items().stream()
                            .map(item -> new Item(item.id(), false))
                            .toList())
                    : result;
        }
    }

    static final class IgnoresUniqueKeys extends RewritingStore {
        IgnoresUniqueKeys(TaskStore store) {
            super(store);
        }

        @Override
        NewTask rewrite(NewTask task) {
            return task.uniqueKey() == null
                    ? task
                    : task.toBuilder().uniqueKey(UUID.randomUUID().toString()).build();
        }
    }

    static final class IgnoresTheCapacity extends RewritingStore {
        IgnoresTheCapacity(TaskStore store) {
            super(store);
        }

        @Override
        EnqueueRequest rewrite(EnqueueRequest request) {
            return new EnqueueRequest(request.tasks(), Map.of());
        }
    }

    /** Looks at the request's length where it should look at what is new. */
    static final class CountsDuplicates extends RewritingStore {
        CountsDuplicates(TaskStore store) {
            super(store);
        }

        @Override
        EnqueueResult enqueueOne(EnqueueRequest request) {
            EnqueueResult result = super.enqueueOne(request);
            boolean tight = request.capacities().values().stream()
                    .anyMatch(capacity -> capacity < request.tasks().size());
            return tight ? new Full(request.capacities().keySet().iterator().next(), List.of(), 0) : result;
        }
    }

    static final class StoresWhatFitsOfARequest extends RewritingStore {
        StoresWhatFitsOfARequest(TaskStore store) {
            super(store);
        }

        @Override
        EnqueueResult enqueueOne(EnqueueRequest request) {
            EnqueueResult result = super.enqueueOne(request);
            if (result instanceof Full) {
                for (NewTask task : request.tasks()) {
                    super.enqueueOne(new EnqueueRequest(List.of(task), request.capacities()));
                }
            }
            return result;
        }
    }

    static final class RefusesAllAfterAFullRequest extends ForwardingStore {
        RefusesAllAfterAFullRequest(TaskStore store) {
            super(store);
        }

        @Override
        public List<EnqueueResult> enqueue(List<EnqueueRequest> requests) {
            List<EnqueueResult> results = new ArrayList<>();
            EnqueueResult full = null;
            for (EnqueueRequest request : requests) {
                EnqueueResult result =
                        full == null ? store.enqueue(List.of(request)).get(0) : full;
                full = result instanceof Full ? result : full;
                results.add(result);
            }
            return results;
        }
    }

    static final class ForgetsDelays extends RewritingStore {
        ForgetsDelays(TaskStore store) {
            super(store);
        }

        @Override
        EnqueueResult enqueueOne(EnqueueRequest request) {
            EnqueueResult result = super.enqueueOne(request);
            List<UUID> ids = request.tasks().stream().map(NewTask::id).toList();
            store.change(new Selection.Ids(ids), new Change.Reschedule(When.NOW), ids.size());
            return result;
        }
    }

    static final class ForgetsPriorities extends RewritingStore {
        ForgetsPriorities(TaskStore store) {
            super(store);
        }

        @Override
        NewTask rewrite(NewTask task) {
            return task.toBuilder().priority(NewTask.DEFAULT_PRIORITY).build();
        }
    }

    static final class ForgetsDeadlines extends RewritingStore {
        ForgetsDeadlines(TaskStore store) {
            super(store);
        }

        @Override
        NewTask rewrite(NewTask task) {
            return task.toBuilder().deadline(Duration.ofDays(30_000)).build();
        }
    }

    static final class ForgetsThatAPayloadIsJson extends RewritingStore {
        ForgetsThatAPayloadIsJson(TaskStore store) {
            super(store);
        }

        @Override
        NewTask rewrite(NewTask task) {
            return task.toBuilder()
                    .payload(Payload.bytes(task.payload().toBytes()))
                    .build();
        }
    }

    static final class WaitsForOneArrivalOnly extends RewritingStore {
        WaitsForOneArrivalOnly(TaskStore store) {
            super(store);
        }

        @Override
        NewTask rewrite(NewTask task) {
            return task.toBuilder().waitFor(Math.min(1, task.waitFor())).build();
        }
    }

    static final class HasOneTimeToRunForAll extends RewritingStore {
        HasOneTimeToRunForAll(TaskStore store) {
            super(store);
        }

        @Override
        NewTask rewrite(NewTask task) {
            return task.toBuilder().timeout(Duration.ofMinutes(1)).build();
        }
    }

    /** Makes READY only what someone claims. */
    static final class PromotesOnClaimOnly extends RewritingStore {
        PromotesOnClaimOnly(TaskStore store) {
            super(store);
        }

        @Override
        Task show(Task task) {
            boolean hasComeDue = task.state() == TaskState.READY
                    && task.moments().due().isAfter(task.moments().created())
                    && task.tally().attempts() == 0
                    && task.given().waitFor() == 0;
            return hasComeDue ? Shown.in(TaskState.SCHEDULED, task) : task;
        }
    }

    static final class TakesOverdueTasksForDuplicates extends RewritingStore {
        TakesOverdueTasksForDuplicates(TaskStore store) {
            super(store);
        }

        @Override
        EnqueueResult enqueueOne(EnqueueRequest request) {
            EnqueueResult result = super.enqueueOne(request);
            return result instanceof EnqueueResult.Overdue overdue
                            && request.capacities().isEmpty()
                    ? new EnqueueResult.Stored(
                            List.of(new EnqueueResult.Item(overdue.tasks().get(0), true)))
                    : result;
        }
    }

    static final class IsFullOfOverdueTasks extends RewritingStore {
        IsFullOfOverdueTasks(TaskStore store) {
            super(store);
        }

        @Override
        EnqueueResult enqueueOne(EnqueueRequest request) {
            EnqueueResult result = super.enqueueOne(request);
            return result instanceof EnqueueResult.Overdue
                            && !request.capacities().isEmpty()
                    ? new Full(request.tasks().get(0).topic(), List.of(), 0)
                    : result;
        }
    }
}
