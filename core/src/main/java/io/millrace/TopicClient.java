package io.millrace;

import java.util.List;

/** Topics exist as soon as a task or a policy names them. Every call checks the name ({@link InvalidValueException}). */
public interface TopicClient {
    /** All topics that have tasks, a policy, or are paused, by name. */
    List<Topic> list();

    /** The topic; without tasks and policy it is an empty one with {@link TopicPolicy#DEFAULT}. */
    Topic get(String topic);

    /** Replaces the policy; tasks that are already there follow it too. */
    void setPolicy(String topic, TopicPolicy policy);

    /** Goes back to {@link TopicPolicy#DEFAULT}. The tasks stay. */
    void removePolicy(String topic);

    /** No task of the topic is given out any more; what runs goes on, and new tasks are taken in. */
    void pause(String topic);

    void resume(String topic);

    /**
     * Moves a dead-letter topic's tasks back to where they came from.
     *
     * @return how many
     */
    long redrive(String deadLetterTopic);
}
