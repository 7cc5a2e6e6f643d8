/**
 * The in-process queue behind {@link io.millrace.WorkQueue}. Open {@link io.millrace.internal.queue.ItemQueue} first: it
 * leads an item through {@code Ready} (a {@code Ring}, or {@code Lanes} with turns), {@code Later} (delays and retries)
 * and the pool's workers.
 */
@NullMarked
package io.millrace.internal.queue;

import org.jspecify.annotations.NullMarked;
