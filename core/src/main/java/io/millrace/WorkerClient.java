package io.millrace;

import java.util.List;
import java.util.UUID;

/** Who works. */
public interface WorkerClient {
    List<Worker> list();

    /**
     * Asks a worker to finish what it runs and to leave.
     *
     * @return false if there is no such worker alive
     */
    boolean stop(UUID id);
}
