package io.millrace.wire;

import io.millrace.Backoff;
import io.millrace.Jitter;
import io.millrace.Limits;
import io.millrace.Rate;
import io.millrace.Retention;
import io.millrace.Retry;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The small settings that tasks and topics have: retry, retention, rate. */
final class SettingForms {
    private static final List<String> RETRY = List.of("max", "backoff", "base", "cap", "jitter");
    private static final List<String> RETENTION = List.of("succeeded", "failed");
    private static final List<String> RATE = List.of("limit", "per");

    private SettingForms() {}

    static Retry retry(JsonIn in) {
        return new RetryDraft(in).read();
    }

    static void write(String name, Retry retry, JsonOut out) {
        out.startObject(name)
                .field("max", retry.max())
                .field("backoff", Names.BACKOFF.of(retry.backoff()))
                .field("base", retry.base())
                .field("cap", retry.cap())
                .field("jitter", Names.JITTER.of(retry.jitter()))
                .endObject();
    }

    static Retention retention(JsonIn in) {
        Duration[] kept = new Duration[2];
        in.object(
                RETENTION,
                name -> kept[RETENTION.indexOf(name)] = in.checkedHere(() -> Limits.notNegative(name, in.duration())));
        return new Retention(kept[0], kept[1]);
    }

    static void write(String name, Retention retention, JsonOut out) {
        if (!retention.equals(Retention.UNSET)) {
            out.startObject(name)
                    .field("succeeded", retention.succeeded())
                    .field("failed", retention.failed())
                    .endObject();
        }
    }

    static Rate rate(JsonIn in) {
        Integer[] limit = new Integer[1];
        Duration[] per = new Duration[1];
        in.object(RATE, name -> {
            if (name.equals("limit")) {
                limit[0] = in.integer(1, 1_000_000_000);
            } else {
                per[0] = in.checkedHere(() -> Limits.positive("per", in.duration()));
            }
        });
        in.require("limit", limit[0]);
        in.require("per", per[0]);
        // in place of what was refused
        return new Rate(limit[0] == null ? 1 : limit[0], per[0] == null ? Duration.ofSeconds(1) : per[0]);
    }

    static void write(String name, Rate rate, JsonOut out) {
        out.startObject(name)
                .field("limit", rate.limit())
                .field("per", rate.per())
                .endObject();
    }

    private static final class RetryDraft implements JsonIn.FieldReader {
        private final JsonIn in;
        private int max = Retry.DEFAULT.max();
        private Backoff backoff = Retry.DEFAULT.backoff();
        private Duration base = Retry.DEFAULT.base();
        private @Nullable Duration cap;
        private Jitter jitter = Retry.DEFAULT.jitter();

        RetryDraft(JsonIn in) {
            this.in = in;
        }

        Retry read() {
            in.object(RETRY, this);
            return new Retry(max, backoff, base, cap, jitter);
        }

        @Override
        public void read(String name) {
            switch (name) {
                case "max" -> max = in.integer(0, Limits.RETRIES);
                case "backoff" -> backoff = in.choice(Names.BACKOFF);
                case "base" -> base = in.checkedHere(() -> Limits.notNegative(name, in.duration()));
                case "cap" -> cap = in.checkedHere(() -> Limits.positive(name, in.duration()));
                case "jitter" -> jitter = in.choice(Names.JITTER);
                default -> throw new IllegalStateException(name);
            }
        }
    }
}
