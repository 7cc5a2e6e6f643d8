package io.millrace.spi;

import org.jspecify.annotations.Nullable;

/**
 * Finds a text in others, whatever the case of letters. Makes no copy of what is searched: that may be many errors of
 * many tasks, under a lock.
 */
public final class TextSearch {
    private final char[] lower;
    private final char[] upper;

    public TextSearch(String text) {
        lower = new char[text.length()];
        upper = new char[text.length()];
        for (int i = 0; i < text.length(); i++) {
            upper[i] = Character.toUpperCase(text.charAt(i));
            lower[i] = Character.toLowerCase(upper[i]);
        }
    }

    /** @return false for null */
    public boolean isIn(@Nullable String searched) {
        if (searched == null) {
            return false;
        }
        int last = searched.length() - lower.length;
        for (int from = 0; from <= last; from++) {
            if (isAt(from, searched)) {
                return true;
            }
        }
        return false;
    }

    private boolean isAt(int from, String searched) {
        for (int i = 0; i < lower.length; i++) {
            char character = searched.charAt(from + i);
            if (character != lower[i]
                    && character != upper[i]
                    && Character.toLowerCase(Character.toUpperCase(character)) != lower[i]) {
                return false;
            }
        }
        return true;
    }
}
