package io.millrace.testkit.mutants;

import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WakeUpListener;
import java.util.List;
import java.util.function.Supplier;

/** Stores that say nothing when they should. */
final class WakeUpMutants {
    private WakeUpMutants() {}

    /** Holds back what the store says during some calls. */
    private static class FallsSilent extends ForwardingStore {
        private volatile boolean silent;

        FallsSilent(TaskStore store) {
            super(store);
        }

        final <T> T silently(Supplier<T> call) {
            silent = true;
            try {
                return call.get();
            } finally {
                silent = false;
            }
        }

        @Override
        public void onWakeUp(WakeUpListener listener) {
            store.onWakeUp(new WakeUpListener() {
                @Override
                public void ready(String topic) {
                    if (!silent) {
                        listener.ready(topic);
                    }
                }

                @Override
                public void recordsChanged() {
                    listener.recordsChanged();
                }
            });
        }
    }

    static final class IsSilentOnEnqueues extends FallsSilent {
        IsSilentOnEnqueues(TaskStore store) {
            super(store);
        }

        @Override
        public List<EnqueueResult> enqueue(List<EnqueueRequest> requests) {
            return silently(() -> store.enqueue(requests));
        }
    }

    static final class IsSilentOnCompletions extends FallsSilent {
        IsSilentOnCompletions(TaskStore store) {
            super(store);
        }

        @Override
        public List<CompletionResult> complete(List<Completion> completions) {
            return silently(() -> store.complete(completions));
        }
    }

    static final class IsSilentOnChanges extends FallsSilent {
        IsSilentOnChanges(TaskStore store) {
            super(store);
        }

        @Override
        public ChangeResult change(Selection selection, Change change, int limit) {
            return silently(() -> store.change(selection, change, limit));
        }
    }

    static final class IsSilentOnRecords extends ForwardingStore {
        IsSilentOnRecords(TaskStore store) {
            super(store);
        }

        @Override
        public void onWakeUp(WakeUpListener listener) {
            store.onWakeUp(new WakeUpListener() {
                @Override
                public void ready(String topic) {
                    listener.ready(topic);
                }

                @Override
                public void recordsChanged() {}
            });
        }
    }
}
