package io.millrace.embedded;

import io.millrace.InvalidValueException;
import io.millrace.Limits;
import io.millrace.MillraceOptions;
import io.millrace.StoreUnavailableException;
import io.millrace.heap.HeapRestore;
import io.millrace.spi.EngineClock;
import java.nio.ByteBuffer;
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
        EngineClock clock = MillraceOptions.DEFAULT.clock();
        LogSettings settings = new LogSettings(clock, Runnable::run);
        Path target = to.toAbsolutePath().normalize();
        HeapRestore trial = new HeapRestore(
                new LogJournal(EmbeddedUrl.parse(EmbeddedUrl.SCHEME + target), clock, settings.disk()),
                clock,
                Long.MAX_VALUE);
        return SegmentedLog.repair(
                from.toAbsolutePath().normalize(),
                target,
                settings,
                (segment, number, step) -> makesSense(trial, segment, step));
    }

    private static boolean makesSense(HeapRestore trial, int segment, ByteBuffer step) {
        try {
            trial.step(segment, step);
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }
}
