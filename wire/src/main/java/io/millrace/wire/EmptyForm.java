package io.millrace.wire;

import java.util.List;

/** A body that has nothing to say: empty, or an object without fields. */
public final class EmptyForm {
    private EmptyForm() {}

    public static void check(byte[] json) {
        if (json.length > 0) {
            var unused = JsonIn.request(json, in -> {
                in.object(List.of(), name -> {});
                return true;
            });
        }
    }
}
