package io.millrace.cli;

import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SIGTERM and SIGINT, and SIGHUP. The first asks to stop, the second ends the process at once.
 *
 * <p>A shutdown hook would not do: while hooks run the JVM hears no second signal, and the exit code is never 0. The
 * JDK's only other door is {@code sun.misc.Signal}, of the supported module jdk.unsupported; compilers warn of it
 * whatever the settings, hence the reflection.
 */
final class StopSignals {
    private static final Logger log = LoggerFactory.getLogger(StopSignals.class);

    private final boolean ofProcess;
    private final CompletableFuture<Integer> asked = new CompletableFuture<>();
    private volatile Runnable beforeHalt = () -> {};

    private StopSignals(boolean ofProcess) {
        this.ofProcess = ofProcess;
    }

    static StopSignals ofProcess() {
        return new StopSignals(true);
    }

    /** Hears of {@link #ask} only. */
    static StopSignals deaf() {
        return new StopSignals(false);
    }

    /**
     * From now on, signals are heard here.
     *
     * @param atOnce is done before a second signal ends the process
     */
    void listen(Runnable atOnce) {
        beforeHalt = atOnce;
        if (!ofProcess) {
            return;
        }
        LastResort.await(asked);
        try {
            install("TERM", () -> came(15));
            install("INT", () -> came(2));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "this JVM does not tell of signals; is the module jdk.unsupported there?", e);
        }
    }

    /** From now on, SIGHUP does this and nothing else. Windows has no such signal. */
    void onHangUp(Runnable action) {
        if (ofProcess) {
            try {
                install("HUP", action);
            } catch (ReflectiveOperationException e) {
                log.debug("This system has no SIGHUP", e);
            }
        }
    }

    private static void install(String name, Runnable action) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object proxy = Proxy.newProxyInstance(
                StopSignals.class.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                    if (method.getName().equals("handle")) {
                        action.run();
                    }
                    return null;
                });
        var unused = signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
    }

    private void came(int number) {
        if (!asked.complete(number)) {
            beforeHalt.run();
            Runtime.getRuntime().halt(128 + number);
        }
    }

    /** Asks as the first signal does. */
    void ask() {
        asked.complete(0);
    }

    /** Done when the first signal has come. */
    CompletableFuture<Integer> asked() {
        return asked;
    }
}
