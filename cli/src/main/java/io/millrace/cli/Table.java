package io.millrace.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.regex.Pattern;

/** Rows under headings, in columns. Rows that come later may make a column wider, from there on. */
final class Table {
    private static final String GAP = "  ";
    /** What tasks carry is not to steer a terminal. */
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private final PrintWriter out;
    private final List<String> headings;
    private final int[] widths;
    private boolean begun;

    Table(PrintWriter out, List<String> headings) {
        this.out = out;
        this.headings = headings;
        widths = new int[headings.size()];
    }

    static void print(PrintWriter out, List<String> headings, List<List<String>> rows) {
        new Table(out, headings).add(rows);
    }

    /** Prints rows, and before the first ones the headings. */
    void add(List<List<String>> given) {
        List<List<String>> rows = given.stream()
                .map(row -> row.stream().map(Table::shown).toList())
                .toList();
        rows.forEach(this::measure);
        if (!begun) {
            begun = true;
            measure(headings);
            line(headings);
        }
        rows.forEach(this::line);
    }

    static String shown(String cell) {
        return CONTROL.matcher(cell).replaceAll(" ");
    }

    private void measure(List<String> row) {
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], row.get(i).length());
        }
    }

    private void line(List<String> row) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(row.get(i))
                    .append(" ".repeat(widths[i] - row.get(i).length()))
                    .append(GAP);
        }
        out.println(line.toString().stripTrailing());
    }
}
