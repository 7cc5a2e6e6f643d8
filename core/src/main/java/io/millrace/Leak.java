package io.millrace;

/** Which task goes to the dead-letter topic when a topic is full; which item, when an in-process queue is. */
public enum Leak {
    /** The new one. */
    REAR,
    /** The one whose turn it would be, to make room for the new one. */
    FRONT
}
