package io.millrace.client;

import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.testkit.client.MillraceFixture;

/** A real server on a free port, and a client of it. */
final class ServedMillrace implements MillraceFixture {
    private final TestServer server;
    private final Millrace client;
    private final Runnable cleanUp;

    ServedMillrace(String url, MillraceOptions options) {
        this(url, options, () -> {});
    }

    /**
     * @param options of the client
     * @param cleanUp removes what the store leaves behind
     */
    ServedMillrace(String url, MillraceOptions options, Runnable cleanUp) {
        this.cleanUp = cleanUp;
        server = new TestServer(url);
        client = Millrace.open(server.url(), options);
    }

    @Override
    public Millrace millrace() {
        return client;
    }

    @Override
    public void close() {
        client.closeNow();
        server.close();
        cleanUp.run();
    }
}
