package io.millrace.sql;

import io.millrace.Outcome;
import io.millrace.TaskState;
import io.millrace.spi.OverdueLease;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Constants as numbers in tables. New ones are only added at the end. */
final class Codes<E extends Enum<E>> {
    static final Codes<TaskState> STATES = new Codes<>(List.of(
            TaskState.WAITING,
            TaskState.SCHEDULED,
            TaskState.READY,
            TaskState.RUNNING,
            TaskState.SUCCEEDED,
            TaskState.FAILED,
            TaskState.TIMED_OUT,
            TaskState.CANCELLED,
            TaskState.EXPIRED));

    static final Codes<Outcome> OUTCOMES = new Codes<>(List.of(
            Outcome.SUCCEEDED, Outcome.FAILED, Outcome.TIMED_OUT, Outcome.SNOOZED, Outcome.LOST, Outcome.RELEASED));

    static final Codes<OverdueLease.Reason> REASONS = new Codes<>(List.of(
            OverdueLease.Reason.GIVEN_UP,
            OverdueLease.Reason.WORKER_LOST,
            OverdueLease.Reason.TIME_EXCEEDED,
            OverdueLease.Reason.NOT_STARTED));

    static final Codes<Aside.Place> PLACES = new Codes<>(List.of(
            Aside.Place.WAITING, Aside.Place.SCHEDULED, Aside.Place.QUEUED, Aside.Place.RETURNED, Aside.Place.HELD));

    private final List<E> constants;

    private Codes(List<E> constants) {
        this.constants = constants;
    }

    int of(E constant) {
        return constants.indexOf(constant);
    }

    @Nullable
    Integer orNull(@Nullable E constant) {
        return constant == null ? null : of(constant);
    }

    E at(int code) {
        return constants.get(code);
    }

    @Nullable
    E orNull(@Nullable Integer code) {
        return code == null ? null : at(code);
    }
}
