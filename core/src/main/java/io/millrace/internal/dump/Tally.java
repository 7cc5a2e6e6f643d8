package io.millrace.internal.dump;

import io.millrace.Damage;
import io.millrace.RestoreReport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts for a report. It keeps a limited number of damages: a file can have millions of them. */
final class Tally {
    private static final Logger log = LoggerFactory.getLogger(Tally.class);

    private final Consumer<Damage> onDamage;
    private final List<Damage> damages = new ArrayList<>();
    private long items;
    private int files;

    Tally(Consumer<Damage> onDamage) {
        this.onDamage = onDamage;
    }

    void restored() {
        items++;
    }

    void finished() {
        files++;
    }

    void damaged(Damage damage) {
        if (damages.size() < RestoreReport.DAMAGES) {
            damages.add(damage);
        }
        try {
            onDamage.accept(damage);
        } catch (RuntimeException e) {
            log.warn("onDamage failed on {}; restoring goes on without it", damage, e);
        }
    }

    RestoreReport report(boolean postponed) {
        return new RestoreReport(items, files, postponed, damages);
    }
}
