package io.millrace;

import io.millrace.internal.engine.HandClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A directory of dumps in a test, with a clock that moves by hand. */
record DumpDirectory(Path path, HandClock clock) {
    DumpDirectory(Path path) {
        this(path, new HandClock());
    }

    Dump.Builder<String> dump() {
        return Dump.builder(path, String.class)
                .codec(new TextCodec())
                .clock(clock)
                .sync(false);
    }

    Restorer.Builder<String> restorer(Enqueuer<String> target) {
        return Restorer.builder(path, String.class)
                .codec(new TextCodec())
                .clock(clock)
                .into(target, () -> 0);
    }

    /** Writes a dump and returns its only file. */
    Path write(String... items) throws IOException {
        try (Dump<String> dump = dump().build()) {
            for (String item : items) {
                dump.put(item);
            }
        }
        return path.resolve(names().get(0));
    }

    /** All that can be restored now. */
    List<String> restored() throws InterruptedException {
        List<String> items = new ArrayList<>();
        try (Restorer<String> restorer = restorer(items::add).build()) {
            restorer.restoreNow();
        }
        return items;
    }

    List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** What a crash would leave behind: a copy of the files as they are now, which nobody holds. */
    DumpDirectory afterCrash(Path copy) throws IOException {
        Files.createDirectories(copy);
        for (String name : names()) {
            Files.copy(path.resolve(name), copy.resolve(name));
        }
        return new DumpDirectory(copy, clock);
    }
}
