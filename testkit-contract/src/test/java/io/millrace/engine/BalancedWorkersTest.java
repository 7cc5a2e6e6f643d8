package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.Event;
import io.millrace.MillraceOptions;
import io.millrace.Schedule;
import io.millrace.Staffing;
import io.millrace.TaskState;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** As many of this process's workers as there are tasks for. The clock stands at midnight UTC until a test moves it. */
class BalancedWorkersTest {
    private static final Duration TICK = Duration.ofSeconds(1);

    private final AtomicInteger running = new AtomicInteger();
    private final Semaphore release = new Semaphore(0);
    private @Nullable Bed bed;

    @AfterEach
    void close() {
        release.release(1_000);
        if (bed != null) {
            bed.close();
        }
    }

    private Bed open(UnaryOperator<MillraceOptions.Builder> settings) {
        Bed opened = new Bed(settings);
        bed = opened;
        opened.millrace.handle("slow", (payload, context) -> {
            running.incrementAndGet();
            try {
                release.acquire();
            } finally {
                running.decrementAndGet();
            }
        });
        return opened;
    }

    private void awaitRunning(int tasks) {
        await().atMost(20, TimeUnit.SECONDS).until(() -> running.get() == tasks);
    }

    private void awaitRunningWithTime(Bed opened, int tasks) {
        await().atMost(20, TimeUnit.SECONDS).until(() -> {
            opened.advance(TICK);
            return running.get() == tasks;
        });
    }

    private static Event.WorkersChanged last(Bed bed) {
        return bed.events.all(Event.WorkersChanged.class).stream()
                .reduce((earlier, later) -> later)
                .orElseThrow();
    }

    @Test
    void more_tasks_bring_more_workers_up_to_the_most() {
        Bed opened = open(options -> options.workers(1, 4));

        for (int i = 0; i < 10; i++) {
            opened.enqueue("slow");
        }

        awaitRunningWithTime(opened, 4);
        opened.advance(TICK);
        opened.advance(TICK);
        assertThat(last(opened)).isEqualTo(new Event.WorkersChanged("millrace", 4, 0, 0));
        assertThat(running).hasValue(4);
    }

    @Test
    void without_tasks_workers_go_to_sleep_and_then_end_down_to_the_fewest() throws Exception {
        Bed opened = open(options -> options.workers(1, 4));
        UUID[] ids = new UUID[4];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = opened.enqueue("slow");
        }
        awaitRunningWithTime(opened, 4);

        release.release(ids.length);
        for (UUID id : ids) {
            assertThat(opened.finished(id).state()).isEqualTo(TaskState.SUCCEEDED);
        }
        await().atMost(20, TimeUnit.SECONDS).until(() -> {
            opened.advance(TICK);
            return last(opened).equals(new Event.WorkersChanged("millrace", 1, 0, 3));
        });

        opened.enqueue("slow");
        awaitRunning(1);
    }

    @Test
    void the_schedule_says_how_many_there_are_by_the_time_of_day() {
        Bed opened = open(options ->
                options.workers(1).schedule(Schedule.in(ZoneOffset.UTC).range("00:10-00:20", Staffing.fixed(3))));
        for (int i = 0; i < 10; i++) {
            opened.enqueue("slow");
        }
        awaitRunning(1);

        opened.advance(Duration.ofMinutes(10));
        awaitRunning(3);

        opened.advance(Duration.ofMinutes(10));
        release.release(3);
        awaitRunning(1);
        assertThat(last(opened).active()).isEqualTo(1);
    }
}
