package io.millrace.benchmarks.http;

/** What one connection says: a request, and after its answer the next. */
public interface Conversation {
    byte[] request();

    /**
     * Looks at what has come since the last request.
     *
     * @return whether the answer is complete; nothing may come after it
     * @throws IllegalStateException if it is not the answer that was hoped for
     */
    boolean isAnswered(byte[] bytes, int length);
}
