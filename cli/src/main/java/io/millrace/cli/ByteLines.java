package io.millrace.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Lines as bytes: a reader of texts would replace what is no UTF-8, and enqueue something else than it was given. */
final class ByteLines {
    /** Far more than any server takes; an endless line must not fill the memory. */
    static final int LONGEST = 64 << 20;

    private final InputStream in;
    private final byte[] buffer = new byte[1 << 16];
    private int position;
    private int end;
    private long read;
    private long number;

    ByteLines(InputStream in) {
        this.in = in;
    }

    /** The number of the line that was given last, from 1. */
    long number() {
        return number;
    }

    /** How many bytes were read so far. */
    long bytesRead() {
        return read;
    }

    /**
     * The next line without its line feed; null at the end.
     *
     * @throws FailedException if it is too long
     */
    byte @Nullable [] next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        number++;
        while (fill()) {
            int from = position;
            while (position < end && buffer[position] != '\n') {
                position++;
            }
            line.write(buffer, from, position - from);
            if (line.size() > LONGEST) {
                throw new FailedException("line " + number + " has more than " + LONGEST + " bytes");
            }
            if (position < end) {
                position++;
                return line.toByteArray();
            }
        }
        return line.size() == 0 ? null : line.toByteArray();
    }

    private boolean fill() throws IOException {
        if (position == end) {
            position = 0;
            end = Math.max(0, in.read(buffer));
            read += end;
        }
        return end > 0;
    }
}
