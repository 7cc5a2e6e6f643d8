package io.millrace.embedded;

import java.util.ArrayDeque;

/** Buffers that were written and can be filled again. */
final class ChunkPool {
    private static final int KEPT = 2;
    /** A larger one would be kept for the rare case that needed it. */
    private static final int LARGEST = 1 << 20;

    private final ArrayDeque<byte[]> buffers = new ArrayDeque<>(KEPT);

    Chunk chunk(Segment segment, int position) {
        byte[] buffer = buffers.poll();
        return new Chunk(segment, position, buffer == null ? new byte[0] : buffer);
    }

    void giveBack(Chunk chunk) {
        if (buffers.size() < KEPT && chunk.bytes().length <= LARGEST) {
            buffers.add(chunk.bytes());
        }
    }
}
