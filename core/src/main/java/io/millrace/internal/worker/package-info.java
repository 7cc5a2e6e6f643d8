/**
 * Runs handlers in this process, over the same protocol that remote workers speak. Open
 * {@link io.millrace.internal.worker.EmbeddedWorker} first.
 */
@NullMarked
package io.millrace.internal.worker;

import org.jspecify.annotations.NullMarked;
