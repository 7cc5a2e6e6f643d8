package io.millrace.wire;

import io.millrace.Limits;
import io.millrace.When;
import java.util.List;

/** When a task is to run: {@code {"delay": "5m"}} or {@code {"runAt": "2030-01-02T03:04:05Z"}}. */
public final class WhenForm {
    private static final List<String> FIELDS = List.of("delay", "runAt");

    private WhenForm() {}

    public static When read(byte[] json) {
        return JsonIn.request(json, in -> {
            When[] when = new When[1];
            in.object(FIELDS, name -> {
                if (when[0] != null) {
                    throw in.wrong("delay and runAt exclude each other");
                }
                when[0] = in.checkedHere(() -> name.equals("delay")
                        ? When.after(Limits.notNegative(name, in.duration()))
                        : When.at(in.time()));
            });
            if (when[0] == null && in.faults() == 0) {
                throw in.wrong("it must have a delay or a runAt");
            }
            return when[0] == null ? When.NOW : when[0];
        });
    }

    public static byte[] write(When when) {
        JsonOut out = new JsonOut().startObject();
        if (when instanceof When.At at) {
            out.field("runAt", at.moment());
        } else if (when instanceof When.After after) {
            out.field("delay", after.delay());
        }
        return out.endObject().toBytes();
    }
}
