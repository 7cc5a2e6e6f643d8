package io.millrace.spi;

import io.millrace.Limits;
import io.millrace.TooManyWorkersException;
import io.millrace.spi.WorkerRegistry.Introduction;

/**
 * The room that workers take up in a store, and whether there is enough for one more. Half of it is left to others: no
 * access key can keep the workers of another one out.
 *
 * @param workers how many there are
 * @param bytes their {@link Introduction#size}
 * @param ofOwner how many of them have the owner in question
 * @param bytesOfOwner the size of those
 */
public record WorkerRoom(long workers, long bytes, long ofOwner, long bytesOfOwner) {
    /** @throws TooManyWorkersException if one more does not fit; workers of this process always do */
    public void check(Introduction another) {
        if (another.inProcess()) {
            return;
        }
        checkNumber("all", workers, Limits.WORKERS);
        checkBytes("all", bytes + another.size(), Limits.WORKER_BYTES);
        if (!another.owner().isEmpty()) {
            String whose = "access key \"" + another.owner() + "\"";
            checkNumber(whose, ofOwner, Limits.WORKERS / 2);
            checkBytes(whose, bytesOfOwner + another.size(), Limits.WORKER_BYTES / 2);
        }
    }

    private static void checkNumber(String whose, long workers, long most) {
        if (workers >= most) {
            throw new TooManyWorkersException("there are " + workers + " workers of " + whose + ", and there may be "
                    + most + ": stop those that are not needed, or wait until they expire");
        }
    }

    private static void checkBytes(String whose, long bytes, long most) {
        if (bytes > most) {
            throw new TooManyWorkersException("the topics of the workers of " + whose + " would take " + bytes
                    + " bytes, and may take " + most + ": register with fewer topics, or with \"*\"");
        }
    }
}
