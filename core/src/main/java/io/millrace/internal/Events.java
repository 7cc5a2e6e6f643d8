package io.millrace.internal;

import io.millrace.Event;
import io.millrace.Observer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the observers. Events are made only if there is one. */
public final class Events {
    private static final Logger log = LoggerFactory.getLogger(Events.class);

    private volatile Observer[] observers;

    public Events(List<Observer> observers) {
        this.observers = observers.toArray(new Observer[0]);
    }

    /** Adds an observer. @return takes it away again */
    public synchronized Runnable add(Observer observer) {
        List<Observer> more = new ArrayList<>(List.of(observers));
        more.add(observer);
        observers = more.toArray(new Observer[0]);
        return () -> remove(observer);
    }

    private synchronized void remove(Observer observer) {
        List<Observer> fewer = new ArrayList<>(List.of(observers));
        fewer.remove(observer);
        observers = fewer.toArray(new Observer[0]);
    }

    /** Whether anyone listens; where much happens it is asked first, so that nothing is made for nobody. */
    public boolean wanted() {
        return observers.length > 0;
    }

    public void tell(Supplier<Event> maker) {
        Observer[] told = observers;
        if (told.length == 0) {
            return;
        }
        Event event;
        try {
            event = maker.get();
        } catch (Throwable e) {
            log.warn("An event could not be told; the work goes on without it", e);
            return;
        }
        for (Observer observer : told) {
            try {
                observer.on(event);
            } catch (Throwable e) {
                log.warn("An observer failed on {}; the work goes on without it", event, e);
            }
        }
    }
}
