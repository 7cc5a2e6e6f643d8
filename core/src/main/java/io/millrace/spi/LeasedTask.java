package io.millrace.spi;

import io.millrace.Task;
import java.time.Duration;

/**
 * A task as handed to a worker: RUNNING, with its hold.
 *
 * @param timeToRun how long the attempt may take, from its claim or from its start
 */
public record LeasedTask(Task task, Lease lease, Duration timeToRun) {}
