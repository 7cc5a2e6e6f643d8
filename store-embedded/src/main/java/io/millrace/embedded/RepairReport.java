package io.millrace.embedded;

import io.millrace.Damage;
import java.util.List;

/**
 * What a repair found.
 *
 * @param kept frames that are in the new log
 * @param dropped whole frames that the filters did not keep
 * @param damages what could not be read, in the order of the log
 */
record RepairReport(long kept, long dropped, List<Damage> damages) {
    RepairReport {
        damages = List.copyOf(damages);
    }
}
