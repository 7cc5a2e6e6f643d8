package io.millrace.embedded;

import java.nio.ByteBuffer;

/** Takes the frames of a log, in their order. */
@FunctionalInterface
interface FrameConsumer {
    /** @param payload read-only, and only valid during the call */
    void accept(int segment, long number, ByteBuffer payload);

    /** There are no more, and nothing on the disk was changed yet: the last moment to refuse the log. */
    default void end() {}
}
