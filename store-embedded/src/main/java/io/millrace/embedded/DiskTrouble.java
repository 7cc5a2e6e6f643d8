package io.millrace.embedded;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Says what is behind a failed call of the disk where an operator can do something about it. */
final class DiskTrouble {
    /** What operating systems say for EMFILE and ENFILE; the second is that of musl. */
    private static final List<String> OUT_OF_FILES = List.of("too many open files", "no file descriptors available");

    private static final List<String> OUT_OF_ROOM = List.of("no space left", "quota exceeded", "not enough space");

    private DiskTrouble() {}

    static boolean isOutOfFiles(@Nullable Throwable cause) {
        return says(cause, OUT_OF_FILES);
    }

    private static boolean says(@Nullable Throwable cause, List<String> messages) {
        String text = cause == null ? null : cause.getMessage();
        if (text == null) {
            return false;
        }
        String lower = text.toLowerCase(Locale.ROOT);
        return messages.stream().anyMatch(lower::contains);
    }

    /** Why no file can be made for a log now, and what to do about it. */
    static String why(@Nullable Throwable cause, Object directory) {
        if (isOutOfFiles(cause)) {
            return "no file can be opened in " + directory + ": " + text(cause);
        }
        if (cause == null || says(cause, OUT_OF_ROOM)) {
            return "there is no room on the disk for " + directory;
        }
        return "the disk of " + directory + " fails: " + cause;
    }

    static String remedy(@Nullable Throwable cause) {
        if (isOutOfFiles(cause)) {
            return "Raise the limit on open files (ulimit -n, LimitNOFILE= of systemd)";
        }
        return cause == null || says(cause, OUT_OF_ROOM) ? "Make room" : "See to the disk";
    }

    /** The exception as text, with advice if the process has too many files open. */
    static String text(@Nullable Throwable cause) {
        return isOutOfFiles(cause)
                ? "too many open files: the process has used up its file descriptors. " + remedy(cause)
                : String.valueOf(cause);
    }
}
