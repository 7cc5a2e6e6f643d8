package io.millrace.wire;

import io.millrace.Task;
import org.jspecify.annotations.Nullable;

/**
 * A task as the HTTP API shows it.
 *
 * @param retriesLeft by the task's own settings or its topic's
 * @param why why it is not done yet, in words; null if it is final, or nobody asked
 */
public record TaskView(Task task, int retriesLeft, @Nullable String why) {}
