package io.millrace.testkit.servers;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The server that all tests of a JVM share: one that somebody named, or else one that the first of them starts. */
final class SharedServer {
    private final ServerProgram program;
    private final @Nullable String givenUrl;
    private @Nullable OwnServer started;
    private @Nullable IllegalStateException failure;

    SharedServer(ServerProgram program, @Nullable String givenUrl) {
        this.program = program;
        this.givenUrl = givenUrl == null || givenUrl.isBlank() ? null : givenUrl;
    }

    TestDatabase newDatabase() {
        if (givenUrl == null) {
            return started().newDatabase();
        }
        try {
            return TestDatabase.create(program, givenUrl, () -> true);
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    e.getMessage() + ", as the environment variable " + program.urlVariable() + " asks", e);
        }
    }

    private synchronized OwnServer started() {
        if (failure != null) {
            // Each try may take long, and would fail like the first.
            throw new IllegalStateException(failure.getMessage(), failure);
        }
        if (started == null) {
            try {
                started = OwnServer.start(program, List.of(), FreePort::pick);
            } catch (IllegalStateException e) {
                failure = e;
                throw e;
            }
        }
        return started;
    }
}
