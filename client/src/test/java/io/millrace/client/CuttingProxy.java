package io.millrace.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Stands between client and server, passes on requests, and cuts connections when the answer comes. */
final class CuttingProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicInteger cuts = new AtomicInteger();
    private final AtomicInteger enqueues = new AtomicInteger();
    private final AtomicInteger claimsAlong = new AtomicInteger();
    private volatile IntPredicate cut = number -> false;
    private volatile CountDownLatch held = new CountDownLatch(0);

    CuttingProxy(int target) throws IOException {
        this.target = target;
        listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        start("accept", this::acceptAll);
    }

    private static void start(String name, Runnable action) {
        Thread thread = new Thread(action, "proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    /** From now on, cuts those answers, which are numbered from 1. */
    void cut(IntPredicate which) {
        answers.set(0);
        cut = which;
    }

    int cuts() {
        return cuts.get();
    }

    /** How many requests to enqueue have come by. */
    int enqueues() {
        return enqueues.get();
    }

    /** How many reports have come by that took a claim along. */
    int claimsAlong() {
        return claimsAlong.get();
    }

    /** Lets no request through until it is released. */
    void hold() {
        held = new CountDownLatch(1);
    }

    void release() {
        held.countDown();
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                open.add(server);
                start("requests", () -> passOn(client, server, null));
                start("answers", () -> passOn(server, client, answers));
            } catch (IOException e) {
                // closed, or the server is not there: whoever asked sees it
            }
        }
    }

    private void passOn(Socket from, Socket to, @Nullable AtomicInteger numbering) {
        byte[] buffer = new byte[1 << 16];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int size = in.read(buffer); size >= 0; size = in.read(buffer)) {
                if (numbering == null) {
                    requested(new String(buffer, 0, size, StandardCharsets.ISO_8859_1));
                } else if (cut.test(numbering.incrementAndGet())) {
                    cuts.incrementAndGet();
                    return;
                }
                out.write(buffer, 0, size);
            }
        } catch (IOException e) {
            // one end has closed, and so does the other
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void requested(String text) throws InterruptedException {
        if (text.startsWith("POST /v1/tasks HTTP")) {
            enqueues.incrementAndGet();
        }
        if (text.contains("/outcomes?claim=")) {
            claimsAlong.incrementAndGet();
        }
        held.await();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
