package io.millrace.cli;

import io.millrace.Millrace;
import io.millrace.TaskNotFoundException;
import io.millrace.WrongStateException;
import io.millrace.client.ServerViews;
import io.millrace.wire.JsonOut;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that asks a server something, and ends. */
abstract class ServerCommand implements Callable<Integer> {
    private final Shell shell;

    @Mixin
    private Connection connection = new Connection();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    ServerCommand(Shell shell) {
        this.shell = shell;
    }

    Shell shell() {
        return shell;
    }

    Connection connection() {
        return connection;
    }

    Millrace open() {
        return connection.open(shell);
    }

    ServerViews views() {
        return connection.views(shell);
    }

    boolean isJson() {
        return json;
    }

    /** Prints one JSON value as a line. */
    void printJson(Consumer<JsonOut> value) {
        JsonOut out = JsonOut.inOneLine();
        value.accept(out);
        shell.out().println(new String(out.toBytes(), StandardCharsets.UTF_8));
    }

    /**
     * Changes tasks one by one. One that cannot be changed does not keep the others from it.
     *
     * @return how many were changed
     */
    long changeEach(List<UUID> ids, Consumer<UUID> change) {
        return ids.stream().filter(id -> isChanged(id, change)).count();
    }

    private boolean isChanged(UUID id, Consumer<UUID> change) {
        try {
            change.accept(id);
            return true;
        } catch (TaskNotFoundException | WrongStateException e) {
            shell.err().println("millrace: " + Complaints.text(e));
            return false;
        }
    }

    /** Prints how many were changed: {@code 3 cancelled}, or {@code {"cancelled":3}}. */
    void printCount(String done, long count) {
        if (json) {
            printJson(out -> out.startObject().field(done, count).endObject());
        } else {
            shell.out().println(count + " " + done);
        }
    }
}
