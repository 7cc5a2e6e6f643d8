package io.millrace.embedded;

import io.millrace.heap.HeapRestore;
import io.millrace.heap.HeapStore;
import io.millrace.spi.EngineClock;
import io.millrace.spi.StoreProvider;
import io.millrace.spi.TaskStore;

/** Opens {@code embedded:./data}: the heap store, kept in a log on this machine's disk. */
public final class EmbeddedProvider implements StoreProvider {
    @Override
    public boolean accepts(String url) {
        return url.startsWith(EmbeddedUrl.SCHEME);
    }

    @Override
    public TaskStore open(String url, EngineClock clock) {
        EmbeddedUrl settings = EmbeddedUrl.parse(url);
        LogJournal journal = new LogJournal(settings, clock);
        try {
            HeapRestore restore = new HeapRestore(journal, clock);
            journal.open((segment, number, payload) -> restore.step(segment, payload));
            HeapStore store = restore.finish();
            journal.serve(store);
            return store;
        } catch (RuntimeException | Error e) {
            journal.close();
            throw e;
        }
    }
}
