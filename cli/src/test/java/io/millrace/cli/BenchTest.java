package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.NewTask;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BenchTest {
    private final Served served = new Served();

    @AfterEach
    void close() {
        served.close();
    }

    private long pending() {
        return served.millrace().count(TaskQuery.ALL.pending()).stream()
                .mapToLong(TaskCount::count)
                .sum();
    }

    @Test
    void exactly_so_many_tasks_are_enqueued_and_measured() {
        Run run = served.run("bench", "--tasks", "95", "--callers", "3", "--batch", "10");

        assertThat(run.out())
                .containsPattern("^95 tasks in .* s: \\d+ a second \\(3 callers, 10 in a request\\)")
                .containsPattern("enqueue: p50 [\\d.]+ ms, p90 [\\d.]+ ms, p99 [\\d.]+ ms, max [\\d.]+ ms")
                .contains("#");
        assertThat(run.err()).contains("millrace tasks delete --topic bench");
        assertThat(pending()).isEqualTo(95);
    }

    @Test
    void with_a_worker_tasks_are_done_when_it_ends() {
        Run run = served.run("bench", "--tasks", "50", "--callers", "2", "--work", "--json");

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .startsWith("{\"tasks\":50,")
                .contains("\"enqueue\":{\"count\":50,", "\"life\":{\"count\":50,", "\"p99Micros\":");
        assertThat(pending()).isZero();
        assertThat(served.millrace().workers().list()).isEmpty();
    }

    @Test
    void tasks_of_others_are_not_taken() {
        var unused = served.millrace().enqueue(NewTask.builder("bench").build());

        Run run = served.run("bench", "--work");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run.err()).contains("topic bench has 1 pending");
        assertThat(pending()).isEqualTo(1);
    }

    @Test
    void bad_numbers_are_told() {
        Run run = served.run("bench", "--callers", "0");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("--callers: 0");
    }
}
