package io.millrace.cli;

import io.millrace.InvalidValueException;
import io.millrace.MillraceOptions;
import io.millrace.server.ServerOptions;
import io.millrace.wire.Durations;
import io.millrace.wire.WireException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Settings, checked and as a server takes them. */
record ServerPlan(
        String store,
        MillraceOptions millrace,
        ServerOptions server,
        @Nullable Path keyFile) {
    /** @throws UsageException if a value is not allowed; it says where that value came from */
    static ServerPlan of(Settings settings) {
        return new Reading(settings).plan();
    }

    private static final class Reading {
        private final Settings settings;
        private final MillraceOptions.Builder millrace = MillraceOptions.builder();
        private final ServerOptions.Builder server = ServerOptions.builder();

        Reading(Settings settings) {
            this.settings = settings;
        }

        ServerPlan plan() {
            text(Setting.HOST, server::host);
            number(Setting.PORT, server::port);
            duration(Setting.WORKER_EXPIRY, millrace::workerExpiry);
            number(Setting.PAYLOAD_LIMIT, millrace::payloadLimit);
            number(Setting.BODY_LIMIT, server::bodyLimit);
            number(Setting.HEADER_LIMIT, server::headerLimit);
            number(Setting.URL_LIMIT, server::urlLimit);
            duration(Setting.REQUEST_TIMEOUT, server::requestTimeout);
            duration(Setting.IDLE_TIMEOUT, server::idleTimeout);
            duration(Setting.CLOSE_TIMEOUT, server::closeTimeout);
            number(Setting.EVENT_LOOPS, server::eventLoops);
            number(Setting.WORKER_THREADS, server::workerThreads);
            number(Setting.EVENT_LISTENERS, server::eventListeners);
            text(Setting.ALLOWED_HOST, hosts -> server.allowedHosts(List.of(hosts.split(",", -1))));
            text(Setting.KEY_FILE, file -> server.keys(KeyFile.read(file)));
            tls();
            Settings.Value keyFile = settings.get(Setting.KEY_FILE);
            return new ServerPlan(
                    store(), millrace.build(), server.build(), keyFile == null ? null : Path.of(keyFile.text()));
        }

        private String store() {
            Settings.Value value = settings.get(Setting.STORE);
            if (value == null || value.text().isEmpty() || value.text().startsWith("http")) {
                throw wrong(Setting.STORE, "it must be such as embedded:./data");
            }
            return value.text();
        }

        private void tls() {
            Settings.Value certificate = settings.get(Setting.TLS_CERT);
            Settings.Value key = settings.get(Setting.TLS_KEY);
            if ((certificate == null) != (key == null)) {
                Setting given = key == null ? Setting.TLS_CERT : Setting.TLS_KEY;
                throw wrong(given, "tls-cert and tls-key go together");
            }
            if (certificate != null && key != null) {
                server.tls(readable(Setting.TLS_CERT, certificate), readable(Setting.TLS_KEY, key));
            }
        }

        private Path readable(Setting setting, Settings.Value value) {
            Path file = Path.of(value.text());
            if (!Files.isReadable(file)) {
                throw wrong(setting, "the file cannot be read");
            }
            return file;
        }

        private void number(Setting setting, Function<Integer, ?> setter) {
            text(setting, text -> {
                try {
                    return setter.apply(Integer.valueOf(text));
                } catch (NumberFormatException e) {
                    throw new InvalidValueException(setting.key(), text, "it must be a whole number");
                }
            });
        }

        private void duration(Setting setting, Function<Duration, ?> setter) {
            text(setting, text -> setter.apply(Durations.parse(text)));
        }

        private void text(Setting setting, Function<String, ?> setter) {
            Settings.Value value = settings.get(setting);
            if (value == null) {
                return;
            }
            try {
                var unused = setter.apply(value.text());
            } catch (InvalidValueException e) {
                throw new UsageException(origin(value) + e.getMessage());
            } catch (WireException e) {
                throw wrong(setting, e.detail());
            }
        }

        private UsageException wrong(Setting setting, String allowed) {
            Settings.Value value = settings.get(setting);
            String text = value == null ? null : value.text();
            return new UsageException(
                    origin(value) + new InvalidValueException(setting.key(), text, allowed).getMessage());
        }

        private static String origin(Settings.@Nullable Value value) {
            return value == null ? "" : value.origin() + ": ";
        }
    }
}
