package io.millrace.client;

/** The server does not know the access key, or the key does not open what was asked for. Nothing was changed. */
public final class AccessDeniedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean keyKnown;

    AccessDeniedException(String message, boolean keyKnown) {
        super(message);
        this.keyKnown = keyKnown;
    }

    /** Whether the server knows the key, and it opens something else; false also if no key was sent. */
    public boolean isKeyKnown() {
        return keyKnown;
    }
}
