package io.millrace;

/**
 * The store holds as much as it may. Nothing was enqueued, or the result of a report was not stored; tasks that are
 * there run, and make room when they are deleted.
 */
public final class StoreFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreFullException(String message) {
        super(message);
    }
}
