package io.millrace.spi;

import io.millrace.Attempt;
import io.millrace.Task;
import java.util.ArrayList;
import java.util.List;

/**
 * Which of a task's ended attempts a store keeps: the last {@value Task#ATTEMPTS_KEPT}, and of those the last whose
 * errors together have at most {@value Task#ERRORS_KEPT} characters. The newest is always kept.
 */
public final class KeptAttempts {
    private KeptAttempts() {}

    /** @param ended oldest first */
    public static List<Attempt> of(List<Attempt> ended) {
        int first = ended.size();
        int characters = 0;
        while (first > 0 && ended.size() - first < Task.ATTEMPTS_KEPT) {
            characters += characters(ended.get(first - 1));
            if (characters > Task.ERRORS_KEPT && first < ended.size()) {
                break;
            }
            first--;
        }
        return List.copyOf(ended.subList(first, ended.size()));
    }

    /** The same with one more. */
    public static List<Attempt> with(List<Attempt> ended, Attempt newest) {
        if (ended.isEmpty()) {
            return List.of(newest);
        }
        List<Attempt> longer = new ArrayList<>(ended.size() + 1);
        longer.addAll(ended);
        longer.add(newest);
        return of(longer);
    }

    /** How long an attempt's error is. */
    public static int characters(Attempt attempt) {
        String error = attempt.error();
        return error == null ? 0 : error.length();
    }
}
