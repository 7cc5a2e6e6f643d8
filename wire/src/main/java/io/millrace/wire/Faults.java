package io.millrace.wire;

import io.millrace.wire.WireException.Fault;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects what is wrong with a request: the first hundred faults, and the number of the others. */
final class Faults {
    static final int LISTED = 100;
    /** A body may have a million bad fields. Those that follow from one another are near to each other. */
    private static final int REMEMBERED = 1_000;

    private final List<Fault> listed = new ArrayList<>();
    private final Set<String> pointers = new HashSet<>();
    private int count;

    /** Adds what an exception says. A field that is bad already is not bad for a second reason. */
    void add(WireException e) {
        for (Fault fault : e.faults()) {
            if (pointers.size() >= REMEMBERED) {
                pointers.clear();
            }
            if (pointers.add(fault.pointer())) {
                count++;
                if (listed.size() < LISTED) {
                    listed.add(fault);
                }
            }
        }
    }

    int count() {
        return count;
    }

    WireException toException() {
        return new WireException(listed, count - listed.size());
    }
}
