package io.millrace.spi;

import io.millrace.MillraceOptions;

/** Goes to a server elsewhere by URL; found through {@link java.util.ServiceLoader}. */
public interface BackendProvider {
    /** Whether this provider knows the URL's scheme. */
    boolean accepts(String url);

    /**
     * Opens what a {@link io.millrace.Millrace} can stand on; its calls may wait.
     *
     * @throws io.millrace.InvalidValueException if the URL is wrong
     * @throws io.millrace.StoreUnavailableException if nobody answers there
     */
    Backend open(String url, MillraceOptions options);
}
