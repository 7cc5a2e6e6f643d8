package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Limits;
import io.millrace.TooManyWorkersException;
import io.millrace.Worker;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Renewal;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.spi.WorkerStanding;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Workers come, show that they live, and go. */
abstract class WorkerContract extends StoreGroup {
    private static final Duration TOO_LONG = MINUTE.plusSeconds(1);
    private static final Duration NOT_TOO_LONG = MINUTE.minusSeconds(1);

    @Test
    void a_worker_is_listed_as_it_introduced_itself() {
        UUID id = store.workers().register(new Introduction("name", "host", Set.of(TOPIC, OTHER)), MINUTE);

        assertThat(store.workers().list())
                .containsExactly(new Worker(
                        id, "name", "host", Set.of(TOPIC, OTHER), "", Worker.Status.ACTIVE, now(), now(), 0));
    }

    @Test
    void a_worker_keeps_its_owner_whatever_it_serves() {
        UUID owned = store.workers().register(new Introduction("", "", Set.of(TOPIC), "owner", false), MINUTE);

        store.workers().serve(owned, Set.of(OTHER));

        assertThat(readWorker(owned).owner()).isEqualTo("owner");
        assertThat(store.workers().find(owned)).isEqualTo(readWorker(owned));
    }

    @Test
    void a_worker_is_found_with_what_it_runs() {
        UUID worker = worker();
        running(worker);
        running(worker);

        Worker found = store.workers().find(worker);

        assertThat(found).isNotNull().isEqualTo(readWorker(worker));
        assertThat(found.running()).isEqualTo(2);
        assertThat(store.workers().find(UUID.randomUUID())).isNull();
    }

    @Test
    void no_owner_can_take_all_the_room_there_is_for_workers() {
        Introduction large = new Introduction("", "", longTopics(), "hoarder", false);
        UUID small = store.workers().register(large.serving(Set.of()), MINUTE);
        int most = (int) (Limits.WORKER_BYTES / 2 / large.size());
        for (int i = 0; i < most; i++) {
            var unused = store.workers().register(large, MINUTE);
        }

        assertThatThrownBy(() -> store.workers().register(large, MINUTE))
                .isInstanceOf(TooManyWorkersException.class)
                .hasMessageContaining("hoarder");
        assertThatThrownBy(() -> store.workers().serve(small, large.topics()))
                .isInstanceOf(TooManyWorkersException.class);
        assertThat(readWorker(small).topics()).isEmpty();
        assertThat(store.workers().list()).hasSize(most + 1);
        UUID other = store.workers().register(new Introduction("", "", longTopics(), "other", false), MINUTE);
        assertThat(readWorker(other).owner()).isEqualTo("other");
    }

    @Test
    void expired_workers_make_room_for_new_ones_and_own_workers_need_none() {
        Introduction large = new Introduction("", "", longTopics(), "", false);
        for (int i = 0; i < Limits.WORKER_BYTES / large.size(); i++) {
            var unused = store.workers().register(large, MINUTE);
        }
        assertThatThrownBy(() -> store.workers().register(large, MINUTE)).isInstanceOf(TooManyWorkersException.class);
        UUID own = store.workers().register(new Introduction("", "", longTopics(), "", true), FOREVER);

        advance(TOO_LONG);
        UUID late = store.workers().register(large, MINUTE);

        assertThat(store.workers().list()).extracting(Worker::id).containsExactlyInAnyOrder(own, late);
    }

    private static Set<String> longTopics() {
        return IntStream.range(0, Limits.WORKER_TOPICS)
                .mapToObj(i -> "t".repeat(Limits.TOPIC_LENGTH - 4) + String.format(Locale.ROOT, "%04d", i))
                .collect(Collectors.toSet());
    }

    @Test
    void a_worker_can_serve_other_topics_than_it_said_before() {
        UUID id = store.workers().register(new Introduction("name", "host", Set.of(TOPIC)), MINUTE);

        store.workers().serve(id, Set.of(OTHER, "third"));
        assertThat(readWorker(id).topics()).containsExactlyInAnyOrder(OTHER, "third");
        assertThat(readWorker(id).name()).isEqualTo("name");

        store.workers().serve(id, Set.of());
        assertThat(readWorker(id).topics()).isEmpty();
    }

    @Test
    void the_topics_of_one_that_is_not_alive_do_not_change() {
        UUID expired = store.workers().register(new Introduction("name", "host", Set.of(TOPIC)), MINUTE);
        advance(TOO_LONG);

        store.workers().serve(expired, Set.of(OTHER));
        store.workers().serve(UUID.randomUUID(), Set.of(OTHER));

        assertThat(readWorker(expired).topics()).containsExactly(TOPIC);
        assertThat(readWorker(expired).status()).isEqualTo(Worker.Status.EXPIRED);
    }

    @Test
    void every_registration_is_a_worker_of_its_own() {
        UUID first = worker();
        UUID second = worker();

        assertThat(store.workers().list()).extracting(Worker::id).containsExactlyInAnyOrder(first, second);
    }

    @Test
    void a_worker_is_listed_with_what_it_runs() {
        UUID worker = worker();
        LeasedTask leased = running(worker);
        running(worker);
        assertThat(readWorker(worker).running()).isEqualTo(2);

        succeed(leased);

        assertThat(readWorker(worker).running()).isEqualTo(1);
    }

    @Test
    void a_worker_not_heard_of_has_expired() {
        UUID worker = mortal(MINUTE);

        advance(TOO_LONG);

        assertThat(readWorker(worker).status()).isEqualTo(Worker.Status.EXPIRED);
        assertThat(renew(worker).worker()).isEqualTo(WorkerStanding.EXPIRED);
        assertThat(readWorker(worker).status())
                .as("a late sign does not revive it")
                .isEqualTo(Worker.Status.EXPIRED);
    }

    @Test
    void an_expired_worker_stays_listed_for_an_hour() {
        UUID worker = mortal(MINUTE);

        advance(Duration.ofMinutes(59));

        assertThat(readWorker(worker).status()).isEqualTo(Worker.Status.EXPIRED);
    }

    @Test
    void a_worker_that_lived_long_stays_listed_as_long() {
        UUID worker = mortal(MINUTE);
        for (int i = 0; i < 5 * 60; i++) {
            advance(MINUTE.minusSeconds(1));
            renew(worker);
        }

        advance(Duration.ofHours(4));

        assertThat(readWorker(worker).status()).isEqualTo(Worker.Status.EXPIRED);
    }

    @Test
    void a_worker_long_expired_is_forgotten() {
        mortal(MINUTE);

        advance(Duration.ofHours(3));

        assertThat(store.workers().list()).isEmpty();
    }

    @Test
    void a_heartbeat_is_a_sign_of_life() {
        assertSignOfLife(this::renew);
    }

    @Test
    void a_claim_is_a_sign_of_life() {
        assertSignOfLife(worker -> claim(worker, 1));
    }

    @Test
    void new_topics_are_a_sign_of_life() {
        assertSignOfLife(worker -> store.workers().serve(worker, Set.of(OTHER)));
    }

    @Test
    void reaping_is_a_sign_of_life() {
        assertSignOfLife(worker -> store.claimExpired(worker, 1));
    }

    @Test
    void a_report_is_a_sign_of_life() {
        UUID worker = mortal(MINUTE);
        LeasedTask leased = running(worker);
        advance(NOT_TOO_LONG);

        succeed(leased);

        advance(NOT_TOO_LONG);
        assertThat(renew(worker).worker()).isEqualTo(WorkerStanding.ALIVE);
    }

    @Test
    void a_sign_of_life_is_listed() {
        UUID worker = worker();
        var start = now();
        advance(MINUTE);

        renew(worker);

        assertThat(readWorker(worker).registeredAt()).isEqualTo(start);
        assertThat(readWorker(worker).lastSeenAt()).isEqualTo(now());
    }

    @Test
    void a_worker_asked_to_stop_is_told_with_its_heartbeat() {
        UUID worker = worker();

        assertThat(store.workers().requestStop(worker)).isTrue();

        assertThat(readWorker(worker).status()).isEqualTo(Worker.Status.STOPPING);
        assertThat(renew(worker).worker()).isEqualTo(WorkerStanding.STOPPING);
    }

    @Test
    void a_worker_asked_to_stop_can_still_expire() {
        UUID worker = mortal(MINUTE);
        store.workers().requestStop(worker);

        advance(TOO_LONG);

        assertThat(readWorker(worker).status()).isEqualTo(Worker.Status.EXPIRED);
        assertThat(renew(worker).worker()).isEqualTo(WorkerStanding.EXPIRED);
    }

    @Test
    void a_worker_that_left_is_not_listed() {
        UUID worker = worker();

        assertThat(store.workers().leave(worker)).isTrue();

        assertThat(store.workers().list()).isEmpty();
        assertThat(renew(worker).worker().isAlive()).isFalse();
    }

    @Test
    void who_is_not_there_can_neither_leave_nor_be_stopped() {
        UUID expired = mortal(MINUTE);
        UUID left = worker();
        store.workers().leave(left);
        advance(TOO_LONG);

        for (UUID worker : List.of(expired, left, UUID.randomUUID())) {
            assertThat(store.workers().leave(worker)).isFalse();
            assertThat(store.workers().requestStop(worker)).isFalse();
        }
    }

    @Test
    void a_stranger_is_told_that_it_is_unknown() {
        assertThat(renew(UUID.randomUUID()).worker()).isEqualTo(WorkerStanding.UNKNOWN);
    }

    private void assertSignOfLife(Consumer<UUID> sign) {
        UUID worker = mortal(MINUTE);
        for (int i = 0; i < 3; i++) {
            advance(NOT_TOO_LONG);
            sign.accept(worker);
        }

        assertThat(readWorker(worker).status()).isEqualTo(Worker.Status.ACTIVE);
        assertThat(renew(worker).worker()).isEqualTo(WorkerStanding.ALIVE);
    }

    private Renewal renew(UUID worker) {
        return store.workers().renew(Heartbeat.of(worker));
    }
}
