/**
 * The store that keeps everything in memory: the reference for all others, and the index of the durable one. Open
 * {@link io.millrace.heap.HeapStore} first, then {@link io.millrace.heap.TaskTable}, which holds the indexes; each call
 * of the contract has a class of its own that works on them under the store's lock.
 */
@NullMarked
package io.millrace.heap;

import org.jspecify.annotations.NullMarked;
