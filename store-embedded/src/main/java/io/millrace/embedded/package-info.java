/**
 * A durable store in files of the process itself. Its lower half is {@link io.millrace.embedded.SegmentedLog}, a log of
 * checked frames; {@code docs/on-disk-format.md} tells what is in its files.
 */
@NullMarked
package io.millrace.embedded;

import org.jspecify.annotations.NullMarked;
