package io.millrace.examples;

import io.millrace.examples.QueueBalancing.Sample;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Draws the samples of {@link QueueBalancing} as SVG, on a background of its own so that dark pages can show it too. */
final class BalancingChart {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 400;
    private static final int LEFT = 64;
    private static final int RIGHT = 796;
    private static final int TOP = 56;
    private static final int BOTTOM = 344;

    private static final String INK = "#24292f";
    private static final String FILL_RATE = "#0969da";
    private static final String ACTIVE = "#1a7f37";
    private static final String SLEEPING = "#9a6700";
    private static final String FACTOR = "#cf222e";

    private final StringBuilder svg = new StringBuilder();
    private final double seconds;
    private final int most;

    private BalancingChart(List<Sample> samples) {
        seconds = Math.ceil(samples.get(samples.size() - 1).seconds());
        most = samples.stream()
                .mapToInt(sample -> Math.max(sample.active(), sample.sleeping()))
                .max()
                .orElse(1);
    }

    static String draw(List<Sample> samples, double wakeUpFactor, double sleepFactor) {
        var chart = new BalancingChart(samples);
        chart.add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-size=\"13\"", WIDTH, HEIGHT);
        chart.add(
                " font-family=\"system-ui, sans-serif\" role=\"img\" aria-label=\"Fill rate and workers over time\">%n");
        chart.add("<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#fcfcfd\"/>%n", WIDTH, HEIGHT);
        chart.axes();
        chart.factor(wakeUpFactor, "wake-up factor");
        chart.factor(sleepFactor, "sleep factor");
        chart.steps(samples, Sample::sleeping, SLEEPING);
        chart.steps(samples, Sample::active, ACTIVE);
        chart.line(samples);
        chart.legend(0, FILL_RATE, "fill rate (left)");
        chart.legend(1, ACTIVE, "active workers (right)");
        chart.legend(2, SLEEPING, "sleeping workers (right)");
        chart.add("</svg>%n");
        return chart.svg.toString();
    }

    private void axes() {
        for (int i = 0; i <= 4; i++) {
            double y = yOfRate(i / 4.0);
            add("<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#d0d7de\"/>%n", LEFT, RIGHT, y, y);
            text(LEFT - 8, y + 4, "end", INK, String.format(Locale.ROOT, "%.2f", i / 4.0));
        }
        for (int workers = 0; workers <= most; workers += Math.max(1, (most + 7) / 8)) {
            text(RIGHT + 8, yOfWorkers(workers) + 4, "start", INK, Integer.toString(workers));
        }
        for (int second = 0; second <= seconds; second++) {
            text(x(second), BOTTOM + 20, "middle", INK, Integer.toString(second));
        }
        text((LEFT + RIGHT) / 2.0, BOTTOM + 42, "middle", INK, "seconds");
        sideways(18, "fill rate");
        sideways(WIDTH - 14, "workers");
    }

    private void factor(double factor, String name) {
        double y = yOfRate(factor);
        add("<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"", LEFT, RIGHT, y, y, FACTOR);
        add(" stroke-dasharray=\"6 4\"/>%n");
        text(RIGHT - 4, y - 5, "end", FACTOR, name + " " + factor);
    }

    private void line(List<Sample> samples) {
        path(
                samples.stream()
                        .map(sample -> point(x(sample.seconds()), yOfRate(sample.fillRate())))
                        .collect(Collectors.joining(" L", "M", "")),
                FILL_RATE);
    }

    /** A number of workers holds until the next sample. */
    private void steps(List<Sample> samples, ToDoubleFunction<Sample> workers, String colour) {
        var steps = new StringBuilder();
        double before = Double.NaN;
        for (Sample sample : samples) {
            double y = yOfWorkers(workers.applyAsDouble(sample));
            String format = steps.isEmpty() ? "M%.1f %.1f" : y == before ? "" : " H%.1f V%.1f";
            steps.append(String.format(Locale.ROOT, format, x(sample.seconds()), y));
            before = y;
        }
        path(steps.append(" H").append(RIGHT).toString(), colour);
    }

    private void path(String points, String colour) {
        add(
                "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-linejoin=\"round\"/>%n",
                points, colour);
    }

    private void legend(int index, String colour, String name) {
        int x = LEFT + index * 200;
        add("<line x1=\"%d\" x2=\"%d\" y1=\"28\" y2=\"28\" stroke=\"%s\" stroke-width=\"3\"/>%n", x, x + 24, colour);
        text(x + 32, 32, "start", INK, name);
    }

    private void text(double x, double y, String anchor, String colour, String text) {
        add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n", x, y, anchor, colour, text);
    }

    private void sideways(int x, String text) {
        int y = (TOP + BOTTOM) / 2;
        add("<text transform=\"translate(%d %d) rotate(-90)\" text-anchor=\"middle\"", x, y);
        add(" fill=\"%s\">%s</text>%n", INK, text);
    }

    private static String point(double x, double y) {
        return String.format(Locale.ROOT, "%.1f %.1f", x, y);
    }

    private double x(double second) {
        return LEFT + (RIGHT - LEFT) * second / seconds;
    }

    private static double yOfRate(double rate) {
        return BOTTOM - (BOTTOM - TOP) * rate;
    }

    private double yOfWorkers(double workers) {
        return BOTTOM - (BOTTOM - TOP) * workers / most;
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }
}
