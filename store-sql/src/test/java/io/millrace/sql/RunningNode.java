package io.millrace.sql;

import io.millrace.testkit.environment.OtherJvm;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A {@link NodeProcess} whose lines are read until it is dead. */
final class RunningNode implements AutoCloseable {
    private final String name;
    private final OtherJvm jvm;
    private final Thread reader;

    RunningNode(String url, String name, Consumer<String> lines) {
        this.name = name;
        jvm = new OtherJvm(256, NodeProcess.class, url, name);
        reader = new Thread(() -> read(lines), "lines of " + name);
        reader.start();
    }

    String name() {
        return name;
    }

    private void read(Consumer<String> lines) {
        for (Optional<String> line = jvm.nextLine(); line.isPresent(); line = jvm.nextLine()) {
            lines.accept(line.get());
        }
    }

    /** Returns when all that it had told is read. */
    void kill() throws InterruptedException {
        jvm.kill();
        reader.join(TimeUnit.SECONDS.toMillis(20));
        jvm.close();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
