package io.millrace.wire;

import java.util.List;

/**
 * JSON that is not what it should be: every bad field of a request, or the first one of an answer. It has no stack, since a
 * body may have a million bad fields and each is thrown first.
 */
public final class WireException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Fault> faults;
    private final int more;

    /**
     * One bad field.
     *
     * @param pointer where, as a JSON pointer; empty for the whole
     * @param detail the value, and what is allowed
     * @param tooLarge whether it would be fine if it were smaller
     */
    public record Fault(String pointer, String detail, boolean tooLarge) {}

    /** @param more how many faults there are beside these; of these there is at least one */
    WireException(List<Fault> faults, int more) {
        super(faults.get(0).detail(), null, false, false);
        this.faults = List.copyOf(faults);
        this.more = more;
    }

    public static WireException invalid(String pointer, String detail) {
        return new WireException(List.of(new Fault(pointer, detail, false)), 0);
    }

    /** It would be fine if it were smaller. */
    public static WireException tooLarge(String pointer, String detail) {
        return new WireException(List.of(new Fault(pointer, detail, true)), 0);
    }

    /** The first hundred, in the order in which they were found. */
    public List<Fault> faults() {
        return faults;
    }

    /** How many there are beside {@link #faults}. */
    public int more() {
        return more;
    }

    /** Where the first is, as a JSON pointer; empty for the whole. */
    public String pointer() {
        return faults.get(0).pointer();
    }

    /** What is wrong with the first. */
    public String detail() {
        return faults.get(0).detail();
    }

    /** Whether all would be fine if it were smaller. */
    public boolean isTooLarge() {
        return faults.stream().allMatch(Fault::tooLarge);
    }

    /** The same trouble in a larger whole. */
    public WireException under(String prefix) {
        return new WireException(
                faults.stream()
                        .map(fault -> new Fault(prefix + fault.pointer, fault.detail, fault.tooLarge))
                        .toList(),
                more);
    }
}
