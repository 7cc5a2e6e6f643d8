package io.millrace.wire;

import io.millrace.Enqueued;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The answers to an enqueue: of one task, of an array, and of NDJSON. */
public final class EnqueuedForm {
    private static final List<String> ONE = List.of("id", "duplicate", "leakedTo");
    private static final List<String> MANY = List.of("ids", "duplicates", "leaked", "special");
    private static final List<String> SPECIAL = List.of("index", "duplicate", "leakedTo");
    private static final List<String> STREAM = List.of("accepted", "duplicates");

    /**
     * The answers in the order of the tasks. As JSON they are ids and counts, and only what is not plain is told one by
     * one: {@code "special": [{"index": 3, "duplicate": true}, {"index": 5, "leakedTo": "dead"}]}.
     */
    public record Many(List<Enqueued> answers) {}

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

    private static final Draft PLAIN = new Draft();

    public static byte[] write(Many many) {
        List<Enqueued> answers = many.answers;
        JsonOut out = new JsonOut()
                .startObject()
                .texts("ids", answers.stream().map(Enqueued::id).toList())
                .field(
                        "duplicates",
                        answers.stream().filter(Enqueued::duplicate).count());
        long leaked =
                answers.stream().filter(answer -> answer.leakedTo() != null).count();
        if (leaked > 0) {
            out.field("leaked", leaked);
        }
        if (!answers.stream().allMatch(EnqueuedForm::isPlain)) {
            writeSpecial(answers, out);
        }
        return out.endObject().toBytes();
    }

    private static boolean isPlain(Enqueued answer) {
        return !answer.duplicate() && answer.leakedTo() == null;
    }

    private static void writeSpecial(List<Enqueued> answers, JsonOut out) {
        out.startArray("special");
        for (int i = 0; i < answers.size(); i++) {
            Enqueued answer = answers.get(i);
            if (!isPlain(answer)) {
                out.startObject()
                        .field("index", (long) i)
                        .field("duplicate", answer.duplicate())
                        .field("leakedTo", answer.leakedTo())
                        .endObject();
            }
        }
        out.endArray();
    }

    public static Many readMany(byte[] json) {
        return JsonIn.answer(json, in -> {
            List<UUID> ids = new ArrayList<>();
            Map<Integer, Draft> special = new HashMap<>();
            in.object(MANY, name -> {
                switch (name) {
                    case "ids" -> in.array(() -> ids.add(in.uuid()));
                    case "special" -> in.array(() -> readSpecial(in, special));
                    default -> in.integer();
                }
            });
            List<Enqueued> answers = new ArrayList<>(ids.size());
            for (int i = 0; i < ids.size(); i++) {
                Draft draft = special.getOrDefault(i, PLAIN);
                answers.add(new Enqueued(ids.get(i), draft.duplicate, draft.leakedTo));
            }
            return new Many(answers);
        });
    }

    private static void readSpecial(JsonIn in, Map<Integer, Draft> special) {
        int[] index = {-1};
        Draft draft = new Draft();
        in.object(SPECIAL, name -> {
            switch (name) {
                case "index" -> index[0] = in.integer();
                case "duplicate" -> draft.duplicate = in.bool();
                default -> draft.leakedTo = in.string();
            }
        });
        special.put(index[0], draft);
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
