package io.millrace.testkit.store;

/** The fixture of a store whose content outlives it. */
public interface DurableStoreFixture extends StoreFixture {
    /** Closes the store and opens another on what it has left; {@link #store()} is that one from then on. */
    void reopen();
}
