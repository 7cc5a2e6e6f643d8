package io.millrace;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A schedule told in the plainest way: read the wall clock, look through all ranges. */
record WallClockSchedule(ZoneId zone, List<Entry> entries) {

    /** Up to eight ranges that meet or leave gaps; the last of them may go across midnight. */
    static WallClockSchedule random(ZoneId zone, Random random) {
        List<LocalTime> times = random.ints(2 + random.nextInt(7), 0, Integer.MAX_VALUE)
                .mapToObj(any -> time(random))
                .distinct()
                .sorted()
                .toList();
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < times.size(); i++) {
            if (i == 0 || random.nextInt(4) > 0) {
                LocalTime end = times.get((i + 1) % times.size());
                entries.add(new Entry(times.get(i), end, Staffing.fixed(1 + random.nextInt(3))));
            }
        }
        return new WallClockSchedule(zone, entries);
    }

    /** Mostly near the hours in which clocks are put forward or back, half of the times in whole minutes. */
    private static LocalTime time(Random random) {
        LocalTime near = LocalTime.of(22, 30).plusMinutes(random.nextInt(360));
        LocalTime time = random.nextInt(3) > 0 ? near : LocalTime.of(random.nextInt(24), 0);
        return random.nextBoolean() ? time : time.plusNanos(random.nextInt(60_000) * 1_000_000L);
    }

    Optional<Staffing> at(Instant moment) {
        LocalTime time = moment.atZone(zone).toLocalTime();
        return entries.stream()
                .filter(entry -> entry.contains(time))
                .map(Entry::staffing)
                .findFirst();
    }

    Schedule toSchedule() {
        Schedule schedule = Schedule.in(zone);
        for (Entry entry : entries) {
            schedule = schedule.range(entry.start + "-" + entry.end, entry.staffing);
        }
        return schedule;
    }

    record Entry(LocalTime start, LocalTime end, Staffing staffing) {
        boolean contains(LocalTime time) {
            boolean started = !time.isBefore(start);
            boolean over = !time.isBefore(end);
            return start.isBefore(end) ? started && !over : started || !over;
        }
    }
}
