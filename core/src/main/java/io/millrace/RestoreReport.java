package io.millrace;

import java.util.List;

/**
 * What {@link Restorer#restoreNow} did.
 *
 * @param items how many were put into the target
 * @param files how many were given back to their end, damaged ones included
 * @param postponed whether items are left because the target was too full
 * @param damages the first {@value #DAMAGES} that were found; {@link Restorer.Builder#onDamage} sees all
 */
public record RestoreReport(long items, int files, boolean postponed, List<Damage> damages) {
    public static final int DAMAGES = 1_000;

    public RestoreReport {
        damages = List.copyOf(damages);
    }
}
