package io.millrace;

/** No more workers can be registered, or a worker's topics are too many. Nothing was changed. */
public final class TooManyWorkersException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TooManyWorkersException(String message) {
        super(message);
    }
}
