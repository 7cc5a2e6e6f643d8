package io.millrace.server;

import io.millrace.StoreUnavailableException;
import io.millrace.heap.HeapProvider;
import io.millrace.spi.EngineClock;
import io.millrace.spi.StoreProvider;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Heap stores that a test can cut off: {@code switchable:NAME}. */
public final class SwitchableProvider implements StoreProvider {
    private static final Set<String> CUT_OFF = ConcurrentHashMap.newKeySet();

    static void cutOff(String url) {
        CUT_OFF.add(url);
    }

    static void connect(String url) {
        CUT_OFF.remove(url);
    }

    @Override
    public boolean accepts(String url) {
        return url.startsWith("switchable:");
    }

    @Override
    public TaskStore open(String url, EngineClock clock) {
        TaskStore store = new HeapProvider().open("heap:", clock);
        WorkerRegistry workers = switchable(WorkerRegistry.class, store.workers(), url);
        return switchable(TaskStore.class, store, url, workers);
    }

    private static <T> T switchable(Class<T> type, T target, String url) {
        return switchable(type, target, url, target);
    }

    private static <T> T switchable(Class<T> type, T target, String url, Object workers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("workers")) {
                        return workers;
                    }
                    boolean local = Set.of("now", "mayBlock", "close", "onWakeUp", "records")
                            .contains(method.getName());
                    if (!local && CUT_OFF.contains(url)) {
                        throw new StoreUnavailableException("cut off by the test: " + url);
                    }
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
