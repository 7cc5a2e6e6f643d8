package io.millrace.engine.trouble;

import io.millrace.StoreUnavailableException;
import io.millrace.spi.Records;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** When a store cannot be reached. */
interface Trouble {
    Trouble NONE = call -> Moment.NEVER;

    /** Whether a call fails before it took effect, after it did, so that only its answer is lost, or not at all. */
    enum Moment {
        BEFORE,
        AFTER,
        NEVER
    }

    Moment of(String call);

    /** The store with this trouble: every call of it, of its workers and of its records may fail. */
    default TaskStore in(TaskStore store) {
        WorkerRegistry workers = wrap(WorkerRegistry.class, store.workers());
        Records records = wrap(Records.class, store.records());
        return proxy(TaskStore.class, (method, arguments) -> switch (method.getName()) {
            case "mayBlock" -> true;
            case "workers" -> workers;
            case "records" -> records;
            case "now", "close", "onWakeUp" -> method.invoke(store, arguments);
            default -> troubled(method, store, arguments);
        });
    }

    private <T> T wrap(Class<T> type, T target) {
        return proxy(type, (method, arguments) -> troubled(method, target, arguments));
    }

    /** A call of a proxy. */
    interface Invocation {
        Object make(Method method, Object[] arguments) throws ReflectiveOperationException;
    }

    private static <T> T proxy(Class<T> type, Invocation invocation) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return invocation.make(method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private Object troubled(Method method, Object target, Object[] arguments) throws ReflectiveOperationException {
        Moment moment = of(method.getName());
        if (moment == Moment.BEFORE) {
            throw unavailable(method);
        }
        Object result = method.invoke(target, arguments);
        if (moment == Moment.AFTER) {
            throw unavailable(method);
        }
        return result;
    }

    private static StoreUnavailableException unavailable(Method method) {
        return new StoreUnavailableException(method.getName() + " cannot be done now", new IOException("on purpose"));
    }
}
