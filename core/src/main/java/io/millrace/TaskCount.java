package io.millrace;

/** How many tasks of a topic are in a state. */
public record TaskCount(String topic, TaskState state, long count) {}
