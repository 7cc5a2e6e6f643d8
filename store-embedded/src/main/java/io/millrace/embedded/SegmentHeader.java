package io.millrace.embedded;

import static io.millrace.embedded.LogFormat.HEADER;

import io.millrace.InvalidValueException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The first 64 bytes of a segment.
 *
 * <pre>
 * magic      8  "MILLRLOG"
 * version    4  1
 * segment    4  as in the file's name
 * first      8  number of the first frame; 0 as long as the segment is not in use
 * log       16  random, the same in all segments of a log
 * size       8  of the file
 * reserved  12  zeros
 * checksum   4  CRC32C of all before
 * </pre>
 */
record SegmentHeader(int segment, long first, UUID log, long size) {
    private static final byte[] MAGIC = "MILLRLOG".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION_AT = MAGIC.length;
    private static final int CHECKSUM_AT = HEADER - 4;

    boolean isUsed() {
        return first != 0;
    }

    byte[] encode() {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER)
                .put(MAGIC)
                .putInt(LogFormat.VERSION)
                .putInt(segment)
                .putLong(first)
                .putLong(log.getMostSignificantBits())
                .putLong(log.getLeastSignificantBits())
                .putLong(size);
        return bytes.putInt(CHECKSUM_AT, checksum(bytes.array())).array();
    }

    /**
     * Empty if the header is damaged.
     *
     * @throws InvalidValueException if the file has another version
     */
    static Optional<SegmentHeader> decode(Path file, byte[] bytes) {
        ByteBuffer header = ByteBuffer.wrap(bytes);
        if (!Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            return Optional.empty();
        }
        int version = header.getInt(VERSION_AT);
        header.putInt(VERSION_AT, LogFormat.VERSION);
        boolean whole = checksum(bytes) == header.getInt(CHECKSUM_AT);
        header.putInt(VERSION_AT, version);
        if (version == LogFormat.VERSION) {
            return whole ? Optional.of(decode(header)) : Optional.empty();
        }
        if (whole) {
            // all but the version is as this version writes it, so the version itself is what was damaged
            return Optional.empty();
        }
        throw new InvalidValueException(
                "directory",
                String.valueOf(file.getParent()),
                "the format of " + file.getFileName() + " has version " + version + ", and this Millrace reads version "
                        + LogFormat.VERSION + "; open it with the Millrace that wrote it");
    }

    private static SegmentHeader decode(ByteBuffer header) {
        header.position(VERSION_AT + 4);
        return new SegmentHeader(
                header.getInt(), header.getLong(), new UUID(header.getLong(), header.getLong()), header.getLong());
    }

    private static int checksum(byte[] header) {
        CRC32C crc = new CRC32C();
        crc.update(header, 0, CHECKSUM_AT);
        return (int) crc.getValue();
    }
}
