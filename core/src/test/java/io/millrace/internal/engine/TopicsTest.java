package io.millrace.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TopicPolicy;
import io.millrace.spi.Records;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicsTest {
    private static final TopicPolicy HEAVY = TopicPolicy.builder().weight(9).build();
    private static final TopicPolicy LIGHT = TopicPolicy.builder().weight(2).build();

    private final MapRecords records = new MapRecords();
    private final Topics topics = new Topics(records);

    @Test
    void a_topic_that_nobody_configured_has_the_default_policy() {
        assertThat(topics.policy("email")).isEqualTo(TopicPolicy.DEFAULT);
        assertThat(topics.isPaused("email")).isFalse();
        assertThat(topics.configured()).isEmpty();
    }

    @Test
    void a_policy_is_in_force_once_it_is_set() {
        topics.setPolicy("email", HEAVY);
        assertThat(topics.policy("email")).isEqualTo(HEAVY);
        assertThat(topics.policies()).isEqualTo(Map.of("email", HEAVY));
        assertThat(records.get("policy/email"))
                .map(Records.Entry::value)
                .map(TopicPolicy::parse)
                .contains(HEAVY);
        topics.setPolicy("email", LIGHT);
        assertThat(topics.policy("email")).isEqualTo(LIGHT);
    }

    @Test
    void a_policy_that_is_removed_gives_way_to_the_default() {
        topics.setPolicy("email", HEAVY);
        topics.setPolicy("email", null);
        assertThat(topics.policy("email")).isEqualTo(TopicPolicy.DEFAULT);
        assertThat(records.list("")).isEmpty();
        topics.setPolicy("email", null);
        assertThat(topics.policies()).isEmpty();
    }

    @Test
    void a_topic_can_be_paused_and_resumed() {
        topics.setPaused("email", true);
        topics.setPaused("email", true);
        assertThat(topics.isPaused("email")).isTrue();
        assertThat(topics.isPaused("email2")).isFalse();
        assertThat(topics.policy("email")).isEqualTo(TopicPolicy.DEFAULT);
        topics.setPaused("email", false);
        topics.setPaused("email", false);
        assertThat(topics.isPaused("email")).isFalse();
    }

    @Test
    void the_configured_topics_are_those_with_a_policy_or_a_pause() {
        topics.setPolicy("b", HEAVY);
        topics.setPaused("a", true);
        topics.setPaused("b", true);
        topics.setPolicy("c/d", LIGHT);
        assertThat(topics.configured()).containsExactly("a", "b", "c/d");
    }

    @Test
    void what_another_node_writes_is_known_after_a_refresh() {
        Topics other = new Topics(records);
        other.setPolicy("email", HEAVY);
        other.setPaused("post", true);
        assertThat(topics.policy("email")).isEqualTo(TopicPolicy.DEFAULT);
        topics.refresh();
        assertThat(topics.policy("email")).isEqualTo(HEAVY);
        assertThat(topics.isPaused("post")).isTrue();
        other.setPolicy("email", null);
        other.setPaused("post", false);
        topics.refresh();
        assertThat(topics.policy("email")).isEqualTo(TopicPolicy.DEFAULT);
        assertThat(topics.isPaused("post")).isFalse();
    }

    @Test
    void what_was_written_before_is_known_from_the_start() {
        topics.setPolicy("email", HEAVY);
        topics.setPaused("post", true);
        Topics late = new Topics(records);
        assertThat(late.policy("email")).isEqualTo(HEAVY);
        assertThat(late.isPaused("post")).isTrue();
    }

    @Test
    void a_policy_that_cannot_be_read_leaves_the_known_one_in_force() {
        topics.setPolicy("email", HEAVY);
        records.set("policy/email", "weight=on purpose no number");
        records.set("policy/post", "colour=blue, on purpose");
        records.set("policy/other", LIGHT.toString());
        topics.refresh();
        assertThat(topics.policy("email")).isEqualTo(HEAVY);
        assertThat(topics.policy("post")).isEqualTo(TopicPolicy.DEFAULT);
        assertThat(topics.policy("other")).as("its neighbours are read").isEqualTo(LIGHT);
    }

    @Test
    void a_policy_that_cannot_be_read_can_be_set_anew() {
        records.set("policy/email", "weight=on purpose no number");
        topics.setPolicy("email", LIGHT);
        assertThat(topics.policy("email")).isEqualTo(LIGHT);
        assertThat(new Topics(records).policy("email")).isEqualTo(LIGHT);
    }

    @Test
    void the_last_writer_wins_over_one_who_came_between() {
        records.beforeNextWrite(() -> records.set("policy/email", LIGHT.toString()));
        topics.setPolicy("email", HEAVY);
        assertThat(topics.policy("email")).isEqualTo(HEAVY);
        assertThat(records.writes()).isEqualTo(2);
    }

    @Test
    void a_removal_also_removes_what_came_between() {
        topics.setPolicy("email", HEAVY);
        int before = records.writes();
        records.beforeNextWrite(() -> records.set("policy/email", LIGHT.toString()));
        topics.setPolicy("email", null);
        assertThat(topics.policy("email")).isEqualTo(TopicPolicy.DEFAULT);
        assertThat(records.list("")).isEmpty();
        assertThat(records.writes() - before).isEqualTo(2);
    }

    @Test
    void a_removal_is_content_when_someone_else_removed_it_first() {
        topics.setPaused("email", true);
        records.beforeNextWrite(() -> records.unset("paused/email"));
        topics.setPaused("email", false);
        assertThat(topics.isPaused("email")).isFalse();
    }

    @Test
    void a_write_survives_that_the_entry_vanishes_under_it() {
        topics.setPolicy("email", LIGHT);
        records.beforeNextWrite(() -> records.unset("policy/email"));
        topics.setPolicy("email", HEAVY);
        assertThat(records.get("policy/email")).map(Records.Entry::value).contains(HEAVY.toString());
    }
}
