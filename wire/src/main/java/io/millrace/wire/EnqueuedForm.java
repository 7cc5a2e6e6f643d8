package io.millrace.wire;

import io.millrace.Enqueued;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The answers to an enqueue: of one task, of an array, and of NDJSON. */
public final class EnqueuedForm {
    private static final List<String> ONE = List.of("id", "duplicate", "leakedTo");
    private static final List<String> MANY = List.of("ids", "duplicates", "leaked");
    private static final List<String> STREAM = List.of("accepted", "duplicates");

    /**
     * @param ids in the order of the tasks
     * @param leaked how many were sent to a dead-letter topic because their own was full
     */
    public record Many(List<UUID> ids, int duplicates, int leaked) {
        public static Many of(List<Enqueued> answers) {
            List<UUID> ids = new ArrayList<>(answers.size());
            int duplicates = 0;
            int leaked = 0;
            for (Enqueued answer : answers) {
                ids.add(answer.id());
                duplicates += answer.duplicate() ? 1 : 0;
                leaked += answer.leakedTo() == null ? 0 : 1;
            }
            return new Many(ids, duplicates, leaked);
        }
    }

    /** @param accepted how many tasks are stored, duplicates included */
    public record Stream(long accepted, long duplicates) {}

    private EnqueuedForm() {}

    public static byte[] write(Enqueued answer) {
        if (answer.leakedTo() == null) {
            // written once per task, and nothing in it needs an escape
            String json = "{\"id\":\"" + answer.id() + "\",\"duplicate\":" + answer.duplicate() + "}";
            return json.getBytes(StandardCharsets.ISO_8859_1);
        }
        return new JsonOut()
                .startObject()
                .field("id", answer.id())
                .field("duplicate", answer.duplicate())
                .field("leakedTo", answer.leakedTo())
                .endObject()
                .toBytes();
    }

    public static Enqueued readOne(byte[] json) {
        return JsonIn.answer(json, in -> {
            Draft draft = new Draft();
            in.object(ONE, name -> {
                switch (name) {
                    case "id" -> draft.id = in.uuid();
                    case "duplicate" -> draft.duplicate = in.bool();
                    default -> draft.leakedTo = in.string();
                }
            });
            if (draft.id == null) {
                throw in.missing("id");
            }
            return new Enqueued(draft.id, draft.duplicate, draft.leakedTo);
        });
    }

    private static final class Draft {
        private @Nullable UUID id;
        private boolean duplicate;
        private @Nullable String leakedTo;
    }

    public static byte[] write(Many answer) {
        JsonOut out = new JsonOut().startObject().texts("ids", answer.ids).field("duplicates", answer.duplicates);
        if (answer.leaked > 0) {
            out.field("leaked", answer.leaked);
        }
        return out.endObject().toBytes();
    }

    public static Many readMany(byte[] json) {
        return JsonIn.answer(json, in -> {
            List<UUID> ids = new ArrayList<>();
            int[] counts = new int[2];
            in.object(MANY, name -> {
                switch (name) {
                    case "ids" -> in.array(() -> ids.add(in.uuid()));
                    case "duplicates" -> counts[0] = in.integer();
                    default -> counts[1] = in.integer();
                }
            });
            return new Many(ids, counts[0], counts[1]);
        });
    }

    public static byte[] write(Stream answer) {
        return new JsonOut()
                .startObject()
                .field("accepted", answer.accepted)
                .field("duplicates", answer.duplicates)
                .endObject()
                .toBytes();
    }

    public static Stream readStream(byte[] json) {
        return JsonIn.answer(json, in -> {
            long[] counts = new long[2];
            in.object(STREAM, name -> counts[STREAM.indexOf(name)] = in.longNumber());
            return new Stream(counts[0], counts[1]);
        });
    }
}
