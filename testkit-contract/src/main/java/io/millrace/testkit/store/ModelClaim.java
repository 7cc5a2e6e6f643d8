package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TaskState;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.ClaimRequest.TimeFrom;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.WorkerStanding;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Follows what was handed out, if the choice was right: how many of each topic, and none before its turn. */
final class ModelClaim {
    private final Model model;
    private final Set<String> tokens = new HashSet<>();

    ModelClaim(Model model) {
        this.model = model;
    }

    void check(List<ClaimRequest> requests, List<ClaimResult> results) {
        assertThat(results).hasSameSizeAs(requests);
        for (int i = 0; i < requests.size(); i++) {
            check(requests.get(i), results.get(i));
        }
    }

    private void check(ClaimRequest request, ClaimResult result) {
        model.seen(request.worker(), result.worker());
        if (result.worker() != WorkerStanding.ALIVE) {
            assertThat(result).isEqualTo(ClaimResult.refused(result.worker()));
            return;
        }
        Map<String, Integer> expected = numbers(request);
        for (FromTopic from : request.topics()) {
            List<LeasedTask> leased = result.tasks().stream()
                    .filter(task -> task.task().topic().equals(from.topic()))
                    .toList();
            assertThat(leased).as("leased of %s", from.topic()).hasSize(expected.getOrDefault(from.topic(), 0));
            checkTurns(leased);
        }
        boolean wantsMore = result.tasks().size() < request.max();
        result.tasks().forEach(leased -> follow(leased, request));
        result.overdue().forEach(leased -> {
            assertThat(model.existing(leased.task().id()).isPastDeadline(model.now))
                    .as("%s is overdue", leased)
                    .isTrue();
            follow(leased, request);
        });
        if (wantsMore && request.topics().stream().noneMatch(from -> from.concurrency() != null)) {
            checkNothingIsLeft(request, result);
        }
    }

    /** How many tasks each topic has to give. */
    private Map<String, Integer> numbers(ClaimRequest request) {
        Map<String, Integer> numbers = new HashMap<>();
        int left = request.max();
        for (boolean sharesOnly : List.of(true, false)) {
            for (FromTopic from : request.topics()) {
                int had = numbers.getOrDefault(from.topic(), 0);
                int wanted = sharesOnly ? Math.min(left, from.share()) : left;
                int given = Math.max(0, Math.min(wanted, available(from) - had));
                numbers.put(from.topic(), had + given);
                left -= given;
            }
        }
        return numbers;
    }

    private int available(FromTopic from) {
        long ready = candidates(from.topic()).size();
        Integer concurrency = from.concurrency();
        long room = concurrency == null
                ? Long.MAX_VALUE
                : Math.max(0, concurrency - model.count(from.topic(), TaskState.RUNNING));
        return (int) Math.min(ready, room);
    }

    private List<ModelTask> candidates(String topic) {
        return model.tasks.stream()
                .filter(task -> task.given.topic().equals(topic))
                .filter(task -> task.isReady(model.now) && !task.isPastDeadline(model.now))
                .toList();
    }

    /** Nobody stands before one that was taken, but those that were taken before it. */
    private void checkTurns(List<LeasedTask> leased) {
        Set<ModelTask> taken = new HashSet<>();
        for (LeasedTask each : leased) {
            ModelTask chosen = model.existing(each.task().id());
            List<ModelTask> candidates = candidates(chosen.given.topic());
            assertThat(candidates).as("%s can be claimed", chosen.given).contains(chosen);
            assertThat(candidates)
                    .as("candidates with an earlier turn than %s", chosen.given)
                    .noneMatch(other -> !taken.contains(other) && hasEarlierTurn(other, chosen, candidates));
            assertThat(taken.add(chosen)).as("%s is leased once", chosen.given).isTrue();
        }
    }

    private static boolean hasEarlierTurn(ModelTask one, ModelTask other, List<ModelTask> inOrderOfCreation) {
        int urgency = Integer.compare(one.given.priority(), other.given.priority());
        return urgency < 0
                || (urgency == 0
                        && one.standsBefore(other, inOrderOfCreation.indexOf(one), inOrderOfCreation.indexOf(other)));
    }

    private void follow(LeasedTask leased, ClaimRequest request) {
        ModelTask task = model.existing(leased.task().id());
        Duration own = task.given.timeout();
        Duration timeToRun = own == null ? from(task, request).policy().timeout() : own;
        assertThat(leased.lease().worker()).isEqualTo(request.worker());
        assertThat(leased.lease().attempt()).isEqualTo(task.attempts + 1);
        assertThat(tokens.add(leased.lease().token())).as("the token is new").isTrue();
        assertThat(leased.timeToRun()).isEqualTo(timeToRun);
        TimeFrom from = task.isPastDeadline(model.now) ? TimeFrom.CLAIM : request.timeFrom();
        task.lease(leased.lease(), timeToRun, from, model.now);
        task.compareWith(leased.task(), model.now);
    }

    private static FromTopic from(ModelTask task, ClaimRequest request) {
        return request.topics().stream()
                .filter(from -> from.topic().equals(task.given.topic()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(task.given + " is of a topic that was not asked for"));
    }

    private void checkNothingIsLeft(ClaimRequest request, ClaimResult result) {
        List<ModelTask> asked = model.tasks.stream()
                .filter(task ->
                        request.topics().stream().anyMatch(from -> from.topic().equals(task.given.topic())))
                .toList();
        assertThat(asked).as("no task is left that is ready").noneMatch(task -> task.isReady(model.now));
        Instant next = asked.stream()
                .filter(task -> task.state(model.now) == TaskState.SCHEDULED)
                .map(task -> task.due)
                .min(Comparator.naturalOrder())
                .orElse(null);
        assertThat(result.nextDue()).as("next due").isEqualTo(next);
    }
}
