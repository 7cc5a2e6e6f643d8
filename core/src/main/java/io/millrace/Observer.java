package io.millrace;

/**
 * Sees everything that happens on this node: metrics, traces, logs and live views are built on it. It is called on
 * Millrace's own threads and must be quick; what it throws is logged and otherwise ignored. Without an observer no event
 * is even made.
 */
@FunctionalInterface
public interface Observer {
    void on(Event event);
}
