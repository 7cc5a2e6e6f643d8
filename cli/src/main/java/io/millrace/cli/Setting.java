package io.millrace.cli;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** All that a server can be told: {@code --worker-expiry}, {@code MILLRACE_WORKER_EXPIRY} or {@code worker-expiry=}. */
enum Setting {
    HOST("127.0.0.1", "Address to listen on; any but loopback needs a key file."),
    PORT("7070", "Port to listen on; 0 takes any free one."),
    STORE("embedded:./data", "Where tasks live: embedded:DIRECTORY, jdbc:postgresql:…, jdbc:mariadb:… or heap:."),
    WORKER_EXPIRY("30s", "A worker not heard of for this long is taken for dead."),
    KEY_FILE(null, "File of access keys; 'millrace key' makes its lines."),
    ALLOWED_HOST(null, "Names, with commas, that requests may have as Host beside loopback where no keys are set."),
    TLS_CERT(null, "PEM file with the certificate and its chain, for HTTPS."),
    TLS_KEY(null, "PEM file with the certificate's private key."),
    PAYLOAD_LIMIT("1048576", "The most bytes of a payload or a result."),
    BODY_LIMIT("33554432", "The most bytes of a request body; NDJSON has no limit."),
    HEADER_LIMIT("16384", "The most bytes of all headers of a request."),
    URL_LIMIT("8192", "The most characters of a request line."),
    REQUEST_TIMEOUT("30s", "A request body must be complete within this time."),
    IDLE_TIMEOUT("75s", "A connection without a request is closed after this time."),
    CLOSE_TIMEOUT("30s", "How long a stop lets requests end."),
    EVENT_LOOPS(null, "Threads that serve connections; one for each processor if not set."),
    WORKER_THREADS("20", "Threads for what looks at many tasks."),
    EVENT_LISTENERS("200", "The most clients of /v1/events; those of one access key may be half of them.");

    static final String PREFIX = "MILLRACE_";

    private final @Nullable String standard;
    private final String help;

    Setting(@Nullable String standard, String help) {
        this.standard = standard;
        this.help = help;
    }

    /** Its name in a file, such as {@code worker-expiry}. */
    String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String flag() {
        return "--" + key();
    }

    String variable() {
        return PREFIX + name();
    }

    /** What is in force if nobody says anything; null for nothing, or what the server chooses. */
    @Nullable
    String standard() {
        return standard;
    }

    String help() {
        return help;
    }

    static @Nullable Setting ofKey(String key) {
        for (Setting setting : values()) {
            if (setting.key().equals(key)) {
                return setting;
            }
        }
        return null;
    }
}
