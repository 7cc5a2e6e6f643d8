package io.millrace;

import java.util.ServiceLoader;

/** Finds the codec of those who were not given one. */
final class Codecs {
    private Codecs() {}

    /** @param where one can be set instead, for the message */
    static Codec onClassPath(String where) {
        return ServiceLoader.load(Codec.class)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "there is no codec for typed payloads: add the module millrace-json, or set one in " + where));
    }
}
