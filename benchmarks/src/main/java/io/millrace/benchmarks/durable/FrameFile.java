package io.millrace.benchmarks.durable;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The file of a {@link BareLog}: frames of length, CRC32C and bytes. It is filled with zeros a chunk ahead: forcing then
 * changes no metadata, and a length of zero is the end.
 */
final class FrameFile implements Closeable {
    private static final int CHUNK = 64 << 20;
    private static final int HEADER = 2 * Integer.BYTES;

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
    private long end;
    private long filled;

    FrameFile(Path path) throws IOException {
        channel = FileChannel.open(path, CREATE, WRITE);
        for (byte[] record : read(path)) {
            end += HEADER + record.length;
        }
        filled = channel.size();
        fill(end);
    }

    static ByteBuffer frames(List<byte[]> records) {
        int size = 0;
        for (byte[] record : records) {
            size += HEADER + record.length;
        }
        ByteBuffer frames = ByteBuffer.allocate(size);
        for (byte[] record : records) {
            frames.putInt(record.length).putInt(checksum(record)).put(record);
        }
        return frames.flip();
    }

    private static int checksum(byte[] record) {
        CRC32C checksum = new CRC32C();
        checksum.update(record);
        return (int) checksum.getValue();
    }

    /** Writes the frames, at the latest by the next {@link #force}. */
    void write(ByteBuffer frames) throws IOException {
        while (frames.hasRemaining()) {
            int count = Math.min(buffer.remaining(), frames.remaining());
            buffer.put(frames.slice().limit(count));
            frames.position(frames.position() + count);
            if (!buffer.hasRemaining()) {
                drain();
            }
        }
    }

    void force() throws IOException {
        drain();
        channel.force(false);
    }

    private void drain() throws IOException {
        buffer.flip();
        fill(end + buffer.remaining());
        while (buffer.hasRemaining()) {
            end += channel.write(buffer, end);
        }
        buffer.clear();
    }

    /** Has zeros ahead of what ends at the given position. */
    private void fill(long position) throws IOException {
        while (filled < position + HEADER) {
            ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
            for (long until = filled + CHUNK; filled < until; zeros.clear()) {
                filled += channel.write(zeros, filled);
            }
            channel.force(true);
        }
    }

    /** The records up to the first that is not whole. */
    static List<byte[]> read(Path path) throws IOException {
        List<byte[]> records = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path), 1 << 20))) {
            for (int length = in.readInt(); length > 0; length = in.readInt()) {
                int expected = in.readInt();
                byte[] record = in.readNBytes(length);
                if (record.length < length || checksum(record) != expected) {
                    break;
                }
                records.add(record);
            }
        } catch (EOFException e) {
            // The file is new, and has no chunk yet.
        }
        return records;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
