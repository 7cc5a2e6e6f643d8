package io.millrace.engine;

import io.millrace.Enqueued;
import io.millrace.Event;
import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.spi.EngineClock;
import io.millrace.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** A Millrace over the heap store whose time the test moves, and whose events it sees. */
final class Bed implements AutoCloseable {
    final SettableClock clock = new SettableClock();
    private volatile Duration jumped = Duration.ZERO;
    final EventLog events = new EventLog();
    final Millrace millrace;

    Bed() {
        this(options -> options);
    }

    Bed(UnaryOperator<MillraceOptions.Builder> settings) {
        this("heap:", settings);
    }

    Bed(String url, UnaryOperator<MillraceOptions.Builder> settings) {
        millrace = Millrace.open(
                url,
                settings.apply(MillraceOptions.builder()
                                .workers(2)
                                .clock(new Jumping())
                                .observer(events))
                        .build());
    }

    UUID enqueue(String topic) {
        return enqueue(NewTask.builder(topic));
    }

    UUID enqueue(NewTask.Builder task) {
        Enqueued enqueued = millrace.enqueue(task.build());
        return enqueued.id();
    }

    static NewTask.Builder task(String topic, String text) {
        return NewTask.builder(topic).payload(Payload.json("\"" + text + "\""));
    }

    Task get(UUID id) {
        return millrace.find(id).orElseThrow();
    }

    /** Waits for the task's end; time stands still meanwhile. */
    Task finished(UUID id) throws Exception {
        return millrace.finished(id).get(20, TimeUnit.SECONDS);
    }

    Event.AttemptEnded attemptEnded(UUID id, int attempt) throws InterruptedException {
        return events.await(
                        Event.AttemptEnded.class,
                        1,
                        ended -> ended.task().id().equals(id)
                                && ended.task().tally().attempts() == attempt)
                .get(0);
    }

    void advance(Duration time) {
        clock.advance(time);
    }

    /** The clock shows another time all at once, as after a long stop of the process: no timer runs on the way. */
    void jump(Duration time) {
        jumped = jumped.plus(time);
    }

    private final class Jumping implements EngineClock {
        @Override
        public Timer after(Duration delay, Runnable action) {
            return clock.after(delay, action);
        }

        @Override
        public Instant instant() {
            return clock.instant().plus(jumped);
        }
    }

    @Override
    public void close() {
        millrace.closeNow();
    }
}
