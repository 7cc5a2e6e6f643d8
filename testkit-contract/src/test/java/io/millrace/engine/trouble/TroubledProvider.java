package io.millrace.engine.trouble;

import io.millrace.heap.HeapStore;
import io.millrace.spi.EngineClock;
import io.millrace.spi.StoreProvider;
import io.millrace.spi.TaskStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Opens {@code trouble:NAME}: a heap store with the trouble that a test has put under that name. */
public final class TroubledProvider implements StoreProvider {
    static final Map<String, Trouble> TROUBLES = new ConcurrentHashMap<>();

    @Override
    public boolean accepts(String url) {
        return url.startsWith("trouble:");
    }

    @Override
    public TaskStore open(String url, EngineClock clock) {
        return TROUBLES.get(url).in(new HeapStore(clock));
    }
}
