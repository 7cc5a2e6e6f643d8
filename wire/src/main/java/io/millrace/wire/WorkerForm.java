package io.millrace.wire;

import io.millrace.Worker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Who works on what since when. */
public final class WorkerForm {
    private static final List<String> FIELDS =
            List.of("id", "name", "host", "topics", "status", "registeredAt", "lastSeenAt", "running", "key");
    private static final List<String> LIST = List.of("workers");

    private WorkerForm() {}

    public static byte[] writeList(List<Worker> workers) {
        JsonOut out = new JsonOut().startObject().startArray("workers");
        workers.forEach(worker -> write(worker, out));
        return out.endArray().endObject().toBytes();
    }

    public static void write(Worker worker, JsonOut out) {
        out.startObject()
                .field("id", worker.id())
                .field("name", worker.name())
                .field("host", worker.host())
                .texts("topics", worker.topics())
                .field("status", Names.WORKER_STATUS.of(worker.status()))
                .field("registeredAt", worker.registeredAt())
                .field("lastSeenAt", worker.lastSeenAt())
                .field("running", worker.running());
        if (!worker.owner().isEmpty()) {
            out.field("key", worker.owner());
        }
        out.endObject();
    }

    public static List<Worker> readList(byte[] json) {
        return JsonIn.answer(json, in -> {
            List<Worker> workers = new ArrayList<>();
            in.object(LIST, any -> in.array(() -> workers.add(new Draft(in).read())));
            return workers;
        });
    }

    private static final class Draft implements JsonIn.FieldReader {
        private final JsonIn in;
        private @Nullable UUID id;
        private String name = "";
        private String host = "";
        private final Set<String> topics = new LinkedHashSet<>();
        private Worker.Status status = Worker.Status.ACTIVE;
        private @Nullable Instant registeredAt;
        private @Nullable Instant lastSeenAt;
        private int running;
        private String owner = "";

        Draft(JsonIn in) {
            this.in = in;
        }

        Worker read() {
            in.object(FIELDS, this);
            if (id == null || registeredAt == null || lastSeenAt == null) {
                throw in.wrong("it must have an id, registeredAt and lastSeenAt");
            }
            return new Worker(id, name, host, topics, owner, status, registeredAt, lastSeenAt, running);
        }

        @Override
        public void read(String field) {
            switch (field) {
                case "id" -> id = in.uuid();
                case "name" -> name = in.string();
                case "host" -> host = in.string();
                case "topics" -> in.array(() -> topics.add(in.string()));
                case "status" -> status = in.choice(Names.WORKER_STATUS);
                case "registeredAt" -> registeredAt = in.time();
                case "lastSeenAt" -> lastSeenAt = in.time();
                case "running" -> running = in.integer();
                case "key" -> owner = in.string();
                default -> throw new IllegalStateException(field);
            }
        }
    }
}
