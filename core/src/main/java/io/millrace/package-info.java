/**
 * What users of Millrace call. There are two doors: {@link io.millrace.Millrace} for tasks that a store keeps, and
 * {@link io.millrace.WorkQueue} for plain objects in one process.
 *
 * <p>Everything else here is an immutable value ({@link io.millrace.NewTask}, {@link io.millrace.Task},
 * {@link io.millrace.TopicPolicy}, …) or an interface that users implement ({@link io.millrace.Handler},
 * {@link io.millrace.Observer}, {@link io.millrace.Codec}).
 */
@NullMarked
package io.millrace;

import org.jspecify.annotations.NullMarked;
