package io.millrace.testkit.client;

import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import java.time.Duration;

/** A Millrace for one test, and whatever stands behind it. */
public interface MillraceFixture extends AutoCloseable {
    Millrace millrace();

    @Override
    void close();

    /** Settings for whatever keeps the tasks: nobody wants to wait for its duties in a test. */
    static MillraceOptions.Builder quick() {
        return MillraceOptions.builder()
                .workers(2)
                .reapEvery(Duration.ofMillis(50))
                .scanEvery(Duration.ofMillis(200))
                .workerExpiry(Duration.ofSeconds(3))
                .closeTimeout(Duration.ofSeconds(10));
    }

    /** One over an engine in this process. */
    static MillraceFixture local(String url, MillraceOptions options) {
        Millrace millrace = Millrace.open(url, options);
        return new MillraceFixture() {
            @Override
            public Millrace millrace() {
                return millrace;
            }

            @Override
            public void close() {
                millrace.closeNow();
            }
        };
    }
}
