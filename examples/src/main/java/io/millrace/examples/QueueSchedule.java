package io.millrace.examples;

import io.millrace.Schedule;
import io.millrace.Staffing;
import io.millrace.WorkQueue;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;

/** Other numbers of workers at certain times of the day: on the day the clock is put forward, and as a pool follows. */
public final class QueueSchedule {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Instant EVENING = at("2026-03-28T21:00");
    private static final Instant NOON = at("2026-03-29T12:00");

    private QueueSchedule() {}

    public static void main(String[] arguments) {
        Schedule schedule = Schedule.in(BERLIN)
                .range("22:00-02:30", Staffing.fixed(1)) // across midnight
                .range("08:00-12:00", Staffing.between(6, 12));
        whatItSays(schedule);
        asThePoolFollows(schedule);
    }

    /** On this day the hour from 02:00 to 03:00 is left out: the night ends at 03:00, the first moment after 02:30. */
    private static void whatItSays(Schedule schedule) {
        Instant moment = EVENING;
        while (!moment.isAfter(NOON)) {
            String workers = schedule.at(moment)
                    .map(staffing -> staffing.min() + " to " + staffing.max() + " workers")
                    .orElse("no range, the queue's own setting");
            System.out.println(LocalDateTime.ofInstant(moment, BERLIN) + "  " + workers);
            moment = schedule.nextChange(moment).orElseThrow();
        }
    }

    private static void asThePoolFollows(Schedule schedule) {
        var clock = new HandClock(EVENING);
        WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(100)
                .workers(3) // outside of all ranges
                .schedule(schedule)
                .calibrateEvery(Duration.ofMinutes(1))
                .clock(clock)
                .handler(item -> {})
                .build();
        try (queue) {
            showWorkers(queue, clock, "2026-03-28T21:59");
            showWorkers(queue, clock, "2026-03-28T22:00");
            showWorkers(queue, clock, "2026-03-29T01:59");
            showWorkers(queue, clock, "2026-03-29T03:00");
            showWorkers(queue, clock, "2026-03-29T08:00");
            showWorkers(queue, clock, "2026-03-29T12:00");
        }
    }

    private static void showWorkers(WorkQueue<String> queue, HandClock clock, String time) {
        clock.advanceTo(at(time));
        System.out.println(time + "  the pool has " + queue.workers().active());
    }

    private static Instant at(String time) {
        return LocalDateTime.parse(time).atZone(BERLIN).toInstant();
    }
}
