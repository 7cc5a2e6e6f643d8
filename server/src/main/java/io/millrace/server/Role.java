package io.millrace.server;

import java.util.Locale;

/** What the holder of an access key may do. */
public enum Role {
    /** Enqueue tasks, and ask for one by its id. */
    PRODUCER,
    /** Register, claim, report, leave; and ask for a task by its id. */
    WORKER,
    /** Look at everything, change nothing. */
    VIEWER,
    /** Everything. */
    ADMIN;

    /** As it is written in a key file. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
