package io.millrace.wire;

import io.millrace.Limits;
import io.millrace.spi.WorkerProtocol.Registration;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A worker introduces itself, and gets its id. */
public final class RegistrationForm {
    private static final List<String> REQUEST = List.of("name", "host", "topics");
    private static final List<String> ANSWER = List.of("id", "pingEvery", "expiresAfter");

    private RegistrationForm() {}

    /** An empty body is fine. */
    public static Introduction readRequest(byte[] json) {
        if (json.length == 0) {
            return Introduction.ANONYMOUS;
        }
        return JsonIn.request(json, in -> {
            String[] texts = {"", ""};
            Set<String> topics = new LinkedHashSet<>();
            in.object(REQUEST, name -> {
                if (name.equals("topics")) {
                    readTopics(in, topics);
                } else {
                    texts[REQUEST.indexOf(name)] =
                            in.checkedHere(() -> Limits.atMost(name, in.string(), Limits.TAG_LENGTH));
                }
            });
            return new Introduction(texts[0], texts[1], topics);
        });
    }

    static void readTopics(JsonIn in, Set<String> topics) {
        in.array(
                Limits.WORKER_TOPICS, () -> topics.add(in.checkedHere(() -> Limits.topicOrAll("topics", in.string()))));
    }

    public static byte[] writeRequest(Introduction introduction) {
        return new JsonOut()
                .startObject()
                .field("name", introduction.name())
                .field("host", introduction.host())
                .texts("topics", introduction.topics())
                .endObject()
                .toBytes();
    }

    public static byte[] writeAnswer(Registration registration) {
        return new JsonOut()
                .startObject()
                .field("id", registration.id())
                .field("pingEvery", registration.pingEvery())
                .field("expiresAfter", registration.expiresAfter())
                .endObject()
                .toBytes();
    }

    public static Registration readAnswer(byte[] json) {
        return JsonIn.answer(json, in -> {
            Draft draft = new Draft();
            in.object(ANSWER, name -> {
                switch (name) {
                    case "id" -> draft.id = in.uuid();
                    case "pingEvery" -> draft.pingEvery = in.duration();
                    default -> draft.expiresAfter = in.duration();
                }
            });
            if (draft.id == null || draft.pingEvery == null || draft.expiresAfter == null) {
                throw in.wrong("it must have all of " + ANSWER);
            }
            return new Registration(draft.id, draft.pingEvery, draft.expiresAfter);
        });
    }

    private static final class Draft {
        private @Nullable UUID id;
        private @Nullable Duration pingEvery;
        private @Nullable Duration expiresAfter;
    }
}
