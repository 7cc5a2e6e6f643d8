package io.millrace.wire;

import io.millrace.Limits;
import io.millrace.spi.Renewal;
import io.millrace.spi.WorkerStanding;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A worker says that it lives, and what it holds; it is told what to do. */
public final class PingForm {
    static final String CONTINUE = "continue";
    static final String STOP = "stop";

    private static final List<String> REQUEST = List.of("holding", "started");
    private static final List<String> ANSWER = List.of("alive", "command", "cancel", "lost");

    private PingForm() {}

    /**
     * @param holding what the worker holds; null if it says nothing of that
     * @param started what it has started of that since it said so last
     */
    public record Request(@Nullable Set<UUID> holding, Set<UUID> started) {}

    /** An empty body says nothing but that the worker lives. */
    public static Request readRequest(byte[] json) {
        Draft draft = new Draft();
        if (json.length > 0) {
            var unused = JsonIn.request(json, in -> {
                in.object(REQUEST, name -> {
                    Set<UUID> ids = new HashSet<>();
                    in.array(100 * Limits.CLAIM, () -> ids.add(in.uuid()));
                    if (name.equals("holding")) {
                        draft.holding = ids;
                    } else {
                        draft.started = ids;
                    }
                });
                return draft;
            });
        }
        return new Request(draft.holding, draft.started);
    }

    private static final class Draft {
        private @Nullable Set<UUID> holding;
        private Set<UUID> started = Set.of();
    }

    public static byte[] writeRequest(Request request) {
        JsonOut out = new JsonOut().startObject();
        if (request.holding != null) {
            out.texts("holding", request.holding);
        }
        if (!request.started.isEmpty()) {
            out.texts("started", request.started);
        }
        return out.endObject().toBytes();
    }

    public static byte[] writeAnswer(Renewal renewal) {
        JsonOut out =
                new JsonOut().startObject().field("alive", renewal.worker().isAlive());
        if (renewal.worker().isAlive()) {
            out.field("command", command(renewal.worker())).texts("cancel", renewal.cancel());
            if (!renewal.lost().isEmpty()) {
                out.texts("lost", renewal.lost());
            }
        }
        return out.endObject().toBytes();
    }

    /** A worker that is not alive comes back as unknown: either way it begins anew. */
    public static Renewal readAnswer(byte[] json) {
        return JsonIn.answer(json, in -> {
            boolean[] flags = new boolean[2];
            Set<UUID> cancel = new LinkedHashSet<>();
            Set<UUID> lost = new LinkedHashSet<>();
            in.object(ANSWER, name -> {
                switch (name) {
                    case "alive" -> flags[0] = in.bool();
                    case "command" -> flags[1] = in.string().equals(STOP);
                    case "cancel" -> in.array(() -> cancel.add(in.uuid()));
                    default -> in.array(() -> lost.add(in.uuid()));
                }
            });
            return new Renewal(flags[0] ? standing(flags[1]) : WorkerStanding.UNKNOWN, lost, cancel, List.of());
        });
    }

    static String command(WorkerStanding standing) {
        return standing == WorkerStanding.STOPPING ? STOP : CONTINUE;
    }

    static WorkerStanding standing(boolean stop) {
        return stop ? WorkerStanding.STOPPING : WorkerStanding.ALIVE;
    }
}
