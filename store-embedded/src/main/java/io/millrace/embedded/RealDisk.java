package io.millrace.embedded;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The file system of the machine.
 *
 * <p>An interrupt closes a {@code FileChannel} under everybody who uses it, and callers of a store are interrupted at
 * times. So bytes go through a {@link RandomAccessFile}, and the force, which that class can only do together with the
 * file's times, through the {@code force} of an {@link AsynchronousFileChannel}: it runs in the calling thread, takes
 * no notice of interrupts, and needs no second write of the disk for the times of a file whose size stays the same.
 */
final class RealDisk implements Disk {
    private static final boolean WINDOWS =
            System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");

    @Override
    public DiskFile create(Path file) throws IOException {
        PrivateFiles.create(file);
        DiskFile created = new RealFile(file);
        created.truncate(0);
        return created;
    }

    @Override
    public DiskFile open(Path file) throws IOException {
        // a RandomAccessFile would create it
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + " is no file");
        }
        return new RealFile(file);
    }

    @Override
    public byte[] read(Path file, int most) throws IOException {
        try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "r")) {
            byte[] bytes = new byte[(int) Math.min(most, content.length())];
            content.readFully(bytes);
            return bytes;
        }
    }

    @Override
    public long size(Path file) throws IOException {
        return Files.size(file);
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        // Windows opens no directories, and keeps names durable by itself
        if (WINDOWS) {
            return;
        }
        try (AsynchronousFileChannel names = AsynchronousFileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    private static final class RealFile implements DiskFile {
        private final Path path;
        private final RandomAccessFile content;
        private final AsynchronousFileChannel forcing;

        RealFile(Path path) throws IOException {
            this.path = path;
            content = new RandomAccessFile(path.toFile(), "rw");
            try {
                forcing = AsynchronousFileChannel.open(path, StandardOpenOption.WRITE);
            } catch (IOException e) {
                content.close();
                throw e;
            }
        }

        @Override
        public Path path() {
            return path;
        }

        @Override
        public void write(long position, byte[] bytes, int length) throws IOException {
            content.seek(position);
            content.write(bytes, 0, length);
        }

        @Override
        public void truncate(long size) throws IOException {
            content.setLength(size);
        }

        @Override
        public void force() throws IOException {
            forcing.force(false);
        }

        @Override
        public void close() throws IOException {
            try (content) {
                forcing.close();
            }
        }
    }
}
