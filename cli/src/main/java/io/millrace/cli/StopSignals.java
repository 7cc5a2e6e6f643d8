package io.millrace.cli;

import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;

/**
 * SIGTERM and SIGINT. The first asks to stop, the second ends the process at once.
 *
 * <p>A shutdown hook would not do: while hooks run the JVM hears no second signal, and the exit code is never 0. The JDK's
 * only other door is {@code sun.misc.Signal}, of the supported module jdk.unsupported; compilers warn of it whatever the
 * settings, hence the reflection.
 */
final class StopSignals {
    private final CountDownLatch asked = new CountDownLatch(1);

    private StopSignals() {}

    static StopSignals listen() {
        StopSignals signals = new StopSignals();
        try {
            signals.install("TERM", 15);
            signals.install("INT", 2);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "this JVM does not tell of signals; is the module jdk.unsupported there?", e);
        }
        return signals;
    }

    private void install(String name, int number) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object proxy = Proxy.newProxyInstance(
                StopSignals.class.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                    if (method.getName().equals("handle")) {
                        came(number);
                    }
                    return null;
                });
        var unused = signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
    }

    private void came(int number) {
        if (asked.getCount() == 0) {
            Runtime.getRuntime().halt(128 + number);
        }
        asked.countDown();
    }

    /** Returns when the first signal has come. */
    void await() throws InterruptedException {
        asked.await();
    }
}
