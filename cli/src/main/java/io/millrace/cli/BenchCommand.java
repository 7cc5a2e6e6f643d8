package io.millrace.cli;

import io.millrace.Millrace;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "bench",
        description = "Measure a server: enqueue tasks, and tell how fast it went.",
        footer = {
            "%nmillrace bench --callers 16 --batch 100 --tasks 100000",
            "millrace bench --work",
        })
final class BenchCommand extends ServerCommand {
    @Mixin
    private BenchPlan plan = new BenchPlan();

    BenchCommand(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() throws Exception {
        plan.check();
        BenchLoad load = new BenchLoad(plan);
        long nanos;
        try (ProgressBar progress = new ProgressBar(shell())) {
            nanos = plan.work() ? runWithWorker(load, progress) : load.run(this::open, progress);
        }
        double seconds = nanos / 1e9;
        if (isJson()) {
            printJson(out -> {
                out.startObject().field("tasks", plan.tasks()).field("seconds", seconds);
                out.field("rate", plan.tasks() / seconds);
                load.enqueues().write("enqueue", out);
                if (!load.lives().isEmpty()) {
                    load.lives().write("life", out);
                }
                out.endObject();
            });
        } else {
            print(load, seconds);
        }
        return ExitCode.OK;
    }

    private long runWithWorker(BenchLoad load, ProgressBar progress) throws Exception {
        try (Millrace worker = connection()
                .open(
                        shell(),
                        connection().options(shell()).workers(plan.threads()).workerName("millrace-bench"))) {
            checkUnused(worker);
            worker.handle(
                    plan.topic(),
                    (payload, context) -> load.handled(context.task().id()));
            return load.run(this::open, progress);
        }
    }

    /** The worker takes whatever the topic has, and somebody may need that. */
    private void checkUnused(Millrace millrace) {
        long pending = millrace.count(TaskQuery.ALL.topic(plan.topic()).pending()).stream()
                .mapToLong(TaskCount::count)
                .sum();
        if (pending > 0) {
            throw new FailedException("topic " + plan.topic() + " has " + pending
                    + " pending tasks, which --work would take; delete them or choose another topic");
        }
    }

    private void print(BenchLoad load, double seconds) {
        shell().out()
                .println(String.format(
                        Locale.ROOT,
                        "%d tasks in %.2f s: %.0f a second (%d callers, %d in a request)",
                        plan.tasks(),
                        seconds,
                        plan.tasks() / seconds,
                        plan.callers(),
                        plan.batch()));
        load.enqueues().print("enqueue", shell().out());
        if (!load.lives().isEmpty()) {
            load.lives().print("enqueue to end of handler", shell().out());
        }
        if (!plan.work()) {
            shell().err().println("The tasks are still there: millrace tasks delete --topic " + plan.topic());
        }
    }
}
