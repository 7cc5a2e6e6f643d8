package io.millrace.testkit.mutants;

import io.millrace.Task;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.ChangeResult.Item;
import io.millrace.spi.ChangeResult.Status;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;
import java.util.List;
import java.util.Map;

/** Stores that do not do what operators ask for. */
final class ChangeMutants {
    private ChangeMutants() {}

    static final class DoesNotMarkTheRunning extends RewritingStore {
        DoesNotMarkTheRunning(TaskStore store) {
            super(store);
        }

        @Override
        Task show(Task task) {
            return Shown.notToldToStop(task);
        }
    }

    static final class CancelsWithoutThePolicy extends ForwardingStore {
        CancelsWithoutThePolicy(TaskStore store) {
            super(store);
        }

        @Override
        public ChangeResult change(Selection selection, Change change, int limit) {
            Change done = change instanceof Change.Cancel ? new Change.Cancel(Map.of()) : change;
            return store.change(selection, done, limit);
        }
    }

    static final class DeletesWhatIsToBeCancelled extends ForwardingStore {
        DeletesWhatIsToBeCancelled(TaskStore store) {
            super(store);
        }

        @Override
        public ChangeResult change(Selection selection, Change change, int limit) {
            ChangeResult result = store.change(selection, change, limit);
            if (change instanceof Change.Cancel) {
                store.change(selection, new Change.Delete(), limit);
            }
            return result;
        }
    }

    static final class SaysThatATakenKeyIsFree extends ForwardingStore {
        SaysThatATakenKeyIsFree(TaskStore store) {
            super(store);
        }

        @Override
        public ChangeResult change(Selection selection, Change change, int limit) {
            ChangeResult result = store.change(selection, change, limit);
            List<Item> items = result.items().stream()
                    .map(item -> item.status() == Status.KEY_TAKEN
                            ? new Item(item.id(), Status.CHANGED, item.topic(), item.before())
                            : item)
                    .toList();
            return new ChangeResult(items, result.next());
        }
    }

    static final class DoesNotReschedule extends ForwardingStore {
        DoesNotReschedule(TaskStore store) {
            super(store);
        }

        @Override
        public ChangeResult change(Selection selection, Change change, int limit) {
            if (change instanceof Change.Reschedule && selection instanceof Selection.Ids chosen) {
                return new ChangeResult(
                        chosen.ids().stream()
                                .map(id -> new Item(id, Status.CHANGED, null, null))
                                .toList(),
                        null);
            }
            return store.change(selection, change, limit);
        }
    }

    static final class ChangesAllInOneStep extends ForwardingStore {
        ChangesAllInOneStep(TaskStore store) {
            super(store);
        }

        @Override
        public ChangeResult change(Selection selection, Change change, int limit) {
            return store.change(selection, change, 1_000 * limit);
        }
    }

    static final class ChangesOnlyTheFirstStep extends ForwardingStore {
        ChangesOnlyTheFirstStep(TaskStore store) {
            super(store);
        }

        @Override
        public ChangeResult change(Selection selection, Change change, int limit) {
            return new ChangeResult(store.change(selection, change, limit).items(), null);
        }
    }

    static final class KeepsWhatIsPastItsRetention extends ForwardingStore {
        KeepsWhatIsPastItsRetention(TaskStore store) {
            super(store);
        }

        @Override
        public ChangeResult change(Selection selection, Change change, int limit) {
            return selection instanceof Selection.PastRetention
                    ? new ChangeResult(List.of(), null)
                    : store.change(selection, change, limit);
        }
    }

    static final class RetriesTheRedriven extends ForwardingStore {
        RetriesTheRedriven(TaskStore store) {
            super(store);
        }

        @Override
        public ChangeResult change(Selection selection, Change change, int limit) {
            if (change instanceof Change.Redriven && selection instanceof Selection.Ids ids) {
                return new ChangeResult(
                        ids.ids().stream()
                                .map(id -> new ChangeResult.Item(id, ChangeResult.Status.CHANGED, null, null))
                                .toList(),
                        null);
            }
            return store.change(selection, change, limit);
        }
    }
}
