package io.millrace;

/** Which task goes to the dead-letter topic when a topic is full. */
public enum Leak {
    /** The new one. */
    REAR,
    /** The oldest that is ready, to make room for the new one. */
    FRONT
}
