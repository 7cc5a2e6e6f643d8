package io.millrace.server;

import io.millrace.InvalidValueException;
import io.millrace.Limits;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of a server. All have defaults; {@code docs/server.md} tells more. */
public final class ServerOptions {
    public static final ServerOptions DEFAULT = builder().build();

    private final String host;
    private final int port;
    private final List<AccessKey> keys;
    private final List<String> allowedHosts;
    private final @Nullable Path certificate;
    private final @Nullable Path privateKey;
    private final int bodyLimit;
    private final int headerLimit;
    private final int urlLimit;
    private final Duration requestTimeout;
    private final Duration idleTimeout;
    private final Duration closeTimeout;
    private final int eventLoops;
    private final int workerThreads;
    private final int eventListeners;

    private ServerOptions(Builder builder) {
        host = builder.host;
        port = builder.port;
        keys = List.copyOf(builder.keys);
        allowedHosts = List.copyOf(builder.allowedHosts);
        certificate = builder.certificate;
        privateKey = builder.privateKey;
        bodyLimit = builder.bodyLimit;
        headerLimit = builder.headerLimit;
        urlLimit = builder.urlLimit;
        requestTimeout = builder.requestTimeout;
        idleTimeout = builder.idleTimeout;
        closeTimeout = builder.closeTimeout;
        eventLoops = builder.eventLoops;
        workerThreads = builder.workerThreads;
        eventListeners = builder.eventListeners;
    }

    public static Builder builder() {
        return new Builder();
    }

    public String host() {
        return host;
    }

    /** 0 for any that is free. */
    public int port() {
        return port;
    }

    /** Empty for access without a key. */
    public List<AccessKey> keys() {
        return keys;
    }

    /** Names beside its own under which a server without access keys is reached, such as that of a proxy. */
    public List<String> allowedHosts() {
        return allowedHosts;
    }

    public boolean isTls() {
        return certificate != null;
    }

    /** PEM file with the certificate and its chain; null for plain HTTP. */
    public @Nullable Path certificate() {
        return certificate;
    }

    public @Nullable Path privateKey() {
        return privateKey;
    }

    /** The most bytes of a body that is read as a whole; NDJSON is not. */
    public int bodyLimit() {
        return bodyLimit;
    }

    /** The most bytes of all headers of a request. */
    public int headerLimit() {
        return headerLimit;
    }

    /** The most characters of a request line. */
    public int urlLimit() {
        return urlLimit;
    }

    /** A body must be complete within this time; of NDJSON, something must come within it. */
    public Duration requestTimeout() {
        return requestTimeout;
    }

    /** A connection on which no request comes for this long is closed. */
    public Duration idleTimeout() {
        return idleTimeout;
    }

    /** How long {@link MillraceServer#close} lets requests end. */
    public Duration closeTimeout() {
        return closeTimeout;
    }

    public int eventLoops() {
        return eventLoops;
    }

    /** Threads for what looks at many tasks. */
    public int workerThreads() {
        return workerThreads;
    }

    /** The most clients of {@code /v1/events}; those of one access key may be half of them. */
    public int eventListeners() {
        return eventListeners;
    }

    void checkAccess() {
        if (keys.isEmpty() && !isLoopback()) {
            throw new InvalidValueException(
                    "host", host, "beyond this machine it listens only with access keys: add one, or use 127.0.0.1");
        }
    }

    boolean isLoopback() {
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                if (!address.isLoopbackAddress()) {
                    return false;
                }
            }
            return true;
        } catch (UnknownHostException e) {
            throw new InvalidValueException("host", host, "there is no such address");
        }
    }

    /** Collects and checks the settings; each setter throws {@link InvalidValueException} at once. */
    public static final class Builder {
        private static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);

        private String host = "127.0.0.1";
        private int port = 7070;
        private List<AccessKey> keys = List.of();
        private List<String> allowedHosts = List.of();
        private @Nullable Path certificate;
        private @Nullable Path privateKey;
        private int bodyLimit = 32 << 20;
        private int headerLimit = 16 << 10;
        private int urlLimit = 8 << 10;
        private Duration requestTimeout = Duration.ofSeconds(30);
        private Duration idleTimeout = Duration.ofSeconds(75);
        private Duration closeTimeout = Duration.ofSeconds(30);
        private int eventLoops = Runtime.getRuntime().availableProcessors();
        private int workerThreads = 20;
        private int eventListeners = 200;

        private Builder() {}

        public Builder host(String value) {
            host = Limits.text("host", value, Limits.TAG_LENGTH);
            return this;
        }

        public Builder port(int value) {
            port = Limits.between("port", value, 0, 65_535);
            return this;
        }

        /** From now on every request needs a key, but for health probes, the contract and the page itself. */
        public Builder keys(List<AccessKey> value) {
            keys = Limits.present("keys", value);
            return this;
        }

        /**
         * Without access keys, requests must name localhost, a loopback address or one of these as their host: a
         * foreign web page, whose name somebody has pointed at this machine, must not use the server.
         */
        public Builder allowedHosts(List<String> value) {
            Limits.present("allowedHosts", value).forEach(host -> Limits.text("allowedHosts", host, Limits.TAG_LENGTH));
            allowedHosts = value;
            return this;
        }

        /** HTTPS with PEM files. */
        public Builder tls(Path certificateFile, Path privateKeyFile) {
            certificate = Limits.present("certificate", certificateFile);
            privateKey = Limits.present("privateKey", privateKeyFile);
            return this;
        }

        public Builder bodyLimit(int bytes) {
            bodyLimit = Limits.between("bodyLimit", bytes, 1_000, 1 << 30);
            return this;
        }

        public Builder headerLimit(int bytes) {
            headerLimit = Limits.between("headerLimit", bytes, 1_000, 1 << 20);
            return this;
        }

        public Builder urlLimit(int characters) {
            urlLimit = Limits.between("urlLimit", characters, 500, 1 << 20);
            return this;
        }

        public Builder requestTimeout(Duration value) {
            requestTimeout = timeout("requestTimeout", value);
            return this;
        }

        public Builder idleTimeout(Duration value) {
            idleTimeout = timeout("idleTimeout", value);
            return this;
        }

        public Builder closeTimeout(Duration value) {
            closeTimeout = timeout("closeTimeout", value);
            return this;
        }

        public Builder eventLoops(int value) {
            eventLoops = Limits.between("eventLoops", value, 1, 1_000);
            return this;
        }

        public Builder workerThreads(int value) {
            workerThreads = Limits.between("workerThreads", value, 1, 10_000);
            return this;
        }

        public Builder eventListeners(int value) {
            eventListeners = Limits.between("eventListeners", value, 1, 100_000);
            return this;
        }

        private static Duration timeout(String field, Duration value) {
            Duration checked = Limits.positive(field, value);
            if (checked.compareTo(LONGEST_TIMEOUT) > 0) {
                throw new InvalidValueException(field, value, "it may be up to " + LONGEST_TIMEOUT);
            }
            return checked;
        }

        public ServerOptions build() {
            return new ServerOptions(this);
        }
    }
}
