/**
 * What stands between the callers and a store: batching, dispatching, and the duties that time brings. Open
 * {@link io.millrace.internal.engine.Engine} first; it puts the parts together.
 */
@NullMarked
package io.millrace.internal.engine;

import org.jspecify.annotations.NullMarked;
