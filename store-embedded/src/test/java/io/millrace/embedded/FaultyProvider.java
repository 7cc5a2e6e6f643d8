package io.millrace.embedded;

import io.millrace.spi.EngineClock;
import io.millrace.spi.StoreProvider;
import io.millrace.spi.TaskStore;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Opens {@code faulty:DIRECTORY}: an embedded store on a disk that fails when a test says so. */
public final class FaultyProvider implements StoreProvider {
    private static final String SCHEME = "faulty:";
    private static final Map<Path, FaultyDisk> DISKS = new ConcurrentHashMap<>();

    /** The URL of a store in the directory, on this disk from now on. */
    static String url(Path directory, FaultyDisk disk, String settings) {
        DISKS.put(directory.toAbsolutePath().normalize(), disk);
        return SCHEME + directory + settings;
    }

    @Override
    public boolean accepts(String url) {
        return url.startsWith(SCHEME);
    }

    @Override
    public TaskStore open(String url, EngineClock clock) {
        EmbeddedUrl settings = EmbeddedUrl.parse(EmbeddedUrl.SCHEME + url.substring(SCHEME.length()));
        return EmbeddedProvider.open(settings, clock, DISKS.get(settings.directory()));
    }
}
