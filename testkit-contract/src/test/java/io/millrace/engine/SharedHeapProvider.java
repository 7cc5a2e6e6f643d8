package io.millrace.engine;

import io.millrace.heap.HeapStore;
import io.millrace.spi.EngineClock;
import io.millrace.spi.StoreProvider;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;

/**
 * Opens {@code shared-heap:}, a heap store that treats workers as one does that many processes share: it cannot know which of
 * them are its own, and takes the silent ones for dead.
 */
public final class SharedHeapProvider implements StoreProvider {
    static final String URL = "shared-heap:";

    @Override
    public boolean accepts(String url) {
        return url.equals(URL);
    }

    @Override
    public TaskStore open(String url, EngineClock clock) {
        TaskStore store = new HeapStore(clock);
        return proxy(TaskStore.class, (proxy, method, arguments) -> {
            Object result = invoke(() -> method.invoke(store, arguments));
            return result instanceof WorkerRegistry workers ? strangers(workers) : result;
        });
    }

    private static WorkerRegistry strangers(WorkerRegistry workers) {
        return proxy(WorkerRegistry.class, (proxy, method, arguments) -> {
            if (method.getName().equals("register")) {
                Introduction given = (Introduction) arguments[0];
                Introduction stranger = new Introduction(given.name(), given.host(), given.topics());
                return workers.register(stranger, (Duration) arguments[1]);
            }
            return invoke(() -> method.invoke(workers, arguments));
        });
    }

    private interface Call {
        Object make() throws ReflectiveOperationException;
    }

    private static Object invoke(Call call) throws Throwable {
        try {
            return call.make();
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
