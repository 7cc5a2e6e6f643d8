package io.millrace.embedded;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A real disk that counts, and fails on demand. */
final class FaultyDisk implements Disk {
    private final Disk real = new RealDisk();
    final AtomicInteger forces = new AtomicInteger();
    final AtomicInteger writes = new AtomicInteger();
    volatile boolean full;
    volatile boolean outOfFiles;
    volatile boolean failsCreate;
    volatile boolean failsForce;
    volatile boolean tearsWrite;
    volatile boolean failsDelete;
    volatile Runnable beforeForce = () -> {};
    /** Is told of each segment that is about to be deleted. */
    volatile Consumer<Path> beforeDelete = file -> {};
    /** Runs after each change on the disk, while nothing else changes there. */
    volatile Runnable afterChange = () -> {};

    private final Object changing = new Object();
    private volatile boolean listed;
    /** What a power cut would leave of each file; those that were there before are on the disk. */
    private final Map<Path, byte[]> forced = new ConcurrentHashMap<>();

    @Override
    public DiskFile create(Path file) throws IOException {
        checkDescriptors(file);
        if (failsCreate) {
            throw new FileSystemException(file.toString(), null, "Read-only file system");
        }
        return new FaultyFile(real.create(file), true);
    }

    @Override
    public DiskFile open(Path file) throws IOException {
        checkDescriptors(file);
        return new FaultyFile(real.open(file), false);
    }

    private void checkDescriptors(Path file) throws IOException {
        if (outOfFiles) {
            throw new FileSystemException(file.toString(), null, "Too many open files");
        }
    }

    @Override
    public byte[] read(Path file, int most) throws IOException {
        checkDescriptors(file);
        return real.read(file, most);
    }

    @Override
    public long size(Path file) throws IOException {
        return real.size(file);
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        List<Path> files = real.list(directory);
        if (!listed) {
            listed = true;
            for (Path file : files) {
                forced.put(file, Files.isRegularFile(file) ? content(file) : new byte[0]);
            }
        }
        return files;
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        synchronized (changing) {
            real.rename(from, to);
            byte[] content = forced.remove(from);
            if (content != null) {
                forced.put(to, content);
            }
            afterChange.run();
        }
    }

    @Override
    public void delete(Path file) throws IOException {
        beforeDelete.accept(file);
        if (failsDelete) {
            throw new IOException("Input/output error");
        }
        synchronized (changing) {
            forced.remove(file);
            real.delete(file);
            afterChange.run();
        }
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        real.forceDirectory(directory);
    }

    /** Writes what the end of the process would leave now. */
    Path copy(Path from, Path to) {
        synchronized (changing) {
            return TestLogs.copy(from, to);
        }
    }

    /** Writes what a power cut would leave now, if all names were on the disk and nothing else that was not forced. */
    Path powerCut(Path to) {
        try {
            Files.createDirectories(to);
            for (Map.Entry<Path, byte[]> file : forced.entrySet()) {
                Files.write(to.resolve(file.getKey().getFileName()), file.getValue());
            }
            return to;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Not by a channel: that would keep a buffer as large as the file for each thread. */
    private static byte[] content(Path file) throws IOException {
        try (InputStream in = new FileInputStream(file.toFile())) {
            return in.readAllBytes();
        }
    }

    private final class FaultyFile implements DiskFile {
        private final DiskFile file;
        private final boolean grows;

        FaultyFile(DiskFile file, boolean grows) {
            this.file = file;
            this.grows = grows;
        }

        @Override
        public Path path() {
            return file.path();
        }

        @Override
        public void write(long position, byte[] bytes, int length) throws IOException {
            if (full && (grows || position + length > real.size(path()))) {
                file.write(position, bytes, length / 2);
                throw new IOException("No space left on device");
            }
            if (tearsWrite) {
                file.write(position, bytes, length / 2);
                throw new IOException("Input/output error");
            }
            writes.incrementAndGet();
            synchronized (changing) {
                file.write(position, bytes, length);
                afterChange.run();
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void force() throws IOException {
            beforeForce.run();
            if (failsForce) {
                throw new IOException("Input/output error");
            }
            forces.incrementAndGet();
            synchronized (changing) {
                file.force();
                forced.put(path(), content(path()));
                afterChange.run();
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
