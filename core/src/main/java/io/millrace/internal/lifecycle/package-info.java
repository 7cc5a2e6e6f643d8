/** The state machine of a task, as pure decisions. Open {@link io.millrace.internal.lifecycle.LifeCycle} first. */
@NullMarked
package io.millrace.internal.lifecycle;

import org.jspecify.annotations.NullMarked;
