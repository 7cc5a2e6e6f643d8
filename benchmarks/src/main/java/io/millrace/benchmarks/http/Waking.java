package io.millrace.benchmarks.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** How long it takes from an enqueue until the one worker that waits has the task. */
public final class Waking implements AutoCloseable {
    /** Enough for the claim to be held. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Socket producer;
    private final Socket worker;
    private final byte[] claim;
    private final byte[] buffer = new byte[64 << 10];

    public Waking(int port, String workerId) throws IOException {
        producer = connect(port);
        worker = connect(port);
        claim = Http.post("/v1/workers/" + workerId + "/claim", "{\"topics\":[\"bench\"],\"wait\":\"30s\"}");
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(60_000);
        return socket;
    }

    /** The tasks stay with the worker. */
    public void measure(int tasks, Histogram nanos) throws IOException {
        for (int i = 0; i < tasks; i++) {
            worker.getOutputStream().write(claim);
            LockSupport.parkNanos(PAUSE_NANOS);
            long start = System.nanoTime();
            producer.getOutputStream().write(HttpTalks.ENQUEUE);
            read(worker);
            nanos.recordValue(System.nanoTime() - start);
            read(producer);
        }
    }

    private void read(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        int length = 0;
        do {
            int read = in.read(buffer, length, buffer.length - length);
            if (read < 0) {
                throw new IOException("the server closed a connection");
            }
            length += read;
        } while (!Http.isAnswered(buffer, length));
    }

    @Override
    public void close() throws IOException {
        producer.close();
        worker.close();
    }
}
