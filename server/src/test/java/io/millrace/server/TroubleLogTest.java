package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/** A store that is away for an hour does not fill the disk with stacks. */
class TroubleLogTest {
    private final String mark = UUID.randomUUID().toString();
    private final Captured captured = new Captured();
    private final Queue<Runnable> windows = new ArrayDeque<>();
    private final TroubleLog troubles = new TroubleLog(windows::add);

    /** What is logged about this test's trouble; other tests run beside it. */
    private final class Captured extends AppenderBase<ILoggingEvent> {
        private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

        Captured() {
            start();
            root().addAppender(this);
        }

        @Override
        protected void append(ILoggingEvent event) {
            String cause = event.getThrowableProxy() == null
                    ? ""
                    : event.getThrowableProxy().getMessage();
            if (event.getFormattedMessage().contains(mark) || cause.contains(mark)) {
                events.add(event);
            }
        }

        long stacks() {
            return events.stream()
                    .filter(event -> event.getThrowableProxy() != null)
                    .count();
        }
    }

    /** Another test may be the first to log, and logging is not there before it is set up. */
    private static Logger root() {
        ILoggerFactory factory =
                Awaitility.await().until(LoggerFactory::getILoggerFactory, LoggerContext.class::isInstance);
        return ((LoggerContext) factory).getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    @AfterEach
    void detach() {
        root().detachAppender(captured);
    }

    @Test
    void a_hundred_503_have_one_stack() {
        String url = "switchable:" + mark;
        try (Bed bed = new Bed(url, options -> options)) {
            SwitchableProvider.cutOff(url);
            for (int i = 0; i < 100; i++) {
                assertThat(bed.post("/v1/tasks", "{\"topic\": \"t\"}").status()).isEqualTo(503);
            }
            assertThat(captured.stacks()).isEqualTo(1);
        } finally {
            SwitchableProvider.connect(url);
        }
    }

    @Test
    void those_in_between_are_counted_and_the_next_after_a_pause_has_its_stack() {
        for (int i = 0; i < 5; i++) {
            troubles.unavailable(new IllegalStateException(mark + " " + i));
        }
        assertThat(captured.events).hasSize(1);

        windows.remove().run();
        assertThat(captured.events).hasSize(2);
        assertThat(captured.events.get(1).getFormattedMessage()).contains("4 more times in 10 s", mark + " 4");
        assertThat(captured.stacks()).isEqualTo(1);

        windows.remove().run();
        troubles.unavailable(new IllegalStateException(mark));
        assertThat(captured.stacks()).isEqualTo(2);
    }

    @Test
    void failures_at_different_places_are_told_apart() {
        for (int i = 0; i < 5; i++) {
            troubles.internal(new IllegalStateException(mark));
            troubles.internal(new IllegalArgumentException(mark));
        }
        assertThat(captured.stacks()).isEqualTo(2);
    }

    @Test
    void connections_that_find_no_descriptor_are_told_with_what_to_do() {
        EmbeddedChannel listening = new EmbeddedChannel(new OpenFiles(troubles));
        for (int i = 0; i < 5; i++) {
            listening.pipeline().fireExceptionCaught(new IOException("Too many open files " + mark));
        }
        listening.checkException();
        assertThat(captured.stacks()).isEqualTo(1);
        assertThat(captured.events.get(0).getFormattedMessage()).contains("LimitNOFILE");
    }
}
