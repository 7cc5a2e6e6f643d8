package io.millrace.queue;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.millrace.Event;
import io.millrace.Leak;
import io.millrace.LoggingObserver;
import io.millrace.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

class LoggingObserverTest {
    private static final Duration RAN = Duration.ofMillis(5);
    private static final Throwable CAUSE = new IllegalArgumentException("fails");

    /** SLF4J gives substitutes while another thread sets it up. */
    private static Logger logger(String name) {
        Background.until(() -> LoggerFactory.getILoggerFactory() instanceof LoggerContext);
        return ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(name);
    }

    /** A logger of its own for every test, which writes to a list. */
    private static ListAppender<ILoggingEvent> listen(String name) {
        Logger logger = logger(name);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.setAdditive(false);
        logger.setLevel(Level.DEBUG);
        logger.addAppender(lines);
        return lines;
    }

    private static String newName() {
        return "test." + UUID.randomUUID();
    }

    static Stream<Arguments> levels() {
        return Stream.of(
                Arguments.of(Level.WARN, new Event.ItemLost("mail", "item")),
                Arguments.of(Level.WARN, new Event.ItemFailed("mail", "item", CAUSE, true, RAN)),
                Arguments.of(Level.WARN, new Event.ItemExpired("mail", "item", false)),
                Arguments.of(Level.WARN, new Event.WorkerThreadReplaced("mail-0", CAUSE)),
                Arguments.of(Level.WARN, new Event.WorkerExpired(new UUID(0, 1))),
                Arguments.of(Level.INFO, new Event.ItemLeaked("mail", "item", Leak.REAR, null)),
                Arguments.of(Level.INFO, new Event.WorkersChanged("mail", 1, 2, 3)),
                Arguments.of(Level.INFO, new Event.WorkerStarted("mail", 1)),
                Arguments.of(Level.INFO, new Event.WorkerSlept("mail", 1)),
                Arguments.of(Level.INFO, new Event.WorkerWoken("mail", 1)),
                Arguments.of(Level.INFO, new Event.WorkerStopped("mail", 1)),
                Arguments.of(Level.INFO, new Event.WorkerRegistered(new UUID(0, 1), "name")),
                Arguments.of(Level.INFO, new Event.WorkerLeft(new UUID(0, 1))),
                Arguments.of(Level.DEBUG, new Event.ItemPut("mail", "item", "lane")),
                Arguments.of(Level.DEBUG, new Event.ItemDelayed("mail", "item", RAN)),
                Arguments.of(Level.DEBUG, new Event.ItemPulled("mail", "item", null)),
                Arguments.of(Level.DEBUG, new Event.ItemHandled("mail", "item", RAN)),
                Arguments.of(Level.DEBUG, new Event.ItemRetried("mail", "item", 1, RAN, CAUSE, RAN)),
                Arguments.of(Level.DEBUG, new Event.TopicPaused("mail")));
    }

    @ParameterizedTest
    @MethodSource("levels")
    void each_event_is_one_line_of_its_level(Level level, Event event) {
        String name = newName();
        ListAppender<ILoggingEvent> lines = listen(name);
        new LoggingObserver(name).on(event);
        assertThat(lines.list).hasSize(1);
        ILoggingEvent line = lines.list.get(0);
        assertThat(line.getLevel()).isEqualTo(level);
        assertThat(line.getFormattedMessage()).isEqualTo(event.toString());
        assertThat(line.getLoggerName()).isEqualTo(name);
    }

    @Test
    void a_queue_is_logged_as_it_works() throws Exception {
        String name = newName();
        ListAppender<ILoggingEvent> lines = listen(name);
        try (WorkQueue<String> queue = WorkQueue.<String>builder()
                .name("mail")
                .capacity(1)
                .workers(1)
                .observer(new LoggingObserver(name))
                .handler(item -> {
                    throw new IllegalArgumentException("fails");
                })
                .build()) {
            queue.put("letter");
        }
        List<ILoggingEvent> all = List.copyOf(lines.list);
        assertThat(all)
                .allSatisfy(line -> assertThat(line.getFormattedMessage()).contains("mail"));
        assertThat(all.stream().filter(line -> line.getLevel() == Level.WARN))
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.getFormattedMessage()).contains("ItemFailed", "letter", "fails");
                });
        assertThat(all.stream()
                        .filter(line -> line.getLevel() == Level.DEBUG)
                        .map(line -> line.getFormattedMessage().replaceAll("\\[.*", "")))
                .containsExactlyInAnyOrder("ItemPut", "ItemPulled");
    }

    @Test
    void without_a_name_it_logs_as_the_events_of_millrace() {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger logger = logger("io.millrace.events");
        logger.addAppender(lines);
        Event event = new Event.ItemLost("a queue of this test only", "item");
        new LoggingObserver().on(event);
        logger.detachAppender(lines);
        assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage).contains(event.toString());
        new Refusal(() -> new LoggingObserver(null), "logger", "null", "it is required").check();
    }
}
