package io.millrace.embedded;

import java.nio.file.Path;

/**
 * A segment that is full.
 *
 * @param first number of its first frame
 * @param last number of its last frame; one less than the first if it has none
 * @param size of the file
 */
record SealedSegment(int number, Path file, long first, long last, long size) {}
