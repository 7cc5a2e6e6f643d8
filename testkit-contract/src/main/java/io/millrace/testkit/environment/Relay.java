package io.millrace.testkit.environment;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stands between clients and a server on this machine, and passes on what its filter lets through. */
public final class Relay implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private final Filter filter;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** Sees all that comes by. */
    public interface Filter {
        /** May wait. @return whether to pass the bytes on, and not to cut the connection instead */
        boolean passes(boolean toServer, byte[] bytes, int size) throws InterruptedException;
    }

    /** @param target the server's port */
    public Relay(int target, Filter filter) throws IOException {
        this.target = target;
        this.filter = filter;
        listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        start("accept", this::acceptAll);
    }

    /** Where clients connect to. */
    public int port() {
        return listener.getLocalPort();
    }

    private static void start(String name, Runnable action) {
        Thread thread = new Thread(action, "relay-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                relay(listener.accept());
            } catch (IOException e) {
                // closed
            }
        }
    }

    private void relay(Socket client) throws IOException {
        open.add(client);
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            open.add(server);
            start("to-server", () -> passOn(client, server, true));
            start("to-client", () -> passOn(server, client, false));
        } catch (IOException e) {
            // the server is not there
            client.close();
        }
    }

    private void passOn(Socket from, Socket to, boolean toServer) {
        byte[] buffer = new byte[1 << 16];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int size = in.read(buffer); size >= 0; size = in.read(buffer)) {
                if (!filter.passes(toServer, buffer, size)) {
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

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
