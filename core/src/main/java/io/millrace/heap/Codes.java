package io.millrace.heap;

import io.millrace.Backoff;
import io.millrace.Jitter;
import io.millrace.OnTimeout;
import io.millrace.Outcome;
import io.millrace.TaskState;
import io.millrace.spi.OverdueLease;
import java.util.List;

/** The numbers that stand for constants on disk. New ones are added at the end; none is ever moved or removed. */
record Codes<E>(List<E> constants) {
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

    static final Codes<Backoff> BACKOFFS = new Codes<>(List.of(
            Backoff.CONSTANT,
            Backoff.LINEAR,
            Backoff.EXPONENTIAL,
            Backoff.QUADRATIC,
            Backoff.POLYNOMIAL,
            Backoff.LOGARITHMIC,
            Backoff.FIBONACCI,
            Backoff.RANDOM));

    static final Codes<Jitter> JITTERS =
            new Codes<>(List.of(Jitter.NONE, Jitter.FULL, Jitter.HALF, Jitter.DECORRELATED));

    static final Codes<OverdueLease.Reason> REASONS = new Codes<>(List.of(
            OverdueLease.Reason.GIVEN_UP,
            OverdueLease.Reason.WORKER_LOST,
            OverdueLease.Reason.TIME_EXCEEDED,
            OverdueLease.Reason.NOT_STARTED));

    static final Codes<OnTimeout> ON_TIMEOUT =
            new Codes<>(List.of(OnTimeout.FINAL, OnTimeout.RETRY, OnTimeout.REDELIVER));

    int of(E constant) {
        return constants.indexOf(constant);
    }

    E at(int code) {
        return constants.get(code);
    }
}
