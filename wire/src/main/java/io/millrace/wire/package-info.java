/**
 * The JSON of the HTTP API, read and written: the server and every Java client share it. Each class named {@code …Form}
 * is the JSON of one thing; open {@link io.millrace.wire.TaskForm} first.
 *
 * <p>Requests are read strictly: an unknown field, a field given twice, a wrong type or a value out of range is a
 * {@link io.millrace.wire.WireException} that says where and what is allowed. In answers, unknown fields are passed over:
 * a newer server may have more of them.
 */
@NullMarked
package io.millrace.wire;

import org.jspecify.annotations.NullMarked;
