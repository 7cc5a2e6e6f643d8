package io.millrace.sql;

import io.millrace.NewTask;
import io.millrace.Payload;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads and writes what a task was given. */
final class TaskReader {
    static final String COLUMNS = Table.TASK.columnNames();

    private final Lanes lanes;

    TaskReader(Lanes lanes) {
        this.lanes = lanes;
    }

    /** A task with its row. */
    record Found(TaskRow row, NewTask given) {}

    Found read(Row row) throws SQLException {
        long num = row.number();
        UUID id = row.id();
        int lane = row.smallNumber();
        int priority = row.smallNumber();
        long created = row.number();
        Long deadline = row.numberOrNull();
        Long timeout = row.numberOrNull();
        Payload payload = FinishedRow.payload(row);
        String entity = row.textOrNull();
        String scope = row.textOrNull();
        String key = row.textOrNull();
        String settings = row.textOrNull();
        Lane known = lanes.byId(lane);
        NewTask.Builder task = NewTask.builder(known.topic()).id(id).priority(priority);
        task.payload(payload == null ? Payload.EMPTY : payload);
        if (timeout != null) {
            task.timeout(Duration.ofMillis(timeout));
        }
        if (entity != null) {
            task.entityId(entity);
        }
        if (scope != null) {
            task.scope(tags(scope));
        }
        if (key != null) {
            task.uniqueKey(key);
        }
        SettingsText.read(settings, task);
        return new Found(new TaskRow(num, id, lane, priority, created, deadline, timeout, key), task.build());
    }

    /** Tags as a path: a leading part of a scope is a leading part of its path. */
    static String path(List<String> scope) {
        return scope.stream()
                .map(tag -> tag.replace("\\", "\\\\").replace("/", "\\/") + "/")
                .collect(Collectors.joining());
    }

    private static List<String> tags(String path) {
        List<String> tags = new ArrayList<>();
        StringBuilder tag = new StringBuilder();
        for (int i = 0; i < path.length(); i++) {
            char character = path.charAt(i);
            if (character == '/') {
                tags.add(tag.toString());
                tag.setLength(0);
            } else {
                tag.append(character == '\\' ? path.charAt(++i) : character);
            }
        }
        return tags;
    }

    static @Nullable Object[] values(long num, int lane, long created, @Nullable Long deadline, NewTask task) {
        Duration timeout = task.timeout();
        return new Object[] {
            num,
            task.id(),
            lane,
            task.priority(),
            created,
            deadline,
            timeout == null ? null : timeout.toMillis(),
            task.payload().isJson(),
            task.payload().toBytes(),
            task.entityId(),
            task.scope().isEmpty() ? null : path(task.scope()),
            task.uniqueKey(),
            SettingsText.of(task)
        };
    }
}
