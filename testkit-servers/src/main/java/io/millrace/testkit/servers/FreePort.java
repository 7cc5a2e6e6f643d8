package io.millrace.testkit.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Scanner;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of the loopback interface that nobody listens on. */
final class FreePort {
    private static final int LEAST = 10_000;
    private static final int END = 65_536;

    private FreePort() {}

    /**
     * A random one, outside the range from which clients get theirs: else a client could take the port of a server that is
     * down for a moment. Another process may take it before the caller does.
     */
    static int pick() {
        int[] ofClients = portsOfClients();
        for (int tries = 0; tries < 10_000; tries++) {
            int port = ThreadLocalRandom.current().nextInt(LEAST, END);
            if ((port < ofClients[0] || port > ofClients[1]) && isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("No free port between " + LEAST + " and " + (END - 1)
                + ", but for those of clients: " + ofClients[0] + " to " + ofClients[1]);
    }

    private static int[] portsOfClients() {
        try (Scanner range = new Scanner(Path.of("/proc/sys/net/ipv4/ip_local_port_range"), StandardCharsets.UTF_8)) {
            return new int[] {range.nextInt(), range.nextInt()};
        } catch (IOException e) {
            return new int[] {32_768, 60_999};
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
