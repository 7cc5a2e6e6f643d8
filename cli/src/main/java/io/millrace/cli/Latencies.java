package io.millrace.cli;

import io.millrace.wire.JsonOut;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** How long calls took, as percentiles and as a picture. */
final class Latencies {
    private static final int DIGITS = 3;
    private static final int BAR = 40;
    private static final int[] STEPS = {1, 2, 5};

    /** In microseconds. */
    private final Histogram histogram = new ConcurrentHistogram(DIGITS);

    void record(long nanos) {
        histogram.recordValue(nanos / 1_000);
    }

    boolean isEmpty() {
        return histogram.getTotalCount() == 0;
    }

    void write(String name, JsonOut out) {
        out.startObject(name)
                .field("count", histogram.getTotalCount())
                .field("p50Micros", histogram.getValueAtPercentile(50))
                .field("p90Micros", histogram.getValueAtPercentile(90))
                .field("p99Micros", histogram.getValueAtPercentile(99))
                .field("maxMicros", histogram.getMaxValue())
                .endObject();
    }

    void print(String name, PrintWriter out) {
        out.println();
        out.println(name + ": p50 " + millis(histogram.getValueAtPercentile(50)) + ", p90 "
                + millis(histogram.getValueAtPercentile(90)) + ", p99 " + millis(histogram.getValueAtPercentile(99))
                + ", max " + millis(histogram.getMaxValue()));
        long from = 0;
        for (long to : bounds()) {
            long count = histogram.getCountBetweenValues(from, to - 1);
            if (to > histogram.getMinValue()) {
                bar(to, count, out);
            }
            from = to;
        }
    }

    private void bar(long to, long count, PrintWriter out) {
        double part = (double) count / histogram.getTotalCount();
        String line = String.format(
                Locale.ROOT, "  < %-8s %5.1f %% %s", millis(to), part * 100, "#".repeat((int) Math.round(part * BAR)));
        out.println(line.stripTrailing());
    }

    /** 50 µs, 100 µs, 200 µs, 500 µs and so on, up to the largest value. */
    private List<Long> bounds() {
        List<Long> bounds = new ArrayList<>();
        for (long decade = 10; ; decade *= 10) {
            for (int step : STEPS) {
                bounds.add(decade * step);
                if (decade * step > histogram.getMaxValue()) {
                    return bounds;
                }
            }
        }
    }

    private static String millis(long micros) {
        return String.format(Locale.ROOT, micros < 10_000 ? "%.2f ms" : "%.0f ms", micros / 1_000.0);
    }
}
