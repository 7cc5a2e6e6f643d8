package io.millrace.testkit.servers;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** What the products differ in. */
interface ServerProgram {
    /** User and password of every server that is started here. They guard nothing: all is on loopback, and gone soon. */
    String USER = "millrace";

    /** As people call it. */
    String name();

    /** The environment variable with the URL of a server to use instead. */
    String urlVariable();

    /** Where the unpacked program is; unpacks it if need be. */
    Path install() throws IOException;

    /** A directory with the files of a server that has never been started; makes it if need be. */
    Path template(Path home) throws IOException;

    /** The command that runs the server in the foreground. */
    List<String> command(Path home, Path data, int port, List<String> settings);

    /** Settings of a server that acknowledges nothing before its replica has it. */
    List<String> settingsOfPrimary();

    /** Settings of a replica, which only reads. */
    List<String> settingsOfReplica(int primaryPort);

    /** Makes a server that has never been started a replica. */
    void makeReplica(Path data) throws IOException;

    /** Starts to follow a primary that is new as well, if a replica does not do so by itself. */
    void follow(Statement replica, int primaryPort) throws SQLException;

    /** Makes a replica whose primary is gone one that writes, with all that was acknowledged there. */
    void promote(Statement replica) throws SQLException;

    /** What the server's log says as soon as it takes connections. */
    String readyLine();

    /** The URL of a database that is always there. */
    String adminUrl(int port);

    /** The signal by which the server ends in good order although clients are connected. */
    String stopSignal();

    /** The signal by which it ends at once, in any order, leaving nothing outside its own directory. */
    String abandonSignal();

    /** Removes what a killed server leaves outside its own directory. */
    void removeTracesOfKilled(Path data) throws IOException;

    /** Drops it, whoever is connected. */
    void dropDatabase(Statement statement, String name) throws SQLException;
}
