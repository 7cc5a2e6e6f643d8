package io.millrace.embedded;

import io.millrace.InvalidValueException;
import io.millrace.Limits;
import io.millrace.MillraceOptions;
import io.millrace.StoreUnavailableException;
import java.nio.file.Path;

/** Rescues what is readable of an embedded store that does not open because it is damaged. */
public final class EmbeddedRepair {
    private EmbeddedRepair() {}

    /**
     * Writes all readable steps of a store that nobody has open to a new one; the old one is not changed. What the
     * unreadable steps said is lost: tasks that they brought are not there, and tasks that they ended run again.
     *
     * @param to must be empty or missing; {@code embedded:TO} opens the result
     * @return what is lost, and where it was
     * @throws InvalidValueException if there is no store, one of another version, or something where the new one should be
     * @throws StoreUnavailableException if the store is open, or a disk fails
     */
    public static RepairReport repair(Path from, Path to) {
        Limits.present("from", from);
        Limits.present("to", to);
        LogSettings settings = new LogSettings(MillraceOptions.DEFAULT.clock(), Runnable::run);
        return SegmentedLog.repair(
                from.toAbsolutePath().normalize(), to.toAbsolutePath().normalize(), settings);
    }
}
