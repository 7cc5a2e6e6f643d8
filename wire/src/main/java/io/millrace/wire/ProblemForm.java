package io.millrace.wire;

import io.millrace.wire.Problem.FieldError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code application/problem+json}. */
public final class ProblemForm {
    public static final String MEDIA_TYPE = "application/problem+json";

    private static final List<String> FIELDS =
            List.of("type", "title", "status", "detail", "errors", "more", "accepted");
    private static final List<String> ERROR = List.of("pointer", "parameter", "detail");

    private ProblemForm() {}

    public static byte[] write(Problem problem) {
        JsonOut out = new JsonOut().startObject();
        writeFields(problem, out);
        return out.endObject().toBytes();
    }

    /** For a problem that says more than all others do. */
    private static void writeFields(Problem problem, JsonOut out) {
        out.field("type", problem.type())
                .field("title", problem.title())
                .field("status", problem.status())
                .field("detail", problem.detail());
        if (!problem.errors().isEmpty()) {
            out.startArray("errors");
            for (FieldError error : problem.errors()) {
                out.startObject()
                        .field("pointer", error.pointer())
                        .field("parameter", error.parameter())
                        .field("detail", error.detail())
                        .endObject();
            }
            out.endArray();
        }
        if (problem.more() > 0) {
            out.field("more", problem.more());
        }
        if (problem.accepted() != null) {
            out.field("accepted", problem.accepted().longValue());
        }
    }

    public static Problem read(byte[] json) {
        return JsonIn.answer(json, in -> new Draft(in).read());
    }

    private static final class Draft implements JsonIn.FieldReader {
        private final JsonIn in;
        private String type = "about:blank";
        private String title = "";
        private int status;
        private @Nullable String detail;
        private final List<FieldError> errors = new ArrayList<>();
        private int more;
        private @Nullable Long accepted;

        Draft(JsonIn in) {
            this.in = in;
        }

        Problem read() {
            in.object(FIELDS, this);
            return new Problem(type, title, status, detail, errors, more, accepted);
        }

        @Override
        public void read(String name) {
            switch (name) {
                case "type" -> type = in.string();
                case "title" -> title = in.string();
                case "status" -> status = in.integer();
                case "detail" -> detail = in.string();
                case "errors" -> in.array(this::readError);
                case "more" -> more = in.integer();
                case "accepted" -> accepted = in.longNumber();
                default -> throw new IllegalStateException(name);
            }
        }

        private void readError() {
            String[] texts = new String[3];
            in.object(ERROR, name -> texts[ERROR.indexOf(name)] = in.string());
            errors.add(new FieldError(texts[0], texts[1], texts[2] == null ? "" : texts[2]));
        }
    }
}
