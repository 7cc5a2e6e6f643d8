package io.millrace.spi;

/** Is told that something may have changed. Calls are hints: they may be late, repeated or missing. Must not block. */
public interface WakeUpListener {
    /** A task of this topic has become ready. */
    void ready(String topic);

    /** An entry of {@link Records} has changed. */
    void recordsChanged();
}
