package io.millrace.testkit.mutants;

import static io.millrace.spi.CompletionResult.Status.APPLIED;
import static io.millrace.spi.CompletionResult.Status.LEASE_LOST;
import static io.millrace.spi.CompletionResult.Status.REPEATED;

import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerStanding;
import java.util.function.UnaryOperator;

/** Every fault, with the test of the contract whose name says what it breaks. */
public enum Mutant {
    // enqueue
    TAKES_DUPLICATES_FOR_NEW(EnqueueMutants.TakesDuplicatesForNew::new, "a_known_id_is_a_duplicate"),
    IGNORES_UNIQUE_KEYS(EnqueueMutants.IgnoresUniqueKeys::new, "a_unique_key_is_held_while_its_task_is"),
    IGNORES_THE_CAPACITY(EnqueueMutants.IgnoresTheCapacity::new, "a_full_topic_takes_nothing_more"),
    COUNTS_DUPLICATES(EnqueueMutants.CountsDuplicates::new, "duplicates_do_not_count_towards_a_capacity"),
    STORES_WHAT_FITS_OF_A_REQUEST(
            EnqueueMutants.StoresWhatFitsOfARequest::new, "a_request_that_does_not_fit_as_a_whole_leaves_nothing"),
    REFUSES_ALL_AFTER_A_FULL_REQUEST(
            EnqueueMutants.RefusesAllAfterAFullRequest::new, "a_refused_request_does_not_hurt_its_neighbours"),
    FORGETS_DELAYS(EnqueueMutants.ForgetsDelays::new, "a_scheduled_task_is_not_handed_out_before_it_is_due"),
    FORGETS_PRIORITIES(EnqueueMutants.ForgetsPriorities::new, "a_lower_priority_number_comes_first"),
    FORGETS_DEADLINES(
            EnqueueMutants.ForgetsDeadlines::new, "a_task_whose_deadline_has_passed_is_handed_out_to_be_ended"),
    TAKES_OVERDUE_TASKS_FOR_DUPLICATES(
            EnqueueMutants.TakesOverdueTasksForDuplicates::new,
            "the_key_of_an_overdue_task_is_free_when_that_one_has_ended"),
    IS_FULL_OF_OVERDUE_TASKS(EnqueueMutants.IsFullOfOverdueTasks::new, "overdue_tasks_make_room_when_they_have_ended"),
    FORGETS_THAT_A_PAYLOAD_IS_JSON(EnqueueMutants.ForgetsThatAPayloadIsJson::new, "every_field_comes_back_as_given"),
    WAITS_FOR_ONE_ARRIVAL_ONLY(EnqueueMutants.WaitsForOneArrivalOnly::new, "the_last_arrival_releases_the_task"),
    HAS_ONE_TIME_TO_RUN_FOR_ALL(
            EnqueueMutants.HasOneTimeToRunForAll::new, "the_tasks_own_time_to_run_comes_before_the_policys"),
    PROMOTES_ON_CLAIM_ONLY(
            EnqueueMutants.PromotesOnClaimOnly::new,
            "a_scheduled_task_is_ready_when_it_is_due_with_no_call_in_between"),

    // claim
    HANDS_OUT_A_TASK_TWICE(ClaimMutants.HandsOutATaskTwice::new, "each_task_goes_to_one_worker_only"),
    COMES_LAST_IN_FIRST_OUT(ClaimMutants.ComesLastInFirstOut::new, "tasks_come_first_in_first_out"),
    GIVES_ONE_TOO_MANY(ClaimMutants.GivesOneTooMany::new, "no_more_than_the_most_wanted_are_given"),
    IGNORES_THE_CONCURRENCY(
            ClaimMutants.IgnoresTheConcurrency::new, "no_more_run_at_once_than_the_concurrency_over_all_workers"),
    IGNORES_THE_RATE(ClaimMutants.IgnoresTheRate::new, "after_a_quiet_time_the_rate_lets_a_burst_through_and_no_more"),
    IGNORES_SHARES(ClaimMutants.IgnoresShares::new, "every_topic_gives_its_share_first"),
    STOPS_AT_THE_SHARES(
            ClaimMutants.StopsAtTheShares::new, "what_is_left_after_the_shares_comes_in_the_order_of_the_topics"),
    DOES_NOT_TELL_WHEN_THE_NEXT_IS_DUE(
            ClaimMutants.DoesNotTellWhenTheNextIsDue::new, "next_due_is_when_the_first_scheduled_task_is"),
    HIDES_WHAT_IS_OVERDUE(
            ClaimMutants.HidesWhatIsOverdue::new, "a_task_whose_deadline_has_passed_is_handed_out_to_be_ended"),
    IGNORES_THE_ORDER(ClaimMutants.IgnoresTheOrder::new, "the_oldest_of_all_topics_come_by_priority_and_age"),
    COUNTS_FROM_THE_CLAIM(
            ClaimMutants.CountsFromTheClaim::new, "where_time_counts_from_the_start_a_lease_has_no_end_before_it"),
    SERVES_THE_DEAD(
            store -> new ClaimMutants.ServesAlso(WorkerStanding.EXPIRED, store), "an_expired_worker_gets_nothing"),
    SERVES_THE_STOPPING(
            store -> new ClaimMutants.ServesAlso(WorkerStanding.STOPPING, store),
            "a_worker_that_was_asked_to_stop_gets_nothing"),
    SERVES_STRANGERS(
            store -> new ClaimMutants.ServesAlso(WorkerStanding.UNKNOWN, store), "an_unknown_worker_gets_nothing"),
    HAS_ONE_TOKEN_FOR_ALL(ClaimMutants.HasOneTokenForAll::new, "attempts_count_up_and_tokens_are_never_the_same"),

    // fence
    IGNORES_THE_TOKEN(FenceMutants.IgnoresTheToken::new, "a_wrong_token_changes_nothing"),
    IGNORES_THE_WORKER(FenceMutants.IgnoresTheWorker::new, "the_report_of_another_worker_changes_nothing"),
    IGNORES_THE_ATTEMPT(FenceMutants.IgnoresTheAttempt::new, "a_stale_lease_changes_nothing"),
    IGNORES_THE_REAPER(FenceMutants.IgnoresTheReaper::new, "a_report_after_the_reaper_took_the_lease_changes_nothing"),
    LETS_THE_DEAD_REPORT(FenceMutants.LetsTheDeadReport::new, "an_expired_worker_can_report_nothing"),
    APPLIES_A_REPORT_TWICE(
            store -> new FenceMutants.Confuses(REPEATED, APPLIED, store),
            "the_same_report_again_is_repeated_and_changes_nothing"),
    TAKES_ANY_REPORT_FOR_A_REPETITION(
            store -> new FenceMutants.Confuses(LEASE_LOST, REPEATED, store),
            "another_report_for_the_same_attempt_has_lost_its_lease"),
    GIVES_UP_AT_THE_FIRST_STALE_REPORT(
            FenceMutants.GivesUpAtTheFirstStaleReport::new, "a_stale_report_does_not_hurt_its_neighbours"),

    TAKES_ANOTHER_WORKERS_REPORT_FOR_A_REPETITION(
            FenceMutants.TakesAnotherWorkersReportForARepetition::new,
            "the_report_of_another_worker_after_the_end_has_lost_its_lease"),

    // complete
    COUNTS_WHAT_WAS_NOT_STARTED(
            CompletionMutants.CountsWhatWasNotStarted::new, "a_lease_given_up_before_the_start_is_no_attempt"),
    RETRIES_THE_REDRIVEN(ChangeMutants.RetriesTheRedriven::new, "a_redriven_task_cannot_be_retried"),
    LOSES_SPAWNED(CompletionMutants.LosesSpawned::new, "spawned_tasks_come_in_with_the_completion"),
    LOSES_ARRIVALS(CompletionMutants.LosesArrivals::new, "the_last_arrival_releases_the_task"),
    ARRIVES_AGAIN_WHEN_REPEATED(
            CompletionMutants.ArrivesAgainWhenRepeated::new, "a_repeated_completion_does_not_arrive_again"),
    RELEASES_TWICE(CompletionMutants.ReleasesTwice::new, "a_task_is_released_only_once"),
    FORGETS_HOW_LONG_TO_KEEP(CompletionMutants.ForgetsHowLongToKeep::new, "a_task_can_end_as"),
    KEEPS_WHAT_IS_NOT_TO_BE_KEPT(
            CompletionMutants.KeepsWhatIsNotToBeKept::new, "a_task_without_retention_is_gone_at_once"),
    DROPS_RESULTS(CompletionMutants.DropsResults::new, "the_result_is_kept"),
    FORGETS_ATTEMPTS(CompletionMutants.ForgetsAttempts::new, "every_attempt_is_recorded"),
    KEEPS_EVERY_ATTEMPT(CompletionMutants.KeepsEveryAttempt::new, "of_very_many_attempts_the_last_are_kept"),
    KEEPS_LONG_ERRORS(CompletionMutants.KeepsLongErrors::new, "of_many_long_errors_the_last_are_kept"),
    DROPS_THE_NEWEST_ATTEMPT(
            CompletionMutants.DropsTheNewestAttempt::new, "the_error_that_ends_a_task_takes_the_place_of_older_ones"),
    FORGETS_ERRORS(CompletionMutants.ForgetsErrors::new, "every_attempt_is_recorded"),
    RUNS_ON_THOUGH_ASKED_TO_STOP(
            CompletionMutants.RunsOnThoughAskedToStop::new,
            "a_task_marked_to_stop_ends_as_its_completion_says_for_that_case"),
    RETRIES_AT_ONCE(CompletionMutants.RetriesAtOnce::new, "a_requeue_with_delay_makes_the_task_wait_for_its_time"),
    COUNTS_RELEASES_AS_RETRIES(CompletionMutants.CountsReleasesAsRetries::new, "a_requeue_is_counted_as_what_it_is"),

    // leases and workers
    NEVER_TAKES_A_LEASE_AWAY(LeaseMutants.NeverTakesALeaseAway::new, "the_lease_of_a_worker_not_heard_of_is_lost"),
    TAKES_AWAY_MORE_THAN_ASKED_FOR(
            LeaseMutants.TakesAwayMoreThanAskedFor::new, "no_more_leases_are_handed_out_than_asked_for"),
    TAKES_LOSSES_FOR_OVERRUNS(LeaseMutants.TakesLossesForOverruns::new, "who_is_dead_did_not_work_too_long"),
    SHOWS_THE_REAPER_AS_THE_HOLDER(
            LeaseMutants.ShowsTheReaperAsTheHolder::new, "the_lease_of_a_worker_not_heard_of_is_lost"),
    HAS_NO_GRACE(LeaseMutants.HasNoGrace::new, "a_lease_that_its_worker_does_not_know_of_is_given_up_after_a_grace"),
    DOES_NOT_LISTEN_TO_WHAT_IS_HELD(
            LeaseMutants.DoesNotListenToWhatIsHeld::new, "a_worker_is_told_which_tasks_it_has_lost"),
    FORGETS_WHOSE_A_WORKER_IS(LeaseMutants.ForgetsWhoseAWorkerIs::new, "a_worker_keeps_its_owner_whatever_it_serves"),
    HAS_ROOM_FOR_ANY_NUMBER_OF_WORKERS(
            LeaseMutants.HasRoomForAnyNumberOfWorkers::new, "no_owner_can_take_all_the_room_there_is_for_workers"),
    IGNORES_EXTENSIONS(LeaseMutants.IgnoresExtensions::new, "an_extension_moves_the_end_of_the_time_to_run"),
    IGNORES_PROGRESS(LeaseMutants.IgnoresProgress::new, "progress_is_kept"),
    KEEPS_STALE_PROGRESS(LeaseMutants.KeepsStaleProgress::new, "progress_of_a_stale_lease_is_not_kept"),
    DOES_NOT_HEAR_WHAT_WAS_STARTED(
            LeaseMutants.DoesNotHearWhatWasStarted::new, "the_time_to_run_begins_when_the_worker_names_the_task"),
    TAKES_EVERY_LEASE_FOR_AN_ATTEMPT(
            LeaseMutants.TakesEveryLeaseForAnAttempt::new, "what_its_worker_left_before_the_start_was_not_started"),
    DOES_NOT_TELL_WHAT_IS_TO_STOP(
            LeaseMutants.DoesNotTellWhatIsToStop::new, "a_worker_is_told_which_tasks_are_to_stop"),
    DOES_NOT_STOP_WORKERS(LeaseMutants.DoesNotStopWorkers::new, "a_worker_asked_to_stop_is_told_with_its_heartbeat"),
    KEEPS_THE_LEASES_OF_THOSE_THAT_LEFT(
            LeaseMutants.KeepsTheLeasesOfThoseThatLeft::new, "the_leases_of_a_worker_that_left_are_given_up_at_once"),

    // queries
    PAGES_SKIP_A_TASK(QueryMutants.PagesSkipATask::new, "pages_follow_each_other_without_gaps"),
    PAGES_REPEAT_A_TASK(QueryMutants.PagesRepeatATask::new, "pages_follow_each_other_without_gaps"),
    TAKES_ANY_CURSOR(QueryMutants.TakesAnyCursor::new, "a_foreign_cursor_is_refused"),
    DOES_NOT_COUNT_THE_RUNNING(QueryMutants.DoesNotCountTheRunning::new, "counts_follow_what_happens_to_a_task"),
    COUNTS_WITHOUT_FILTERS(QueryMutants.CountsWithoutFilters::new, "tasks_are_found_by_entity"),
    TAKES_THE_NEWEST_FOR_THE_OLDEST(
            QueryMutants.TakesTheNewestForTheOldest::new, "the_oldest_ready_task_of_each_topic_is_told"),
    READS_ON_FOR_NOBODY(QueryMutants.ReadsOnForNobody::new, "a_read_that_nobody_wants_any_more_is_cancelled"),
    LOOKS_AT_THE_FIRST_TAG_ONLY(
            QueryMutants.LooksAtTheFirstTagOnly::new, "tasks_are_found_by_any_leading_part_of_their_scope"),
    LOOKS_AT_THE_CASE_OF_ERRORS(
            QueryMutants.LooksAtTheCaseOfErrors::new, "tasks_are_found_by_a_part_of_any_error_in_any_case"),

    // changes
    DOES_NOT_MARK_THE_RUNNING(ChangeMutants.DoesNotMarkTheRunning::new, "a_running_task_is_only_marked_to_stop"),
    CANCELS_WITHOUT_THE_POLICY(
            ChangeMutants.CancelsWithoutThePolicy::new, "a_cancelled_task_is_kept_as_its_topics_policy_says"),
    DELETES_WHAT_IS_TO_BE_CANCELLED(
            ChangeMutants.DeletesWhatIsToBeCancelled::new, "a_cancelled_task_ends_at_once_if_it_was"),
    SAYS_THAT_A_TAKEN_KEY_IS_FREE(
            ChangeMutants.SaysThatATakenKeyIsFree::new, "a_retry_is_refused_while_another_holds_the_unique_key"),
    DOES_NOT_RESCHEDULE(ChangeMutants.DoesNotReschedule::new, "a_ready_task_can_be_put_off"),
    CHANGES_ALL_IN_ONE_STEP(ChangeMutants.ChangesAllInOneStep::new, "a_change_by_query_goes_in_bounded_steps"),
    CHANGES_ONLY_THE_FIRST_STEP(
            ChangeMutants.ChangesOnlyTheFirstStep::new, "the_steps_reach_every_task_once_whatever_the_change"),
    KEEPS_WHAT_IS_PAST_ITS_RETENTION(
            ChangeMutants.KeepsWhatIsPastItsRetention::new, "what_is_past_its_retention_can_be_deleted"),

    // records
    LETS_THE_LAST_WRITE_WIN(RecordMutants.LetsTheLastWriteWin::new, "a_write_of_another_version_changes_nothing"),
    REMOVES_ANY_VERSION(RecordMutants.RemovesAnyVersion::new, "a_removal_of_another_version_changes_nothing"),
    USES_VERSIONS_AGAIN(RecordMutants.UsesVersionsAgain::new, "a_version_is_never_used_twice_for_a_key"),
    LISTS_IN_NO_ORDER(RecordMutants.ListsInNoOrder::new, "entries_are_listed_by_prefix_in_the_order_of_their_keys"),
    TAKES_A_PREFIX_FOR_A_PATTERN(RecordMutants.TakesAPrefixForAPattern::new, "a_prefix_is_not_a_pattern"),

    // wake-ups
    IS_SILENT_ON_ENQUEUES(WakeUpMutants.IsSilentOnEnqueues::new, "a_task_that_comes_in_ready_is_told"),
    IS_SILENT_ON_COMPLETIONS(WakeUpMutants.IsSilentOnCompletions::new, "a_released_task_is_told"),
    IS_SILENT_ON_CHANGES(WakeUpMutants.IsSilentOnChanges::new, "a_task_retried_by_hand_is_told"),
    IS_SILENT_ON_RECORDS(WakeUpMutants.IsSilentOnRecords::new, "a_changed_record_is_told");

    /** A constructor, and so as good as immutable. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final UnaryOperator<TaskStore> fault;

    private final String caughtBy;

    Mutant(UnaryOperator<TaskStore> fault, String caughtBy) {
        this.fault = fault;
        this.caughtBy = caughtBy;
    }

    /** A store that has this fault and is right otherwise. */
    public TaskStore of(TaskStore store) {
        return fault.apply(store);
    }

    /** The name of a test that must fail. */
    String caughtBy() {
        return caughtBy;
    }
}
