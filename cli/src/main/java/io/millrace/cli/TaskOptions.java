package io.millrace.cli;

import io.millrace.NewTask;
import io.millrace.OnTimeout;
import io.millrace.Payload;
import io.millrace.Retry;
import io.millrace.wire.Durations;
import io.millrace.wire.JsonOut;
import io.millrace.wire.WireException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is said of one new task besides its topic and payload. */
final class TaskOptions {
    @Option(names = "--text", description = "The payload as any text, which becomes a JSON string.")
    private @Nullable String text;

    @Option(names = "--bytes", paramLabel = "FILE", description = "The payload as the bytes of a file.")
    private @Nullable Path bytes;

    @Option(names = "--id", paramLabel = "UUID", description = "An id of your own; the same again is a duplicate.")
    private @Nullable UUID id;

    @Option(names = "--delay", paramLabel = "DURATION", description = "Run it after this time, such as 5m.")
    private @Nullable String delay;

    @Option(names = "--run-at", paramLabel = "TIME", description = "Run it at this time: 2030-01-02T03:04:05Z.")
    private @Nullable String runAt;

    @Option(
            names = "--deadline",
            paramLabel = "WHEN",
            description = "Not started by then, it expires; a time, or a duration from now.")
    private @Nullable String deadline;

    @Option(names = "--priority", paramLabel = "NUMBER", description = "Lower runs first. Default: 100")
    private int priority = NewTask.DEFAULT_PRIORITY;

    @Option(names = "--timeout", paramLabel = "DURATION", description = "Time-to-run. Default: the topic's")
    private @Nullable String timeout;

    @Option(
            names = "--on-timeout",
            paramLabel = "WHAT",
            completionCandidates = Choices.OnTimeouts.class,
            description = "When its time-to-run is over: ${COMPLETION-CANDIDATES}. Default: the topic's")
    private @Nullable OnTimeout onTimeout;

    @Option(
            names = "--retries",
            paramLabel = "NUMBER",
            description = "Retries after 20 s, 40 s, 80 s and so on. Default: the topic's")
    private @Nullable Integer retries;

    @Option(
            names = "--unique-key",
            paramLabel = "KEY",
            description = "While it is pending, no other task of the topic is taken with this key.")
    private @Nullable String uniqueKey;

    @Option(names = "--entity-id", paramLabel = "ID", description = "To find it by.")
    private @Nullable String entityId;

    @Option(
            names = "--scope",
            paramLabel = "TAG",
            description = "To find it by, from general to particular; repeat it.")
    private List<String> scope = List.of();

    NewTask task(String topic, @Nullable String json) throws IOException {
        NewTask.Builder task =
                NewTask.builder(topic).payload(payload(json)).priority(priority).scope(scope);
        if (id != null) {
            task.id(id);
        }
        if (delay != null) {
            task.delay(Arguments.duration("--delay", delay));
        }
        if (runAt != null) {
            task.runAt(Arguments.time("--run-at", runAt));
        }
        if (deadline != null) {
            setDeadline(task, deadline);
        }
        if (timeout != null) {
            task.timeout(Arguments.duration("--timeout", timeout));
        }
        if (onTimeout != null) {
            task.onTimeout(onTimeout);
        }
        if (retries != null) {
            task.retry(Retry.DEFAULT.max(retries));
        }
        if (uniqueKey != null) {
            task.uniqueKey(uniqueKey);
        }
        if (entityId != null) {
            task.entityId(entityId);
        }
        return task.build();
    }

    private Payload payload(@Nullable String json) throws IOException {
        if ((json == null ? 0 : 1) + (text == null ? 0 : 1) + (bytes == null ? 0 : 1) > 1) {
            throw new UsageException("give one payload: PAYLOAD, --text or --bytes");
        }
        if (json != null) {
            return Arguments.json("PAYLOAD", json);
        }
        if (text != null) {
            return Payload.json(new JsonOut().value(text).toBytes());
        }
        return bytes == null ? Payload.EMPTY : Payload.bytes(Files.readAllBytes(bytes));
    }

    private static void setDeadline(NewTask.Builder task, String text) {
        try {
            task.deadline(Durations.parse(text));
        } catch (WireException e) {
            task.deadline(Arguments.time("--deadline", text));
        }
    }
}
