package io.millrace.embedded;

import java.nio.ByteBuffer;

/** Says which of the readable frames a repair keeps. */
@FunctionalInterface
interface FrameFilter {
    /** @param payload read-only, and only valid during the call */
    boolean keep(int segment, long number, ByteBuffer payload);
}
