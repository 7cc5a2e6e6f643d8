package io.millrace;

/**
 * Does the work of a topic's tasks. To return is to succeed; to throw is to fail, and to be tried again where retries
 * are left. It may run more than once for a task (at least once), and must be safe to call from several threads.
 */
@FunctionalInterface
public interface Handler<T> {
    /**
     * @throws StopException to fail without any further retry
     * @throws TimedOutException to end as timed out
     * @throws InterruptedException when the task was cancelled, ran too long, or Millrace is closed by force
     * @throws Exception to fail
     */
    void handle(T payload, TaskContext context) throws Exception;
}
