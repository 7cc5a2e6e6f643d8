package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.InvalidValueException;
import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.server.AccessKey;
import io.millrace.server.Role;
import io.millrace.testkit.client.MillraceFixture;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Keys, and where they are given. */
class AccessTest {
    private final AccessKey.Generated admin = AccessKey.generate("admin", Role.ADMIN, Set.of());
    private final AccessKey.Generated producer = AccessKey.generate("producer", Role.PRODUCER, Set.of("mine"));
    private final AccessKey.Generated worker = AccessKey.generate("worker", Role.WORKER, Set.of());
    private final TestServer server = new TestServer("heap:", List.of(admin.key(), producer.key(), worker.key()));

    @AfterEach
    void close() {
        server.close();
    }

    private Millrace open(String key) {
        return Millrace.open(
                server.url(), MillraceFixture.quick().accessKey(key).build());
    }

    @Test
    void a_wrong_key_is_told_when_it_is_opened() {
        assertThatThrownBy(() -> open("wrong"))
                .isInstanceOfSatisfying(
                        AccessDeniedException.class,
                        e -> assertThat(e.isKeyKnown()).isFalse());
    }

    @Test
    void no_key_is_told_when_it_is_opened() {
        assertThatThrownBy(() ->
                        Millrace.open(server.url(), MillraceFixture.quick().build()))
                .isInstanceOf(AccessDeniedException.class);
    }

    @Test
    void a_key_opens_what_its_role_may_do() {
        try (Millrace client = open(producer.secret())) {
            assertThat(client.enqueue(NewTask.builder("mine").build()).duplicate())
                    .isFalse();
            assertThatThrownBy(() -> client.enqueue(NewTask.builder("yours").build()))
                    .isInstanceOfSatisfying(
                            AccessDeniedException.class,
                            e -> assertThat(e.isKeyKnown()).isTrue());
            assertThatThrownBy(() -> client.topics().pause("mine")).isInstanceOf(AccessDeniedException.class);
            assertThatThrownBy(() -> client.handle("mine", (payload, context) -> {}))
                    .isInstanceOf(AccessDeniedException.class);
        }
    }

    @Test
    void a_worker_needs_no_more_than_a_workers_key() throws Exception {
        try (Millrace client = open(worker.secret());
                Millrace manager = open(admin.secret())) {
            client.handle("t", (payload, context) -> {});
            UUID id = manager.enqueue(NewTask.builder("t").build()).id();

            assertThat(manager.finished(id).get(60, TimeUnit.SECONDS).state()).isEqualTo(TaskState.SUCCEEDED);
            assertThat(manager.stream(TaskQuery.ALL)).hasSize(1);
        }
    }

    @Test
    void a_key_in_the_url_is_refused_and_not_repeated() {
        for (String url : List.of("http://secret@127.0.0.1:1", "http://a:secret@h", "http://h/?key=secret")) {
            assertThatThrownBy(() -> Millrace.open(url))
                    .isInstanceOfSatisfying(
                            InvalidValueException.class,
                            e -> assertThat(e.field()).isEqualTo("url"))
                    .hasMessageNotContaining("secret");
        }
    }

    @Test
    void a_key_that_no_header_can_carry_is_refused_and_not_repeated() {
        assertThatThrownBy(() -> MillraceOptions.builder().accessKey("sec\nret"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageNotContaining("sec\nret");
    }
}
