package io.millrace.benchmarks.durable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Keys that count up in RocksDB, with a sync of its write-ahead log per write; RocksDB groups the writers itself. */
public final class RocksLog implements DurableLog {
    private final Options options = new Options().setCreateIfMissing(true);
    private final WriteOptions synced = new WriteOptions().setSync(true);
    private final RocksDB database;
    private final AtomicLong nextKey = new AtomicLong();

    public RocksLog(Path directory) throws IOException {
        try {
            database = RocksDB.open(options, directory.toString());
        } catch (RocksDBException e) {
            throw new IOException(e);
        }
        try (RocksIterator records = database.newIterator()) {
            records.seekToLast();
            if (records.isValid()) {
                nextKey.set(ByteBuffer.wrap(records.key()).getLong() + 1);
            }
        }
    }

    @Override
    public void append(byte[] record) throws IOException {
        try {
            database.put(synced, newKey(), record);
        } catch (RocksDBException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void appendAll(List<byte[]> records) throws IOException {
        try (WriteBatch batch = new WriteBatch()) {
            for (byte[] record : records) {
                batch.put(newKey(), record);
            }
            database.write(synced, batch);
        } catch (RocksDBException e) {
            throw new IOException(e);
        }
    }

    private byte[] newKey() {
        return ByteBuffer.allocate(Long.BYTES)
                .putLong(nextKey.getAndIncrement())
                .array();
    }

    @Override
    public List<byte[]> read() throws IOException {
        List<byte[]> found = new ArrayList<>();
        try (RocksIterator records = database.newIterator()) {
            for (records.seekToFirst(); records.isValid(); records.next()) {
                found.add(records.value());
            }
            records.status();
        } catch (RocksDBException e) {
            throw new IOException(e);
        }
        return found;
    }

    @Override
    public void close() {
        database.close();
        synced.close();
        options.close();
    }
}
