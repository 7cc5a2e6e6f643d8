package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Rate;
import io.millrace.TopicPolicy;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many tasks a claim gives: what was asked for, shares, concurrency and rate. */
abstract class ClaimLimitsContract extends StoreGroup {
    private static final TopicPolicy TWO_AT_ONCE =
            TopicPolicy.builder().concurrency(2).build();

    /** One every two seconds, with bursts of five. */
    private static final TopicPolicy FIVE_IN_TEN_SECONDS =
            TopicPolicy.builder().rate(new Rate(5, Duration.ofSeconds(10))).build();

    @Test
    void no_more_than_the_most_wanted_are_given() {
        addSome(5);

        assertThat(claim(worker(), 3).tasks()).hasSize(3);
    }

    @Test
    void every_topic_gives_its_share_first() {
        addTo(TOPIC, 10);
        addTo(OTHER, 10);

        ClaimResult result = claim(worker(), 5, share(TOPIC, 2), share(OTHER, 3));

        assertThat(topics(result)).containsExactlyInAnyOrder(TOPIC, TOPIC, OTHER, OTHER, OTHER);
    }

    @Test
    void what_is_left_after_the_shares_comes_in_the_order_of_the_topics() {
        addTo(TOPIC, 4);
        addTo(OTHER, 10);

        ClaimResult result = claim(worker(), 7, share(TOPIC, 1), share(OTHER, 1));

        assertThat(topics(result)).containsExactlyInAnyOrder(TOPIC, TOPIC, TOPIC, TOPIC, OTHER, OTHER, OTHER);
    }

    @Test
    void a_share_that_is_not_used_goes_to_the_other_topics() {
        addTo(TOPIC, 1);
        addTo(OTHER, 10);

        ClaimResult result = claim(worker(), 6, share(TOPIC, 3), share(OTHER, 3));

        assertThat(topics(result)).containsExactlyInAnyOrder(TOPIC, OTHER, OTHER, OTHER, OTHER, OTHER);
    }

    @Test
    void where_not_all_shares_fit_the_first_topics_come_first() {
        addTo(TOPIC, 5);
        addTo(OTHER, 5);

        ClaimResult result = claim(worker(), 4, share(TOPIC, 3), share(OTHER, 3));

        assertThat(topics(result)).containsExactlyInAnyOrder(TOPIC, TOPIC, TOPIC, OTHER);
    }

    @Test
    void the_order_within_a_topic_holds_over_its_share_and_the_rest() {
        List<UUID> ids = addTo(TOPIC, 4);
        addTo(OTHER, 1);

        ClaimResult result = claim(worker(), 10, share(TOPIC, 2), share(OTHER, 2));

        assertThat(ids(result).stream().filter(ids::contains)).containsExactlyElementsOf(ids);
    }

    @Test
    void no_more_run_at_once_than_the_concurrency_over_all_workers() {
        addSome(5);

        assertThat(claim(worker(), 1, from(TOPIC, TWO_AT_ONCE)).tasks()).hasSize(1);
        assertThat(claim(worker(), 5, from(TOPIC, TWO_AT_ONCE)).tasks()).hasSize(1);
        assertThat(claim(worker(), 5, from(TOPIC, TWO_AT_ONCE)).tasks()).isEmpty();
    }

    @Test
    void a_task_that_ends_or_is_requeued_makes_room_for_another() {
        addSome(5);
        UUID worker = worker();
        List<LeasedTask> leased = claim(worker, 5, from(TOPIC, TWO_AT_ONCE)).tasks();

        succeed(leased.get(0));
        assertThat(claim(worker, 5, from(TOPIC, TWO_AT_ONCE)).tasks()).hasSize(1);

        apply(Reports.requeue(leased.get(1).lease(), Next.Reason.RETRY, MINUTE));
        assertThat(claim(worker, 5, from(TOPIC, TWO_AT_ONCE)).tasks()).hasSize(1);
    }

    @Test
    void the_concurrency_of_one_topic_does_not_hold_another_back() {
        addTo(TOPIC, 5);
        addTo(OTHER, 5);

        ClaimResult result = claim(worker(), 10, from(TOPIC, TWO_AT_ONCE), from(OTHER));

        assertThat(topics(result)).hasSize(7).filteredOn(TOPIC::equals).hasSize(2);
    }

    @Test
    void many_who_claim_at_once_do_not_exceed_the_concurrency() {
        addSome(50);

        List<Integer> claimed = Together.run(
                4,
                number -> () ->
                        claim(worker(), 2, from(TOPIC, TWO_AT_ONCE)).tasks().size());

        assertThat(claimed.stream().mapToInt(Integer::intValue).sum()).isEqualTo(2);
    }

    @Test
    void after_a_quiet_time_the_rate_lets_a_burst_through_and_no_more() {
        addSome(20);

        assertThat(claimAtRate(20)).hasSize(5);
        assertThat(claimAtRate(20)).isEmpty();
    }

    @Test
    void after_a_burst_the_rate_lets_tasks_through_evenly() {
        addSome(20);
        claimAtRate(20);

        for (int i = 0; i < 5; i++) {
            advance(Duration.ofMillis(1_990));
            assertThat(claimAtRate(20)).as("a little too early").isEmpty();
            advance(Duration.ofMillis(10));
            assertThat(claimAtRate(20)).as("in time").hasSize(1);
        }
    }

    @Test
    void what_the_rate_has_not_used_adds_up_to_a_burst_at_most() {
        addSome(30);
        claimAtRate(30);

        advance(Duration.ofSeconds(6));
        assertThat(claimAtRate(30)).hasSize(3);

        advance(Duration.ofHours(1));
        assertThat(claimAtRate(30)).hasSize(5);
    }

    @Test
    void next_due_tells_when_the_rate_lets_another_through() {
        addSome(20);
        UUID worker = worker();
        claim(worker, 5, from(TOPIC, FIVE_IN_TEN_SECONDS));

        Instant due = claim(worker, 5, from(TOPIC, FIVE_IN_TEN_SECONDS)).nextDue();

        assertThat(due).isEqualTo(now().plusSeconds(2));
    }

    @Test
    void the_rate_counts_over_all_workers_and_for_each_topic_alone() {
        addTo(TOPIC, 10);
        addTo(OTHER, 10);

        assertThat(claim(worker(), 4, from(TOPIC, FIVE_IN_TEN_SECONDS)).tasks()).hasSize(4);
        assertThat(claim(worker(), 4, from(TOPIC, FIVE_IN_TEN_SECONDS)).tasks()).hasSize(1);
        assertThat(claim(worker(), 4, from(OTHER, FIVE_IN_TEN_SECONDS)).tasks()).hasSize(4);
    }

    @Test
    void over_any_time_the_rate_is_kept() {
        addSome(500);
        Random chance = new Random(4);
        List<Instant> starts = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            advance(Duration.ofMillis(chance.nextInt(4_000)));
            Instant now = now();
            claimAtRate(1 + chance.nextInt(4)).forEach(id -> starts.add(now));
        }

        for (int first = 0; first < starts.size(); first++) {
            for (int last = first; last < starts.size(); last++) {
                long span =
                        Duration.between(starts.get(first), starts.get(last)).toMillis();
                assertThat(last - first + 1L).as("starts in %d ms", span).isLessThanOrEqualTo(5 + span / 2_000);
            }
        }
    }

    private List<UUID> claimAtRate(int max) {
        return ids(claim(worker(), max, from(TOPIC, FIVE_IN_TEN_SECONDS)));
    }

    private static FromTopic share(String topic, int share) {
        return new FromTopic(topic, share, TopicPolicy.DEFAULT);
    }

    private List<UUID> addTo(String topic, int number) {
        return IntStream.range(0, number).mapToObj(i -> add(task(topic))).toList();
    }

    private static List<String> topics(ClaimResult result) {
        return result.tasks().stream().map(leased -> leased.task().topic()).toList();
    }
}
