package io.millrace.cli;

import io.millrace.Limits;
import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.client.ServerViews;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The server that a command talks to. */
final class Connection {
    private static final String DEFAULT_URL = "http://127.0.0.1:7070";
    /** Somebody waits at a terminal: a server that is not there should be told soon. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    /** The server's own limit is told by the server. */
    private static final int PAYLOAD_LIMIT = 64 * Limits.PAYLOAD_BYTES;

    @Option(names = "--url", paramLabel = "URL", description = "The server. Default: MILLRACE_URL, or " + DEFAULT_URL)
    private @Nullable String url;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "A file with the access key. Default: the key in MILLRACE_KEY, if any")
    private @Nullable Path keyFile;

    /** For commands that ask something and end. */
    Millrace open(Shell shell) {
        return open(shell, options(shell).serverPatience(PATIENCE));
    }

    /** @param options from {@link #options} */
    Millrace open(Shell shell, MillraceOptions.Builder options) {
        return Millrace.open(url(shell), options.build());
    }

    ServerViews views(Shell shell) {
        return ServerViews.of(
                url(shell), options(shell).serverPatience(PATIENCE).build());
    }

    MillraceOptions.Builder options(Shell shell) {
        MillraceOptions.Builder options = MillraceOptions.builder().payloadLimit(PAYLOAD_LIMIT);
        String key = key(shell);
        return key.isEmpty() ? options : options.accessKey(key);
    }

    /** Only servers: any other URL would open a store of its own, right here. */
    String url(Shell shell) {
        String given = url == null ? shell.environment().getOrDefault("MILLRACE_URL", DEFAULT_URL) : url;
        String lower = given.toLowerCase(Locale.ROOT);
        if (!lower.startsWith("http://") && !lower.startsWith("https://")) {
            throw new UsageException(
                    (url == null ? "MILLRACE_URL" : "--url") + ": " + given + " must be such as " + DEFAULT_URL);
        }
        return given;
    }

    private String key(Shell shell) {
        if (keyFile == null) {
            return shell.environment().getOrDefault("MILLRACE_KEY", "").strip();
        }
        try {
            String key = Files.readString(keyFile).strip();
            if (key.isEmpty()) {
                throw new UsageException("--key-file: there is no key in " + keyFile);
            }
            return key;
        } catch (IOException e) {
            throw new UsageException("--key-file: " + keyFile + " cannot be read");
        }
    }
}
