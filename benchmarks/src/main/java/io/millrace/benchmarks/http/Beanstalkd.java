package io.millrace.benchmarks.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A beanstalkd that forces every job to its disk before it answers. */
public final class Beanstalkd implements AutoCloseable {
    private static final String NAME = "beanstalkd";
    private static final int PAYLOAD_BYTES = 200;
    private static final byte[] PUT =
            ("put 100 0 60 " + PAYLOAD_BYTES + "\r\n" + "x".repeat(PAYLOAD_BYTES) + "\r\n").getBytes(ISO_8859_1);
    private static final byte[] RESERVE = "reserve\r\n".getBytes(ISO_8859_1);

    private final Process process;
    private final int port;

    /** @param directory where it keeps its jobs */
    public Beanstalkd(Path directory) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        process = new ProcessBuilder(
                        NAME, "-l", "127.0.0.1", "-p", Integer.toString(port), "-b", directory.toString(), "-f", "0")
                .inheritIO()
                .start();
        awaitStart();
    }

    public static boolean isInstalled() {
        return Pattern.compile(File.pathSeparator)
                .splitAsStream(String.valueOf(System.getenv("PATH")))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, NAME)));
    }

    private void awaitStart() throws IOException, InterruptedException {
        for (int i = 0; i < 500; i++) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException e) {
                if (process.waitFor(10, TimeUnit.MILLISECONDS)) {
                    break;
                }
            }
        }
        throw new IOException("beanstalkd did not start");
    }

    public int port() {
        return port;
    }

    /** Puts a job, again and again. */
    public static Conversation put() {
        return new Talk(1);
    }

    /** Puts a job, reserves one, and deletes it. */
    public static Conversation life() {
        return new Talk(3);
    }

    private static final class Talk implements Conversation {
        private final int steps;
        private int step;
        private String reserved = "";

        Talk(int steps) {
            this.steps = steps;
        }

        @Override
        public byte[] request() {
            return switch (step) {
                case 0 -> PUT;
                case 1 -> RESERVE;
                default -> ("delete " + reserved + "\r\n").getBytes(ISO_8859_1);
            };
        }

        @Override
        public boolean isAnswered(byte[] bytes, int length) {
            int lineEnd = 0;
            while (lineEnd < length && bytes[lineEnd] != '\n') {
                lineEnd++;
            }
            if (lineEnd == length) {
                return false;
            }
            String[] words = new String(bytes, 0, lineEnd - 1, ISO_8859_1).split(" ", -1);
            switch (words[0]) {
                case "INSERTED", "DELETED" -> {}
                case "RESERVED" -> {
                    if (length < lineEnd + 1 + PAYLOAD_BYTES + 2) {
                        return false;
                    }
                    reserved = words[1];
                }
                default -> throw new IllegalStateException("beanstalkd answered " + String.join(" ", words));
            }
            step = (step + 1) % steps;
            return true;
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
