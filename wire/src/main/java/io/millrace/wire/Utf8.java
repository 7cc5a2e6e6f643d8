package io.millrace.wire;

/**
 * Finds out whether bytes are UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing beyond U+10FFFF.
 * U+0000 is refused too: JSON cannot have it, and UTF-16 and UTF-32 have it in every ASCII character, which is how a
 * parser that guesses encodings takes one for the other.
 */
final class Utf8 {
    private Utf8() {}

    /** Where the first bad byte or sequence is; -1 if there is none. */
    static int firstBad(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            // nearly all there is; zero and everything beyond ASCII is not positive
            if (bytes[at] > 0) {
                at++;
                continue;
            }
            int length = bytes[at] == 0 ? 0 : sequence(bytes, at, to);
            if (length == 0) {
                return at;
            }
            at += length;
        }
        return -1;
    }

    /** The length of the sequence that begins here; 0 if it is none. */
    private static int sequence(byte[] bytes, int at, int to) {
        int first = bytes[at] & 0xFF;
        int length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
        if (first < 0xC2 || first > 0xF4 || at + length > to) {
            return 0;
        }
        for (int i = 1; i < length; i++) {
            if ((bytes[at + i] & 0xC0) != 0x80) {
                return 0;
            }
        }
        int second = bytes[at + 1] & 0xFF;
        boolean overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
        boolean surrogate = first == 0xED && second > 0x9F;
        boolean beyond = first == 0xF4 && second > 0x8F;
        return overlong || surrogate || beyond ? 0 : length;
    }

    /** Whether an escape in a JSON text that is well-formed otherwise is half of a surrogate pair. */
    static boolean hasLoneSurrogate(byte[] json, int from, int to) {
        int at = from;
        while (at < to) {
            if (json[at] != '\\') {
                at++;
            } else if (json[at + 1] != 'u') {
                at += 2;
            } else {
                int unit = unit(json, at, to);
                if (isHigh(unit) && isLow(unit(json, at + 6, to))) {
                    at += 12;
                } else if (isHigh(unit) || isLow(unit)) {
                    return true;
                } else {
                    at += 6;
                }
            }
        }
        return false;
    }

    private static boolean isHigh(int unit) {
        return unit >= Character.MIN_HIGH_SURROGATE && unit <= Character.MAX_HIGH_SURROGATE;
    }

    private static boolean isLow(int unit) {
        return unit >= Character.MIN_LOW_SURROGATE && unit <= Character.MAX_LOW_SURROGATE;
    }

    /** What an escape stands for; -1 if there is none. */
    private static int unit(byte[] json, int at, int to) {
        if (at + 6 > to || json[at] != '\\' || json[at + 1] != 'u') {
            return -1;
        }
        int unit = 0;
        for (int i = 2; i < 6; i++) {
            unit = unit << 4 | Character.digit(json[at + i], 16);
        }
        return unit;
    }
}
