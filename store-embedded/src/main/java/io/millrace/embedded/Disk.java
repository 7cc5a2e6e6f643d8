package io.millrace.embedded;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The few things that a log asks of a file system, so that tests can let each of them fail. */
interface Disk {
    /** Creates a file, or empties the one that is there. */
    DiskFile create(Path file) throws IOException;

    /** Opens a file that is there for writing. */
    DiskFile open(Path file) throws IOException;

    /** The first bytes of a file: as many as asked for, or all. */
    byte[] read(Path file, int most) throws IOException;

    long size(Path file) throws IOException;

    /** All files of a directory, in no order. */
    List<Path> list(Path directory) throws IOException;

    /** Replaces what has the new name, in one step. */
    void rename(Path from, Path to) throws IOException;

    void delete(Path file) throws IOException;

    /** Returns when the names that were created, changed and deleted in a directory are on the disk. */
    void forceDirectory(Path directory) throws IOException;

    /** An open file. No call of it can be interrupted. */
    interface DiskFile extends Closeable {
        Path path();

        void write(long position, byte[] bytes, int length) throws IOException;

        void truncate(long size) throws IOException;

        /** Returns when all that was written is on the disk. */
        void force() throws IOException;
    }
}
