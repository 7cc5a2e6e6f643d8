package io.millrace.client;

import io.millrace.InvalidValueException;
import io.millrace.MillraceOptions;
import io.millrace.spi.Backend;
import io.millrace.spi.BackendProvider;
import org.jspecify.annotations.Nullable;

/** Opens {@code http://…} and {@code https://…}. */
public final class HttpProvider implements BackendProvider {
    /** The environment variable with the access key, for those who set none in the options. */
    public static final String KEY_VARIABLE = "MILLRACE_KEY";

    @Override
    public boolean accepts(String url) {
        return ServerUrl.isHttp(url);
    }

    /**
     * Goes to a server and sees that it answers.
     *
     * @throws InvalidValueException if the URL has more than a host, a port and a path
     * @throws AccessDeniedException if the server does not know the key
     * @throws io.millrace.StoreUnavailableException if nobody answers within {@link MillraceOptions#serverPatience}
     */
    @Override
    public Backend open(String url, MillraceOptions options) {
        RemoteBackend backend = new RemoteBackend(transport(url, options), options);
        try {
            backend.checkAccess();
            return backend;
        } catch (RuntimeException | Error e) {
            backend.close();
            throw e;
        }
    }

    static Transport transport(String url, MillraceOptions options) {
        return new Transport(ServerUrl.parse(url), key(options), options.serverPatience());
    }

    private static @Nullable String key(MillraceOptions options) {
        String given = options.accessKey();
        if (given != null) {
            return given;
        }
        String variable = System.getenv(KEY_VARIABLE);
        if (variable == null || variable.isBlank()) {
            return null;
        }
        // the same check, and without the line break that files end with
        return MillraceOptions.builder().accessKey(variable.strip()).build().accessKey();
    }
}
