package io.millrace.internal.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for tasks of which topics. A signal wakes the one who has waited longest; when it gets all it asked for,
 * there may be more, and it passes the signal on. A signal that finds nobody is remembered by the version, so that one
 * who looked just before does not go to sleep on it.
 */
final class WaitingList {
    /** Someone who waits. Its {@link #wake} must be quick. */
    abstract static class Waiter {
        private long ticket;
        private final Collection<String> topics;

        /** @param topics empty for all */
        Waiter(Collection<String> topics) {
            this.topics = topics;
        }

        abstract void wake();
    }

    /** Those whom this thread has yet to wake, while it does. */
    private static final ThreadLocal<@Nullable Queue<Waiter>> WAKING = new ThreadLocal<>();

    private final Map<String, Set<Waiter>> byTopic = new HashMap<>();
    private final Set<Waiter> forAll = new LinkedHashSet<>();
    /** At which version a topic was last signalled. */
    private final Map<String, Long> signalled = new HashMap<>();

    private long signalledAll;
    private long version;
    private long lastTicket;

    synchronized long version() {
        return version;
    }

    /** Goes to sleep, unless one of its topics was signalled since {@code seen}. */
    synchronized boolean park(Waiter waiter, long seen) {
        if (wasSignalled(waiter.topics, seen)) {
            return false;
        }
        waiter.ticket = ++lastTicket;
        if (waiter.topics.isEmpty()) {
            forAll.add(waiter);
        }
        for (String topic : waiter.topics) {
            byTopic.computeIfAbsent(topic, any -> new LinkedHashSet<>()).add(waiter);
        }
        return true;
    }

    private boolean wasSignalled(Collection<String> topics, long seen) {
        if (version == seen) {
            return false;
        }
        return signalledAll > seen
                || topics.isEmpty()
                || topics.stream().anyMatch(topic -> signalled.getOrDefault(topic, 0L) > seen);
    }

    /** Leaves without having been woken. */
    synchronized void remove(Waiter waiter) {
        forAll.remove(waiter);
        for (String topic : waiter.topics) {
            Set<Waiter> waiters = byTopic.get(topic);
            if (waiters != null && waiters.remove(waiter) && waiters.isEmpty()) {
                byTopic.remove(topic);
            }
        }
    }

    /** Something may be ready in this topic. */
    void signal(String topic) {
        Waiter first;
        synchronized (this) {
            signalled.put(topic, ++version);
            first = takeFirst(topic);
        }
        if (first != null) {
            wake(List.of(first));
        }
    }

    /** Something may be ready anywhere: one waiter of each topic looks. */
    void signalAll() {
        List<Waiter> woken = new ArrayList<>();
        synchronized (this) {
            signalledAll = ++version;
            signalled.clear();
            for (String topic : List.copyOf(byTopic.keySet())) {
                Waiter first = takeFirst(topic);
                if (first != null) {
                    woken.add(first);
                }
            }
            Waiter first = firstOf(forAll);
            if (first != null) {
                remove(first);
                woken.add(first);
            }
        }
        wake(woken);
    }

    /**
     * Wakes them, one after the other. Where answers come at once, who is woken passes the signal on before it returns; the
     * next one is then woken from here and not from within, or a long queue would overflow the stack.
     */
    private void wake(List<Waiter> woken) {
        Queue<Waiter> begun = WAKING.get();
        if (begun != null) {
            begun.addAll(woken);
            return;
        }
        Queue<Waiter> queue = new ArrayDeque<>(woken);
        WAKING.set(queue);
        try {
            for (Waiter next = queue.poll(); next != null; next = queue.poll()) {
                next.wake();
            }
        } finally {
            WAKING.remove();
        }
    }

    private @Nullable Waiter takeFirst(String topic) {
        Waiter here = firstOf(byTopic.getOrDefault(topic, Set.of()));
        Waiter anywhere = firstOf(forAll);
        boolean chooseHere = here != null && (anywhere == null || here.ticket < anywhere.ticket);
        Waiter first = chooseHere ? here : anywhere;
        if (first != null) {
            remove(first);
        }
        return first;
    }

    private static @Nullable Waiter firstOf(Set<Waiter> waiters) {
        Iterator<Waiter> iterator = waiters.iterator();
        return iterator.hasNext() ? iterator.next() : null;
    }
}
