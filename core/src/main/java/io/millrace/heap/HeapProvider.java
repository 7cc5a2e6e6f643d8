package io.millrace.heap;

import io.millrace.InvalidValueException;
import io.millrace.spi.EngineClock;
import io.millrace.spi.StoreProvider;
import io.millrace.spi.TaskStore;

/** Opens {@code heap:}. Each opening is a store of its own. */
public final class HeapProvider implements StoreProvider {
    private static final String URL = "heap:";

    @Override
    public boolean accepts(String url) {
        return url.startsWith(URL);
    }

    @Override
    public TaskStore open(String url, EngineClock clock) {
        if (!url.equals(URL)) {
            throw new InvalidValueException("url", url, "the heap store is opened as " + URL + " and has no settings");
        }
        return new HeapStore(clock);
    }
}
