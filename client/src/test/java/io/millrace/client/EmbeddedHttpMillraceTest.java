package io.millrace.client;

import io.millrace.MillraceOptions;
import io.millrace.testkit.client.MillraceContract;
import io.millrace.testkit.client.MillraceFixture;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The same over a store that waits for a disk. */
@Tag("slow")
class EmbeddedHttpMillraceTest extends MillraceContract {
    @TempDir
    private static Path directory;

    @Override
    protected MillraceFixture fixture(MillraceOptions options) {
        return new ServedMillrace(
                "embedded:" + directory.resolve(UUID.randomUUID().toString()), options);
    }
}
