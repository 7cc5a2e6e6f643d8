/**
 * The balanced pool: workers that take items and run them, as many as the load asks for. In-process queues and the
 * engine's embedded workers both run on it. Open {@link io.millrace.internal.pool.Pool} first.
 */
@NullMarked
package io.millrace.internal.pool;

import org.jspecify.annotations.NullMarked;
