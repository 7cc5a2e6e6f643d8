package io.millrace.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A terminal that is drawn over and over, and tells of keys as they are pressed. */
final class Screen implements AutoCloseable {
    private static final String ESCAPE = "\u001b[";
    private static final String BEGIN = ESCAPE + "?1049h" + ESCAPE + "?25l";
    private static final String END = ESCAPE + "?25h" + ESCAPE + "?1049l";
    private static final String HOME = ESCAPE + "H";
    private static final String REST_OF_LINE = ESCAPE + "K";
    private static final String REST_OF_SCREEN = ESCAPE + "J";

    private final Shell shell;
    /** Whether keys come from the terminal, which can be told to send them one by one. */
    private final boolean raw;

    private final String saved;
    private boolean open = true;

    Screen(Shell shell) {
        this.shell = shell;
        raw = shell.in() == System.in;
        saved = stty("-g");
        var unused = stty("-icanon -echo min 1");
        shell.out().print(BEGIN);
        shell.out().flush();
    }

    /** Waits for a key, and does something when it comes; nothing if the input ends. */
    void onKey(char key, Runnable action) {
        Thread reader = new Thread(() -> read(key, action), "millrace-keys");
        reader.setDaemon(true);
        reader.start();
    }

    private void read(char key, Runnable action) {
        try (InputStream in = shell.in()) {
            for (int read = in.read(); read >= 0; read = in.read()) {
                if (read == key) {
                    action.run();
                    return;
                }
            }
        } catch (IOException e) {
            // there are no keys then
        }
    }

    void draw(List<String> lines) {
        int[] size = size();
        StringBuilder frame = new StringBuilder(HOME);
        for (int i = 0; i < Math.min(lines.size(), size[0]); i++) {
            String line = lines.get(i);
            // no line feed after the last: it would scroll
            frame.append(i == 0 ? "" : "\r\n")
                    .append(line, 0, Math.min(line.length(), size[1]))
                    .append(REST_OF_LINE);
        }
        shell.out().print(frame + REST_OF_SCREEN);
        shell.out().flush();
    }

    /** Rows and columns; asked each time, because windows change. */
    private int[] size() {
        String[] parts = stty("size").split(" ", -1);
        if (parts.length == 2 && parts[0].matches("[1-9]\\d{0,4}") && parts[1].matches("[1-9]\\d{0,4}")) {
            return new int[] {Integer.parseInt(parts[0]), Integer.parseInt(parts[1])};
        }
        return new int[] {24, 200};
    }

    /** Empty if there is no such terminal or no stty: keys come with Enter then. */
    private String stty(String arguments) {
        if (!raw) {
            return "";
        }
        try {
            Process stty = new ProcessBuilder("sh", "-c", "stty " + arguments + " < /dev/tty")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return stty.waitFor(1, TimeUnit.SECONDS) ? answer : "";
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    /** Leaves the terminal as it was. */
    @Override
    public synchronized void close() {
        if (!open) {
            return;
        }
        open = false;
        if (!saved.isEmpty()) {
            var unused = stty(saved);
        }
        shell.out().print(END);
        shell.out().flush();
    }
}
