package io.millrace.heap;

import io.millrace.StoreUnavailableException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Keeps what a heap store does, so that it survives the process. A <em>step</em> holds all that one call of the store has
 * changed. All calls but those that wait come under the store's lock, one at a time.
 */
public interface Journal extends AutoCloseable {
    /** What a call is for, if there is little room left. */
    enum Use {
        /** New tasks: refused first. */
        GROWTH,
        /** What must go on as long as anything does: claims, reports, changes. */
        PROGRESS
    }

    /**
     * Asked before a call changes anything.
     *
     * @param bytes at least as many as the step will have
     * @throws StoreUnavailableException if the step could not be kept; nothing may be changed then
     */
    void admit(Use use, long bytes);

    /** What could be several steps should not be one of more bytes: each needs its room in one piece. */
    default long largestStep() {
        return Long.MAX_VALUE;
    }

    /** Adds a step. It is kept whole or not at all. @return its number, greater than all before */
    long append(ByteBuffer step);

    /** The segment of the step that was added last. */
    int segment();

    /** Sees to it that the process may soon die without harm to a step and all before it, and waits for nobody. */
    void writeSoon(long step);

    /** Waits until the machine may lose its power without harm to a step and all before it. */
    void awaitDurable(long step);

    /**
     * Copies all steps that were added before the call to a directory that is empty or missing, while others go on.
     *
     * @throws UnsupportedOperationException if this journal cannot
     */
    void copyTo(Path directory);

    @Override
    void close();
}
