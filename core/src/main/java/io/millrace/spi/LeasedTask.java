package io.millrace.spi;

import io.millrace.Task;

/** A task as handed to a worker: RUNNING, with its hold. */
public record LeasedTask(Task task, Lease lease) {}
