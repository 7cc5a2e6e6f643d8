package io.millrace.embedded;

import io.millrace.Damage;
import java.util.List;

/**
 * What a repair found.
 *
 * @param kept steps that are in the new store
 * @param dropped steps that were readable and not kept
 * @param damages what could not be read, in its order
 */
public record RepairReport(long kept, long dropped, List<Damage> damages) {
    public RepairReport {
        damages = List.copyOf(damages);
    }
}
