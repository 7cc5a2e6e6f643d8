package io.millrace.cli;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Names that were perhaps meant by another one. */
final class Closeness {
    private static final int SHOWN = 3;

    private Closeness() {}

    /** The closest names, best first: a third of the letters may differ, two at least. */
    static List<String> suggestions(String given, Stream<String> names) {
        int limit = Math.max(2, given.length() / 3);
        return names.filter(name -> !name.equals(given))
                .filter(name -> distance(given, name) <= limit)
                .sorted(Comparator.<String>comparingInt(name -> distance(given, name))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(SHOWN)
                .toList();
    }

    /** Levenshtein's distance, whatever the case of letters. */
    static int distance(String left, String right) {
        String a = left.toLowerCase(Locale.ROOT);
        String b = right.toLowerCase(Locale.ROOT);
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
