package io.millrace;

/** A topic has reached its capacity and has no dead-letter topic that could take the rest. Nothing was enqueued. */
public final class TopicFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String topic;

    public TopicFullException(String topic, int capacity) {
        super("topic " + topic + " is full: it takes " + capacity
                + " ready and scheduled tasks. Try again later, raise its capacity, or give it a dead-letter topic");
        this.topic = topic;
    }

    private TopicFullException(String topic, String message) {
        super(message);
        this.topic = topic;
    }

    /** One that was thrown elsewhere, with the message that it had there. */
    public static TopicFullException told(String topic, String message) {
        return new TopicFullException(topic, message);
    }

    public String topic() {
        return topic;
    }
}
