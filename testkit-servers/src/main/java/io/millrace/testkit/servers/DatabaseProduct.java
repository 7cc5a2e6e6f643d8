package io.millrace.testkit.servers;

import java.util.List;

/**
 * The database servers that tests can have: durable as in production (every commit reaches the disk), on a free port of the
 * loopback interface, gone with this JVM.
 */
@SuppressWarnings("ImmutableEnumChecker") // the shared server is the point of it
public enum DatabaseProduct {
    POSTGRES(new Postgres()),
    MARIADB(new MariaDb());

    private final ServerProgram program;
    private final SharedServer shared;

    DatabaseProduct(ServerProgram program) {
        this.program = program;
        shared = new SharedServer(program, System.getenv(program.urlVariable()));
    }

    /**
     * A new, empty database on the server that all of this JVM share. The first call starts it, unless {@code
     * MILLRACE_TEST_POSTGRES_URL} or {@code MILLRACE_TEST_MARIADB_URL} names one that runs already: a JDBC URL with the name
     * and password of a user who may create databases.
     *
     * @throws IllegalStateException if there is no such server, or it does not work
     */
    public TestDatabase newDatabase() {
        return shared.newDatabase();
    }

    /**
     * Starts a server for the caller alone, who may stop and kill it.
     *
     * @param settings such as {@code shared_buffers=1GB}, in the product's own words, beside and above the usual ones
     * @throws IllegalStateException if the server does not start
     */
    public OwnServer startOwn(String... settings) {
        return OwnServer.start(program, List.of(settings), FreePort::pick);
    }

    /**
     * Starts a server and its replica for the caller alone.
     *
     * @throws IllegalStateException if they do not start
     */
    public ServerPair startPair() {
        return ServerPair.start(program);
    }

    ServerProgram program() {
        return program;
    }
}
