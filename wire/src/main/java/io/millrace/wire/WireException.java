package io.millrace.wire;

/** JSON that is not what it should be. The detail says what is allowed. */
public final class WireException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String pointer;
    private final boolean tooLarge;

    private WireException(String pointer, String detail, boolean tooLarge) {
        super(detail);
        this.pointer = pointer;
        this.tooLarge = tooLarge;
    }

    public static WireException invalid(String pointer, String detail) {
        return new WireException(pointer, detail, false);
    }

    /** It would be fine if it were smaller. */
    public static WireException tooLarge(String pointer, String detail) {
        return new WireException(pointer, detail, true);
    }

    /** Where, as a JSON pointer; empty for the whole. */
    public String pointer() {
        return pointer;
    }

    public String detail() {
        return String.valueOf(getMessage());
    }

    public boolean isTooLarge() {
        return tooLarge;
    }

    /** The same trouble in a larger whole. */
    WireException under(String prefix) {
        return new WireException(prefix + pointer, detail(), tooLarge);
    }
}
