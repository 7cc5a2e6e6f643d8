package io.millrace.cli;

import io.millrace.Enqueued;
import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.StoreUnavailableException;
import io.millrace.wire.EnqueuedForm;
import io.millrace.wire.TaskForm;
import io.millrace.wire.WireException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Enqueues a task for each line, in chunks while it reads, so that any number fits into memory. */
final class NdjsonFeed {
    private static final int CHUNK = 1_000;
    /** Far below what a server takes in one request. */
    private static final int CHUNK_BYTES = 4 << 20;

    private final Millrace millrace;
    private final ByteLines lines;
    private final long totalBytes;
    private final ProgressBar progress;
    private final List<Line> chunk = new ArrayList<>();
    private int chunkBytes;
    private long accepted;
    private long duplicates;

    private record Line(long number, NewTask task) {}

    /** @param totalBytes of all lines; 0 if nobody knows */
    NdjsonFeed(Millrace millrace, InputStream in, long totalBytes, ProgressBar progress) {
        this.millrace = millrace;
        this.lines = new ByteLines(in);
        this.totalBytes = totalBytes;
        this.progress = progress;
    }

    /** @throws FailedException for a bad line: those before it are enqueued, nothing after it is */
    EnqueuedForm.Stream send() throws IOException {
        for (byte[] line = lines.next(); line != null; line = lines.next()) {
            if (!isBlank(line)) {
                add(line);
            }
        }
        flush();
        return new EnqueuedForm.Stream(accepted, duplicates);
    }

    private static boolean isBlank(byte[] line) {
        for (byte character : line) {
            if (character != ' ' && character != '\t' && character != '\r') {
                return false;
            }
        }
        return true;
    }

    private void add(byte[] line) {
        try {
            chunk.add(new Line(lines.number(), TaskForm.read(line, 0, line.length, ByteLines.LONGEST)));
        } catch (WireException e) {
            flush();
            throw refused(lines.number(), Complaints.places(e));
        }
        chunkBytes += line.length;
        if (chunk.size() == CHUNK || chunkBytes >= CHUNK_BYTES) {
            flush();
        }
    }

    private FailedException refused(long number, List<String> reasons) {
        List<String> messages = new ArrayList<>();
        for (String reason : reasons) {
            messages.add("line " + number + ": " + reason);
        }
        messages.set(0, messages.get(0) + "; accepted " + accepted + ", and nothing from that line on");
        return new FailedException(messages);
    }

    private void flush() {
        if (!chunk.isEmpty()) {
            send(chunk);
            chunk.clear();
            chunkBytes = 0;
        }
    }

    /** A chunk that the server refuses is sent again in halves, down to the line at fault. */
    private void send(List<Line> part) {
        try {
            List<Enqueued> answers =
                    millrace.enqueue(part.stream().map(Line::task).toList());
            accepted += answers.size();
            duplicates += answers.stream().filter(Enqueued::duplicate).count();
            progress.show(totalBytes > 0 ? (double) lines.bytesRead() / totalBytes : -1, accepted + " tasks enqueued");
        } catch (StoreUnavailableException e) {
            throw new StoreUnavailableException(Complaints.text(e) + " Accepted " + accepted
                    + "; it is not known whether lines " + part.get(0).number + " to "
                    + part.get(part.size() - 1).number + " are, too");
        } catch (RuntimeException e) {
            if (part.size() == 1) {
                throw refused(part.get(0).number, Complaints.texts(e));
            }
            int half = part.size() / 2;
            send(part.subList(0, half));
            send(part.subList(half, part.size()));
        }
    }
}
