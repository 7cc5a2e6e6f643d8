package io.millrace.spi;

import java.util.UUID;

/**
 * One worker's hold on one attempt of one task.
 *
 * @param token the fence: made by the store, never the same twice; a store may put into it what finds the task fast
 */
public record Lease(UUID task, int attempt, UUID worker, String token) {}
