package io.millrace.sql;

/**
 * A queue of a topic, or its parking place.
 *
 * @param topicId the id of the topic's parking lane, which stands for the topic
 */
record Lane(int id, String topic, long priority, int topicId) {
    /** The priority of a parking lane; no task can have it. */
    static final long PARKING = 1L << 40;

    boolean isParking() {
        return priority == PARKING;
    }
}
