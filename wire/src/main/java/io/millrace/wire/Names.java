package io.millrace.wire;

import io.millrace.Backoff;
import io.millrace.ClaimOrder;
import io.millrace.Jitter;
import io.millrace.Leak;
import io.millrace.OnTimeout;
import io.millrace.Outcome;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.Worker;
import io.millrace.spi.ClaimRequest.TimeFrom;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An enum's constants by the names they have in JSON. */
final class Names<E extends Enum<E>> {
    static final Names<Backoff> BACKOFF = camelCase(Backoff.class);
    static final Names<Jitter> JITTER = camelCase(Jitter.class);
    static final Names<OnTimeout> ON_TIMEOUT = camelCase(OnTimeout.class);
    static final Names<Leak> LEAK = camelCase(Leak.class);
    static final Names<ClaimOrder> CLAIM_ORDER = camelCase(ClaimOrder.class);
    static final Names<TimeFrom> TIME_FROM = camelCase(TimeFrom.class);
    static final Names<Outcome> OUTCOME = camelCase(Outcome.class);
    static final Names<Worker.Status> WORKER_STATUS = camelCase(Worker.Status.class);
    /** States are written in upper case, as people say them. */
    static final Names<TaskState> STATE = new Names<>(TaskState.class, false);

    /** Ends that may leave a dead letter. */
    static final Names<TaskState> END = new Names<>(TaskState.class, TopicPolicy.DEAD_LETTER_ENDS, true);

    private final Map<String, E> byName = new LinkedHashMap<>();
    private final Map<E, String> names;

    private Names(Class<E> type, boolean camelCase) {
        this(type, EnumSet.allOf(type), camelCase);
    }

    private Names(Class<E> type, Set<E> constants, boolean camelCase) {
        names = new EnumMap<>(type);
        for (E constant : constants) {
            String name = camelCase ? camelCase(constant.name()) : constant.name();
            names.put(constant, name);
            byName.put(name, constant);
        }
    }

    private static <E extends Enum<E>> Names<E> camelCase(Class<E> type) {
        return new Names<>(type, true);
    }

    /** TIMED_OUT becomes timedOut. */
    private static String camelCase(String name) {
        StringBuilder text = new StringBuilder();
        for (String word : name.split("_", -1)) {
            String lower = word.toLowerCase(Locale.ROOT);
            text.append(text.isEmpty() ? lower : Character.toUpperCase(lower.charAt(0)) + lower.substring(1));
        }
        return text.toString();
    }

    String of(E constant) {
        return Objects.requireNonNull(names.get(constant));
    }

    int size() {
        return names.size();
    }

    @Nullable
    E find(String name) {
        return byName.get(name);
    }

    String allowed() {
        return "it must be one of " + names.values();
    }
}
