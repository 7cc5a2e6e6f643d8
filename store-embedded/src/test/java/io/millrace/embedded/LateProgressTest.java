package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.testkit.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Progress is told a second after a handler says it; by then nobody may be there to tell it. */
class LateProgressTest {
    @Test
    void after_the_end_it_is_left_untold(@TempDir Path directory) throws Exception {
        SettableClock clock = new SettableClock();
        MillraceOptions options = MillraceOptions.builder().clock(clock).build();
        try (Millrace millrace = Millrace.open("embedded:" + directory, options)) {
            millrace.handle("t", (payload, context) -> context.progress(50, null));
            UUID id = millrace.enqueue(NewTask.builder("t").build()).id();
            millrace.finished(id).get(60, TimeUnit.SECONDS);
        }

        // its timers run in this call
        assertThatCode(() -> clock.advance(Duration.ofSeconds(2))).doesNotThrowAnyException();
    }
}
