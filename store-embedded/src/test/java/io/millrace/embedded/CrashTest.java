package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.internal.SystemClock;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.store.StoreInvariants;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process under load is killed at any moment, again and again: nothing that it acknowledged is lost or done twice. */
@Tag("slow")
class CrashTest {
    private static final int ROUNDS = Boolean.getBoolean("millrace.long") ? 200 : 20;
    private static final int SEGMENT = 1 << 18;

    @TempDir
    Path directory;

    private final Random chance = new Random(7);
    /** By producer and round, in the order of the acknowledgements. */
    private final List<List<UUID>> enqueued = new ArrayList<>();

    private final Set<UUID> completed = new HashSet<>();

    private String url() {
        return "embedded:" + directory.resolve("data") + "?segmentBytes=" + SEGMENT;
    }

    @Test
    void what_was_acknowledged_survives_a_kill() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            runAndKill(round);
            check(round);
        }
        assertThat(completed).hasSizeGreaterThanOrEqualTo(ROUNDS / 2);
    }

    @Test
    void a_damaged_tail_costs_what_stood_there_and_nothing_else() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            runAndKill(round);
            damageTail();
            checkPrefixes(round);
            enqueued.clear();
            completed.clear();
        }
    }

    private void runAndKill(int round) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashLoad.class.getName(),
                        url(),
                        Integer.toString(round))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Map<String, List<UUID>> byProducer = new java.util.TreeMap<>();
        Set<UUID> before = Set.copyOf(completed);
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(output.readLine()).as("the process is up").isEqualTo("UP");
            // every other process lives to see a task completed, however slow the machine is
            boolean early = round % 2 == 0;
            CountDownLatch begun = new CountDownLatch(early ? 0 : 1);
            Thread killer = new Thread(() -> killSoon(process, begun));
            killer.start();
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                note(line, byProducer, before);
                if (line.startsWith("C")) {
                    begun.countDown();
                }
            }
            begun.countDown();
            killer.join();
        } finally {
            process.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
        }
        enqueued.addAll(byProducer.values());
    }

    private void killSoon(Process process, CountDownLatch begun) {
        try {
            begun.await();
            // the moment of the kill is chance on purpose; nothing waits for it
            if (process.waitFor(chance.nextInt(300), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the process ended by itself");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // unlike that of the process, this one leaves the output open to be read to its end
        process.toHandle().destroyForcibly();
    }

    private void note(String line, Map<String, List<UUID>> byProducer, Set<UUID> completedBefore) {
        String[] words = line.split(" ", -1);
        boolean isWhole = words[words.length - 1].length() == 36;
        if (!isWhole) {
            return;
        }
        UUID id = UUID.fromString(words[words.length - 1]);
        switch (words[0]) {
            case "E" ->
                byProducer.computeIfAbsent(words[1], any -> new ArrayList<>()).add(id);
            case "S" ->
                assertThat(completedBefore).as("a completed task runs again").doesNotContain(id);
            case "C" -> completed.add(id);
            default -> throw new IllegalArgumentException(line);
        }
    }

    private TaskStore open() {
        return new EmbeddedProvider().open(url(), SystemClock.shared());
    }

    private void check(int round) {
        try (TaskStore store = open()) {
            StoreInvariants.check(store);
            Set<UUID> all = enqueued.stream().flatMap(List::stream).collect(Collectors.toSet());
            Map<UUID, Task> found = find(store, all);
            assertThat(found.keySet())
                    .as("acknowledged tasks after round %d", round)
                    .containsAll(all);
            completed.stream()
                    .filter(all::contains)
                    .forEach(id -> assertThat(found.get(id).state()).isEqualTo(TaskState.SUCCEEDED));
        }
    }

    private static Map<UUID, Task> find(TaskStore store, Set<UUID> ids) {
        return store.get(ids).stream().collect(Collectors.toMap(Task::id, Function.identity()));
    }

    /** What each producer enqueued is there from the first to some last one. */
    private void checkPrefixes(int round) {
        try (TaskStore store = open()) {
            StoreInvariants.check(store);
            for (List<UUID> ofProducer : enqueued) {
                Set<UUID> found = find(store, new HashSet<>(ofProducer)).keySet();
                List<UUID> prefix = ofProducer.subList(0, found.size());
                assertThat(found).as("round %d", round).containsExactlyInAnyOrderElementsOf(prefix);
            }
        }
    }

    /** Cuts the last file somewhere behind its last tenth, or overwrites that part from there on. */
    private void damageTail() throws IOException {
        Path last = lastSegment();
        try (RandomAccessFile file = new RandomAccessFile(last.toFile(), "rw")) {
            long used = usedBytes(file);
            long from = used - Math.min(used / 10, chance.nextInt(2_000) + 1);
            if (chance.nextBoolean()) {
                file.setLength(from);
            } else {
                byte[] garbage = new byte[(int) (used - from) + chance.nextInt(500)];
                chance.nextBytes(garbage);
                file.seek(from);
                file.write(garbage);
            }
        }
    }

    private Path lastSegment() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("data"))) {
            List<Path> logs = files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList();
            for (int i = logs.size() - 1; i > 0; i--) {
                try (RandomAccessFile file = new RandomAccessFile(logs.get(i).toFile(), "r")) {
                    if (usedBytes(file) > 0) {
                        return logs.get(i);
                    }
                }
            }
            return logs.get(0);
        }
    }

    /** Up to the last byte that is not zero. */
    private static long usedBytes(RandomAccessFile file) throws IOException {
        byte[] content = new byte[(int) file.length()];
        file.seek(0);
        file.readFully(content);
        int end = content.length;
        while (end > 0 && content[end - 1] == 0) {
            end--;
        }
        return end;
    }
}
