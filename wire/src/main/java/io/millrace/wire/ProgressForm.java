package io.millrace.wire;

import io.millrace.Limits;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.Lease;
import io.millrace.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A worker tells how far its tasks are, or asks for more time. */
public final class ProgressForm {
    private static final List<String> REQUEST = List.of("tasks");
    private static final List<String> ANSWER = List.of("results");
    private static final List<String> RESULT = List.of("task", "applied", "reason");

    private ProgressForm() {}

    public static List<Heartbeat.Report> readRequest(byte[] json, UUID worker) {
        return JsonIn.request(json, in -> {
            List<Heartbeat.Report> reports = new ArrayList<>();
            boolean[] there = new boolean[1];
            in.object(REQUEST, name -> {
                there[0] = true;
                in.array(Limits.BATCH, () -> reports.add(new Draft(in, worker).read()));
            });
            if (!there[0]) {
                throw in.missing("tasks");
            }
            return reports;
        });
    }

    public static byte[] writeRequest(List<Heartbeat.Report> reports) {
        JsonOut out = new JsonOut().startObject().startArray("tasks");
        for (Heartbeat.Report report : reports) {
            out.startObject()
                    .field("task", report.lease().task())
                    .field("lease", LeaseText.of(report.lease()))
                    .field("percent", report.percent())
                    .field("message", report.message())
                    .field("extend", report.extend())
                    .endObject();
        }
        return out.endArray().endObject().toBytes();
    }

    public static byte[] writeAnswer(List<Heartbeat.Report> reports, Renewal renewal) {
        JsonOut out = new JsonOut().startObject().startArray("results");
        for (int i = 0; i < reports.size(); i++) {
            boolean applied = renewal.applied().get(i);
            out.startObject().field("task", reports.get(i).lease().task()).field("applied", applied);
            if (!applied) {
                out.field("reason", "leaseLost");
            }
            out.endObject();
        }
        return out.endArray().endObject().toBytes();
    }

    /** Per report, whether its lease was good. */
    public static List<Boolean> readAnswer(byte[] json) {
        return JsonIn.answer(json, in -> {
            List<Boolean> applied = new ArrayList<>();
            in.object(
                    ANSWER,
                    any -> in.array(() -> {
                        boolean[] good = new boolean[1];
                        in.object(RESULT, name -> {
                            if (name.equals("applied")) {
                                good[0] = in.bool();
                            }
                        });
                        applied.add(good[0]);
                    }));
            return applied;
        });
    }

    private static final class Draft implements JsonIn.FieldReader {
        private static final List<String> FIELDS = List.of("task", "lease", "percent", "message", "extend");

        private final JsonIn in;
        private final UUID worker;
        private @Nullable UUID task;
        private @Nullable String lease;
        private @Nullable Integer percent;
        private @Nullable String message;
        private @Nullable Duration extend;

        Draft(JsonIn in, UUID worker) {
            this.in = in;
            this.worker = worker;
        }

        Heartbeat.Report read() {
            in.object(FIELDS, this);
            in.require("task", task);
            in.require("lease", lease);
            // in place of what was refused
            Lease held = task == null || lease == null ? LeaseText.NOBODYS : LeaseText.parse(task, worker, lease);
            return new Heartbeat.Report(held, percent, message, extend);
        }

        @Override
        public void read(String name) {
            switch (name) {
                case "task" -> task = in.uuid();
                case "lease" -> lease = in.checkedHere(() -> Limits.atMost(name, in.string(), LeaseText.LONGEST));
                case "percent" -> percent = in.integer(0, 100);
                case "message" -> message = in.checkedHere(() -> Limits.atMost(name, in.string(), Limits.ERROR_LENGTH));
                case "extend" -> extend = in.checkedHere(() -> Limits.positive(name, in.duration()));
                default -> throw new IllegalStateException(name);
            }
        }
    }
}
