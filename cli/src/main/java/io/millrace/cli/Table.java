package io.millrace.cli;

import java.io.PrintWriter;
import java.util.List;

/** Rows under headings, in columns. */
final class Table {
    private static final String GAP = "  ";

    private Table() {}

    static void print(PrintWriter out, List<String> headings, List<List<String>> rows) {
        int[] widths = new int[headings.size()];
        measure(headings, widths);
        rows.forEach(row -> measure(row, widths));
        line(out, headings, widths);
        rows.forEach(row -> line(out, row, widths));
    }

    private static void measure(List<String> row, int[] widths) {
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], row.get(i).length());
        }
    }

    private static void line(PrintWriter out, List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(row.get(i))
                    .append(" ".repeat(widths[i] - row.get(i).length()))
                    .append(GAP);
        }
        out.println(line.toString().stripTrailing());
    }
}
