package io.millrace.embedded;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * What the files of a log look like, version 1. Numbers are big-endian.
 *
 * <pre>
 * segment  header    64  see {@link SegmentHeader}
 *          frames, one after the other; zeros up to the end of the file
 *
 * frame    kind       4  FF 4D 52 46 data, FF 4D 52 45 end of the segment, FF 4D 52 4D mark
 *          length     4  of the payload
 *          number     8  of data frames: 1, 2, 3, … over the whole log; of the others: that of the next data frame
 *          unforced   4  how many of the frames before this one were not known to be on the disk when it was written
 *          checksum   4  CRC32C of the log's id, the 20 bytes before, the payload and its padding
 *          payload       and zeros up to a multiple of 8
 * </pre>
 *
 * {@code unforced} tells a write that a power cut tore from damage: a disk may keep the later pages of a write and lose
 * the earlier ones, but never loses what it had confirmed before the write began. {@code docs/on-disk-format.md} has
 * the rules, and how to change the format.
 */
final class LogFormat {
    static final int VERSION = 1;
    static final int HEADER = 64;
    static final int HEAD = 24;
    static final int DATA = 0xFF4D5246;
    static final int END = 0xFF4D5245;
    static final int MARK = 0xFF4D524D;

    static final int LENGTH_AT = 4;
    static final int NUMBER_AT = 8;
    static final int UNFORCED_AT = 16;
    static final int CHECKSUM_AT = 20;

    static final int LONGEST_PAYLOAD = 1 << 30;

    private static final Pattern SEGMENT = Pattern.compile("(\\d{8,10})\\.log");
    private static final String UNFINISHED = ".log.tmp";
    private static final Pattern UNFINISHED_SEGMENT = Pattern.compile("\\d{8,10}\\.log\\.tmp");

    private LogFormat() {}

    static int padded(int length) {
        return (length + 7) & -8;
    }

    static int frameSize(int payload) {
        return HEAD + padded(payload);
    }

    static Path segmentFile(Path directory, int number) {
        return directory.resolve(String.format(Locale.ROOT, "%08d.log", number));
    }

    static Path unfinishedFile(Path directory, int number) {
        return directory.resolve(String.format(Locale.ROOT, "%08d", number) + UNFINISHED);
    }

    static boolean isUnfinished(Path file) {
        return UNFINISHED_SEGMENT.matcher(String.valueOf(file.getFileName())).matches();
    }

    /** Empty if a file is no segment. */
    static OptionalInt segmentNumber(Path file) {
        Matcher name = SEGMENT.matcher(String.valueOf(file.getFileName()));
        if (!name.matches()) {
            return OptionalInt.empty();
        }
        long number = Long.parseLong(name.group(1));
        return number > Integer.MAX_VALUE ? OptionalInt.empty() : OptionalInt.of((int) number);
    }

    /** Checksums of one log's frames. Its id is part of them, so that no bytes of a payload pass for a frame. */
    static final class Checksum {
        private final byte[] log;
        private final CRC32C crc = new CRC32C();

        Checksum(UUID log) {
            this.log = ByteBuffer.allocate(16)
                    .putLong(log.getMostSignificantBits())
                    .putLong(log.getLeastSignificantBits())
                    .array();
        }

        int of(byte[] bytes, int frame, int payload) {
            crc.reset();
            crc.update(log);
            crc.update(bytes, frame, CHECKSUM_AT);
            crc.update(bytes, frame + HEAD, padded(payload));
            return (int) crc.getValue();
        }
    }
}
