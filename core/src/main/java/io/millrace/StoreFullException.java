package io.millrace;

/** The store holds as much as it may. Nothing was enqueued; tasks that are there run, and make room when they end. */
public final class StoreFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreFullException(String message) {
        super(message);
    }
}
