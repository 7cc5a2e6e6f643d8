/**
 * The HTTP API over a {@link io.millrace.Millrace} in this process, with metrics and a status page. {@link
 * io.millrace.server.MillraceServer} starts it; {@code Routes} is the map of all that it answers.
 *
 * <p>What happens once per task (enqueue, claim, report) stays on the event loop and hands over to the engine's batches.
 * What looks at many tasks runs on threads that may wait.
 */
@NullMarked
package io.millrace.server;

import org.jspecify.annotations.NullMarked;
