package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.InvalidValueException;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.Page;
import io.millrace.Payload;
import io.millrace.Retry;
import io.millrace.TaskQuery;
import io.millrace.wire.TaskView;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServerViewsTest {
    private final TestServer server = new TestServer("heap:");
    private final ServerViews views = ServerViews.of(server.url(), MillraceOptions.DEFAULT);

    @AfterEach
    void close() {
        views.close();
        server.close();
    }

    private UUID enqueued() {
        NewTask task = NewTask.builder("mail")
                .payload(Payload.json("1"))
                .retry(Retry.DEFAULT.max(3))
                .build();
        return server.millrace().enqueue(task).id();
    }

    @Test
    void a_task_comes_with_what_the_server_says_of_it() {
        UUID id = enqueued();

        TaskView view = views.task(id).orElseThrow();

        assertThat(view.retriesLeft()).isEqualTo(3);
        assertThat(view.why()).isNotBlank();
        assertThat(views.task(new UUID(1, 1))).isEmpty();
    }

    @Test
    void lists_come_in_pages_with_or_without_payloads() {
        UUID first = enqueued();
        var unused = enqueued();

        Page<TaskView> whole = views.tasks(TaskQuery.ALL, null, 1, true);
        Page<TaskView> summary = views.tasks(TaskQuery.ALL, whole.next(), 10, false);

        assertThat(whole.items()).singleElement().satisfies(view -> {
            assertThat(view.task().id()).isEqualTo(first);
            assertThat(view.task().payload().text()).isEqualTo("1");
        });
        assertThat(summary.next()).isNull();
        assertThat(summary.items())
                .singleElement()
                .satisfies(view -> assertThat(view.task().payload().size()).isZero());
    }

    @Test
    void topics_and_workers_are_those_of_the_server() {
        var unused = enqueued();

        assertThat(views.topics())
                .singleElement()
                .satisfies(view -> assertThat(view.topic().name()).isEqualTo("mail"));
        assertThat(views.topic("other").topic().depth()).isEmpty();
        assertThat(views.workers()).isEmpty();
    }

    @Test
    void only_servers_have_views() {
        assertThatThrownBy(() -> ServerViews.of("heap:", MillraceOptions.DEFAULT))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("http");
    }
}
