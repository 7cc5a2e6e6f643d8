package io.millrace.cli;

import io.millrace.InvalidValueException;
import io.millrace.server.AccessKey;
import io.millrace.server.MillraceServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file of access keys. While a server runs, its keys follow the file. */
final class KeyFile implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(KeyFile.class);
    /**
     * Files that are mounted or replaced through links do not announce their changes everywhere, so it is looked at.
     */
    private static final long LOOK_MILLIS = 2_000;

    private final Path file;
    private final MillraceServer server;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(action -> {
        Thread created = new Thread(action, "millrace-keys");
        created.setDaemon(true);
        return created;
    });
    /** What was read last, good or bad. */
    private String text = "";
    /** What was wrong at the last look; it is said once. */
    private String trouble = "";

    private KeyFile(Path file, MillraceServer server) {
        this.file = file;
        this.server = server;
    }

    /** @throws InvalidValueException if it cannot be read, or a line is wrong, or there is no key in it */
    static List<AccessKey> read(String file) {
        return parse(file, textOf(file));
    }

    private static String textOf(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new InvalidValueException("key-file", file, "the file cannot be read");
        }
    }

    private static List<AccessKey> parse(String file, String text) {
        List<AccessKey> keys = AccessKey.parse(text);
        if (keys.isEmpty()) {
            // an empty list would open the server to everybody
            throw new InvalidValueException("key-file", file, "there must be a key in it; 'millrace key' makes one");
        }
        return keys;
    }

    /** Looks for changes now and then, and at once when the process is sent SIGHUP. */
    static KeyFile follow(Path file, MillraceServer server, StopSignals signals) {
        KeyFile followed = new KeyFile(file, server);
        var unused = followed.thread.scheduleWithFixedDelay(followed::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        signals.onHangUp(() -> followed.thread.execute(followed::look));
        return followed;
    }

    private void look() {
        try {
            String now = textOf(file.toString());
            if (!now.equals(text)) {
                text = now;
                server.setKeys(parse(file.toString(), now));
            }
            trouble = "";
        } catch (RuntimeException e) {
            String found = String.valueOf(e.getMessage());
            if (!found.equals(trouble)) {
                trouble = found;
                log.error("Cannot take over {}; the keys before it stay in force: {}", file, found);
            }
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
