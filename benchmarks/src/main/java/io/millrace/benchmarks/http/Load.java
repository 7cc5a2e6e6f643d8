package io.millrace.benchmarks.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/** One thread that keeps many connections busy, each with one request at a time, at as little cost as it can. */
public final class Load implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 30_000;

    private final Selector selector = Selector.open();
    private final ByteBuffer shared = ByteBuffer.allocateDirect(256 << 10);
    private final List<Connection> connections = new ArrayList<>();
    private int toSend;
    private int toAnswer;

    /** @param conversations the one of each connection, by its number */
    public Load(int port, int connections, IntFunction<? extends Conversation> conversations) throws IOException {
        for (int i = 0; i < connections; i++) {
            this.connections.add(new Connection(port, conversations.apply(i)));
        }
    }

    /** Sends so many requests over all connections. @return how many were answered a second */
    public double rate(int requests) throws IOException {
        toSend = requests;
        toAnswer = requests;
        long start = System.nanoTime();
        for (Connection connection : connections) {
            connection.next();
        }
        while (toAnswer > 0) {
            if (selector.select(Load::handle, PATIENCE_MILLIS) == 0) {
                throw new IllegalStateException("no answer came for " + PATIENCE_MILLIS + " ms");
            }
        }
        return requests * 1e9 / (System.nanoTime() - start);
    }

    private static void handle(SelectionKey key) {
        try {
            ((Connection) key.attachment()).ready(key);
        } catch (IOException e) {
            throw new IllegalStateException("a connection broke", e);
        }
    }

    private final class Connection {
        private final SocketChannel channel;
        private final SelectionKey key;
        private final Conversation conversation;
        private ByteBuffer out = ByteBuffer.allocate(0);
        private byte[] in = new byte[1 << 10];
        private int length;

        Connection(int port, Conversation conversation) throws IOException {
            this.conversation = conversation;
            channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            key = channel.register(selector, SelectionKey.OP_READ, this);
        }

        void next() throws IOException {
            if (toSend > 0) {
                toSend--;
                length = 0;
                out = ByteBuffer.wrap(conversation.request());
                write();
            }
        }

        private void write() throws IOException {
            channel.write(out);
            int interest = out.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ;
            if (key.interestOps() != interest) {
                key.interestOps(interest);
            }
        }

        void ready(SelectionKey ready) throws IOException {
            if (ready.isWritable()) {
                write();
                return;
            }
            shared.clear();
            int read = channel.read(shared);
            if (read < 0) {
                throw new IOException("the server closed a connection");
            }
            if (length + read > in.length) {
                in = Arrays.copyOf(in, 2 * (length + read));
            }
            shared.flip().get(in, length, read);
            length += read;
            if (conversation.isAnswered(in, length)) {
                toAnswer--;
                next();
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (Connection connection : connections) {
            connection.channel.close();
        }
        selector.close();
    }
}
