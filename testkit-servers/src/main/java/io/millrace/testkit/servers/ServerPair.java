package io.millrace.testkit.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** A server and its replica, which only reads, and has all that the first has acknowledged. */
public final class ServerPair implements AutoCloseable {
    private final ServerProgram program;
    private final OwnServer primary;
    private final OwnServer replica;

    private ServerPair(ServerProgram program, OwnServer primary, OwnServer replica) {
        this.program = program;
        this.primary = primary;
        this.replica = replica;
    }

    static ServerPair start(ServerProgram program) {
        OwnServer primary = OwnServer.start(program, program.settingsOfPrimary(), FreePort::pick);
        OwnServer replica = null;
        boolean started = false;
        try {
            replica = OwnServer.start(
                    program, program.settingsOfReplica(primary.port()), FreePort::pick, program::makeReplica);
            ServerPair pair = new ServerPair(program, primary, replica);
            pair.tellReplica(statement -> program.follow(statement, primary.port()));
            started = true;
            return pair;
        } finally {
            if (!started) {
                primary.close();
                if (replica != null) {
                    replica.close();
                }
            }
        }
    }

    public OwnServer primary() {
        return primary;
    }

    public OwnServer replica() {
        return replica;
    }

    /** Lets the replica take over, after the primary was killed. */
    public void promoteReplica() {
        tellReplica(program::promote);
    }

    private interface Order {
        void give(Statement statement) throws SQLException;
    }

    private void tellReplica(Order order) {
        try (Connection connection = DriverManager.getConnection(program.adminUrl(replica.port()));
                Statement statement = connection.createStatement()) {
            order.give(statement);
        } catch (SQLException e) {
            throw new IllegalStateException("The replica of " + program.name() + " answers: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        replica.close();
        primary.close();
    }
}
