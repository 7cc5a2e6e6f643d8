package io.millrace.internal.dump;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a dump file looks like, version 1. Numbers are big-endian.
 *
 * <pre>
 * file    magic     8  "MILLDUMP"
 *         version   1  1
 *         reserved  7  written as 0, not read
 *         records, one after the other, up to the end of the file
 *
 * record  marker    4  FF 4D 52 FE
 *         length    4  of the payload, 0 to 64 MiB
 *         checksum  4  CRC32C of flags, length and payload, in this order
 *         flags     1  bit 0: the payload is JSON; the others are 0
 *         payload
 * </pre>
 *
 * A reader that meets something else than a whole record looks for the next marker that begins one. FF and FE are in no
 * UTF-8 text, so that JSON payloads hold no marker. A payload of other bytes may; it is mistaken for a record only if
 * the record around it is damaged and all that follows the marker fits too.
 *
 * <p>Names are {@code <milliseconds>-<counter>-<random>.dump} and sort in the order of writing; {@code .open} is appended
 * while a file is written, {@code .damaged} when it was given back in part.
 *
 * <p>To change the format: raise the version, and keep reading the versions before, because files outlive an upgrade.
 */
public final class DumpFormat {
    /** The largest payload that a record takes. */
    public static final int LONGEST_PAYLOAD = 64 << 20;

    static final String FINISHED = ".dump";
    static final String OPEN = ".dump.open";
    static final String DAMAGED = ".dump.damaged";

    static final int HEADER = 16;
    static final int HEAD = 13;
    static final int MARKER = 0xFF4D52FE;
    static final byte MARKER_START = (byte) 0xFF;
    static final int JSON = 1;

    private static final byte[] MAGIC = "MILLDUMP".getBytes(StandardCharsets.US_ASCII);
    private static final byte VERSION = 1;

    private DumpFormat() {}

    static byte[] header() {
        return ByteBuffer.allocate(HEADER).put(MAGIC).put(VERSION).array();
    }

    /** All of a record that comes before its payload. */
    static byte[] head(byte[] payload, boolean json) {
        byte flags = (byte) (json ? JSON : 0);
        CRC32C checksum = checksum(flags, payload.length);
        checksum.update(payload);
        return ByteBuffer.allocate(HEAD)
                .putInt(MARKER)
                .putInt(payload.length)
                .putInt((int) checksum.getValue())
                .put(flags)
                .array();
    }

    /** A checksum that lacks the payload only. */
    static CRC32C checksum(byte flags, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(ByteBuffer.allocate(5).put(flags).putInt(length).flip());
        return checksum;
    }

    /** Why a file that begins so cannot be read, or null if it can; one that ends within its header is not refused. */
    static @Nullable String refusal(byte[] start) {
        int magic = Math.min(start.length, MAGIC.length);
        if (!Arrays.equals(start, 0, magic, MAGIC, 0, magic)) {
            return "it is no dump file: it does not begin with MILLDUMP";
        }
        return start.length <= magic || start[magic] == VERSION
                ? null
                : "its format has version " + start[magic] + ", and this Millrace reads version " + VERSION;
    }

    static String name(long millis, long counter, int random) {
        return String.format(Locale.ROOT, "%015d-%08d-%08x", millis, counter, random);
    }

    /** A name without its suffix: the same as long as the file lives. */
    static String stem(String name) {
        int suffix = name.indexOf(FINISHED);
        return suffix < 0 ? name : name.substring(0, suffix);
    }
}
