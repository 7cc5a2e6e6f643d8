package io.millrace.wire;

import io.millrace.spi.Lease;
import java.util.UUID;

/** A lease as one text, {@code attempt.token}: all that a worker has to send back beside the task. */
final class LeaseText {
    static final int LONGEST = 500;

    private LeaseText() {}

    static final Lease NOBODYS = new Lease(new UUID(0, 0), 0, new UUID(0, 0), "");

    static String of(Lease lease) {
        return lease.attempt() + "." + lease.token();
    }

    /** A text that was never a lease becomes one that nobody holds: its report is answered like any that comes late. */
    static Lease parse(UUID task, UUID worker, String text) {
        int dot = text.indexOf('.');
        try {
            return new Lease(task, Integer.parseInt(text, 0, dot, 10), worker, text.substring(dot + 1));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            return new Lease(task, 0, worker, text);
        }
    }
}
