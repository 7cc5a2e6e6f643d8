package io.millrace.sql;

import io.millrace.TaskState;
import org.jspecify.annotations.Nullable;

/** A task that is not final, with all rows that say where it is. */
final class Pending {
    private final TaskRow row;
    private final @Nullable LeaseRow lease;
    private @Nullable Aside aside;

    /** @param lease over the stretch that the task is in, if it has no aside and the claims have passed it */
    Pending(TaskRow row, @Nullable Aside aside, @Nullable LeaseRow lease) {
        this.row = row;
        this.aside = aside;
        this.lease = aside == null ? lease : null;
    }

    TaskRow row() {
        return row;
    }

    @Nullable
    Aside aside() {
        return aside;
    }

    void setAside(Aside value) {
        aside = value;
    }

    @Nullable
    LeaseRow lease() {
        return lease;
    }

    /** The lane in which it is queued when it is. */
    int lane() {
        return aside == null ? row.lane() : aside.lane;
    }

    /** Past its deadline, and nobody has it. */
    boolean isOverdue(long now) {
        Long deadline = aside == null ? row.deadline() : aside.deadline;
        return deadline != null && deadline < now && state(now) != TaskState.RUNNING;
    }

    TaskState state(long now) {
        return aside != null ? aside.taskState(now) : lease != null ? TaskState.RUNNING : TaskState.READY;
    }

    TaskState talliedState(long now) {
        return aside != null ? aside.talliedState() : state(now);
    }
}
