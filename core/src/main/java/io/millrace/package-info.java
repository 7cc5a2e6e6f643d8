/**
 * What users of Millrace call. Open {@link io.millrace.Millrace} first: it is the only door.
 *
 * <p>Everything else here is an immutable value ({@link io.millrace.NewTask}, {@link io.millrace.Task},
 * {@link io.millrace.TopicPolicy}, …) or an interface that users implement ({@link io.millrace.Handler},
 * {@link io.millrace.Observer}, {@link io.millrace.Codec}).
 */
@NullMarked
package io.millrace;

import org.jspecify.annotations.NullMarked;
