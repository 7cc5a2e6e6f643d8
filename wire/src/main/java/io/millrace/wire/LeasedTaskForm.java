package io.millrace.wire;

import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A task as a worker gets it: what it needs to run it and to report on it, not its whole history. */
final class LeasedTaskForm {
    private static final List<String> FIELDS = List.of(
            "id",
            "topic",
            "attempt",
            "lease",
            "payload",
            "payloadBase64",
            "entityId",
            "scope",
            "priority",
            "timeout",
            "createdAt",
            "leasedAt",
            "leasedUntil");

    private LeasedTaskForm() {}

    static void write(LeasedTask leased, JsonOut out) {
        Task task = leased.task();
        Task.Hold hold = task.hold();
        out.startObject()
                .field("id", task.id())
                .field("topic", task.topic())
                .field("attempt", leased.lease().attempt())
                .field("lease", LeaseText.of(leased.lease()));
        TaskForm.writePayload(task.payload(), out);
        TaskForm.writeTags(task.given(), out);
        out.field("createdAt", task.moments().created()).field("timeout", leased.timeToRun());
        if (hold != null) {
            out.field("leasedAt", hold.since()).field("leasedUntil", hold.until());
        }
        out.endObject();
    }

    static LeasedTask read(JsonIn in, UUID worker) {
        return new Draft(in, worker).read();
    }

    private static final class Draft implements JsonIn.FieldReader {
        private final JsonIn in;
        private final UUID worker;
        private @Nullable UUID id;
        private @Nullable String topic;
        private @Nullable String lease;
        private @Nullable Duration timeout;
        private @Nullable Instant leasedUntil;
        private @Nullable Instant leasedAt;
        private @Nullable Instant createdAt;
        private @Nullable String entityId;
        private final List<String> scope = new ArrayList<>();
        private Payload payload = Payload.EMPTY;
        private int priority = NewTask.DEFAULT_PRIORITY;
        private int attempt = 1;

        Draft(JsonIn in, UUID worker) {
            this.in = in;
            this.worker = worker;
        }

        LeasedTask read() {
            in.object(FIELDS, this);
            UUID givenId = id;
            String givenTopic = topic;
            Duration timeToRun = timeout;
            Instant since = leasedAt;
            if (givenId == null || givenTopic == null || lease == null || timeToRun == null || since == null) {
                throw in.wrong("it must have an id, a topic, a lease, a timeout and leasedAt");
            }
            NewTask given = in.checked(() -> given(givenId, givenTopic));
            Instant created = createdAt == null ? since : createdAt;
            Task task = new Task(
                    given,
                    TaskState.RUNNING,
                    new Task.Moments(created, since, null, null, null),
                    new Task.Tally(attempt, 0, 0, 0),
                    new Task.Hold(worker, since, leasedUntil, false),
                    List.of(),
                    null,
                    null,
                    false);
            Lease held = LeaseText.parse(givenId, worker, lease);
            return new LeasedTask(task, new Lease(givenId, attempt, worker, held.token()), timeToRun);
        }

        private NewTask given(UUID taskId, String of) {
            NewTask.Builder builder =
                    NewTask.builder(of).id(taskId).payload(payload).scope(scope).priority(priority);
            if (entityId != null) {
                builder.entityId(entityId);
            }
            if (timeout != null) {
                builder.timeout(timeout);
            }
            return builder.build();
        }

        @Override
        public void read(String name) {
            switch (name) {
                case "id" -> id = in.uuid();
                case "topic" -> topic = in.string();
                case "attempt" -> attempt = in.integer();
                case "lease" -> lease = in.string();
                case "payload" -> payload = in.json(Integer.MAX_VALUE);
                case "payloadBase64" -> payload = in.base64(Integer.MAX_VALUE);
                case "entityId" -> entityId = in.string();
                case "scope" -> in.array(() -> scope.add(in.string()));
                case "priority" -> priority = in.integer();
                case "timeout" -> timeout = in.duration();
                case "createdAt" -> createdAt = in.time();
                case "leasedAt" -> leasedAt = in.time();
                case "leasedUntil" -> leasedUntil = in.time();
                default -> throw new IllegalStateException(name);
            }
        }
    }
}
