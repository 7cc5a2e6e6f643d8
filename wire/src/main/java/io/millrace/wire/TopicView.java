package io.millrace.wire;

import io.millrace.Topic;

/**
 * A topic as the HTTP API shows it.
 *
 * @param rates what went on lately, as seen by the server that answers
 */
public record TopicView(Topic topic, Rates rates) {
    /** Tasks a second: taken in, succeeded, and ended in any other way. */
    public record Rates(double enqueued, double succeeded, double failed) {
        public static final Rates NONE = new Rates(0, 0, 0);
    }
}
