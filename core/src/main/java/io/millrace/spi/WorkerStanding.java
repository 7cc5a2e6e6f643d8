package io.millrace.spi;

/** How a store sees the worker that called. */
public enum WorkerStanding {
    ALIVE,
    /** Asked to finish and leave: alive, but given nothing new. */
    STOPPING,
    /** Not heard of in time: it should register anew. */
    EXPIRED,
    UNKNOWN;

    /** Its leases are its own. */
    public boolean isAlive() {
        return this == ALIVE || this == STOPPING;
    }
}
