package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TaskQueryTest {
    private static final Instant NOON = Instant.parse("2030-06-01T12:00:00Z");

    @Test
    void filters_add_up() {
        TaskQuery query = TaskQuery.ALL
                .topic("email")
                .state(TaskState.FAILED, TaskState.EXPIRED)
                .scope("acme", "/room1")
                .entityId("customer-7")
                .heldBy(new UUID(1, 2))
                .createdAfter(NOON)
                .createdBefore(NOON.plusSeconds(1))
                .text("refused");
        assertThat(query)
                .isEqualTo(new TaskQuery(
                        "email",
                        Set.of(TaskState.EXPIRED, TaskState.FAILED),
                        List.of("acme", "/room1"),
                        "customer-7",
                        new UUID(1, 2),
                        NOON,
                        NOON.plusSeconds(1),
                        "refused"));
    }

    @Test
    void pending_is_four_states() {
        assertThat(TaskQuery.ALL.pending().states())
                .containsExactlyInAnyOrder(TaskState.WAITING, TaskState.SCHEDULED, TaskState.READY, TaskState.RUNNING);
    }

    @Test
    void a_query_with_any_filter_does_not_match_everything() {
        assertThat(TaskQuery.ALL.matchesEverything()).isTrue();
        assertThat(TaskQuery.ALL.topic("a").states(Set.of())).matches(query -> !query.matchesEverything());
        assertThat(everyFilter()).noneMatch(TaskQuery::matchesEverything);
    }

    @Test
    void only_topic_and_state_are_counted_without_a_look_at_tasks() {
        assertThat(TaskQuery.ALL.isByTopicAndStateOnly()).isTrue();
        assertThat(TaskQuery.ALL.topic("a").pending().isByTopicAndStateOnly()).isTrue();
        assertThat(everyFilter()
                        .filter(query -> query.topic() == null && query.states().isEmpty()))
                .hasSize(6)
                .noneMatch(TaskQuery::isByTopicAndStateOnly);
    }

    private static Stream<TaskQuery> everyFilter() {
        return Stream.of(
                TaskQuery.ALL.topic("a"),
                TaskQuery.ALL.state(TaskState.READY),
                TaskQuery.ALL.scope("a"),
                TaskQuery.ALL.entityId("a"),
                TaskQuery.ALL.heldBy(new UUID(1, 2)),
                TaskQuery.ALL.createdAfter(NOON),
                TaskQuery.ALL.createdBefore(NOON),
                TaskQuery.ALL.text("a"));
    }

    @Test
    void what_is_given_is_copied() {
        Set<TaskState> states = EnumSet.of(TaskState.READY);
        List<String> scope = new ArrayList<>(List.of("acme"));
        TaskQuery query = new TaskQuery(null, states, scope, null, null, null, null, null);
        states.add(TaskState.FAILED);
        scope.add("late");
        assertThat(query.states()).containsExactly(TaskState.READY).isUnmodifiable();
        assertThat(query.scope()).containsExactly("acme").isUnmodifiable();
    }

    @Test
    void the_last_error_of_a_task_is_that_of_the_last_attempt_that_had_one() {
        assertThat(withErrors().lastError()).isNull();
        assertThat(withErrors((String) null).lastError()).isNull();
        assertThat(withErrors("first", "second", null).lastError()).isEqualTo("second");
    }

    private static Task withErrors(String... errors) {
        List<Attempt> attempts = new ArrayList<>();
        for (String error : errors) {
            attempts.add(new Attempt(attempts.size() + 1, new UUID(0, 1), NOON, NOON, Outcome.FAILED, error));
        }
        return new Task(
                NewTask.builder("email").build(),
                TaskState.READY,
                new Task.Moments(NOON, NOON, null, null, null),
                new Task.Tally(attempts.size(), 0, 0, 0),
                null,
                attempts,
                null,
                null,
                false);
    }
}
