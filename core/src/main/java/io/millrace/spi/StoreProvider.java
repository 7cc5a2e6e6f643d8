package io.millrace.spi;

/** Opens stores by URL; found through {@link java.util.ServiceLoader}. */
public interface StoreProvider {
    /** Whether this provider knows the URL's scheme. */
    boolean accepts(String url);

    /**
     * @param clock for stores without a clock of their own
     * @throws io.millrace.InvalidValueException if the URL is wrong
     */
    TaskStore open(String url, EngineClock clock);
}
