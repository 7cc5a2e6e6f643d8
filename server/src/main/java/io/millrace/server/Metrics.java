package io.millrace.server;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.Event;
import io.millrace.Event.BatchDone;
import io.millrace.Observer;
import io.millrace.Outcome;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.Worker;
import io.millrace.spi.LocalBackend;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/** What happens, as numbers for Prometheus. Counters and times come from events, depths from the store when asked. */
final class Metrics implements Observer {
    /** Each topic costs some forty series; beyond this many, topics are counted together. */
    private static final int MOST_TOPICS = 500;

    private static final String OTHERS = "(others)";
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Duration.ofMinutes(30)
    };

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final LocalBackend local;
    private final Set<String> shown = ConcurrentHashMap.newKeySet();
    private final Map<String, TopicMeters> topics = new ConcurrentHashMap<>();
    private final Map<BatchDone.Call, BatchMeters> batches = new EnumMap<>(BatchDone.Call.class);
    private final MultiGauge depth = MultiGauge.builder("millrace.tasks")
            .description("Tasks by topic and state")
            .register(registry);
    private final AtomicReference<Double> workers = new AtomicReference<>(0.0);
    private final Counter workersLost;

    Metrics(LocalBackend local) {
        this.local = local;
        for (BatchDone.Call call : BatchDone.Call.values()) {
            batches.put(call, new BatchMeters(call));
        }
        Gauge.builder("millrace.workers", workers, AtomicReference::get)
                .description("Workers that are alive")
                .register(registry);
        workersLost = Counter.builder("millrace.workers.lost")
                .description("Workers that were not heard of in time")
                .register(registry);
    }

    /** The meters of one topic. */
    private final class TopicMeters {
        private final Counter enqueued;
        private final Counter duplicates;
        private final Counter leaked;
        private final Counter expired;
        private final Timer wait;
        private final Timer run;
        private final Map<Outcome, Counter> attempts = new EnumMap<>(Outcome.class);

        TopicMeters(String topic) {
            enqueued = counter("millrace.enqueued", "Tasks taken in", topic);
            duplicates = counter("millrace.duplicates", "Tasks that were there already", topic);
            leaked = counter("millrace.leaked", "Tasks that a full topic sent to its dead-letter topic", topic);
            expired = counter("millrace.expired", "Tasks whose deadline passed before a worker took them", topic);
            wait = timer("millrace.wait", "From when a task may run until a worker has it", topic);
            run = timer(
                    "millrace.run",
                    "How long handlers run, or from the claim to the report where a worker does not say",
                    topic);
            for (Outcome outcome : Outcome.values()) {
                attempts.put(
                        outcome,
                        Counter.builder("millrace.attempts")
                                .description("Attempts that ended, by outcome")
                                .tag("topic", topic)
                                .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                                .register(registry));
            }
        }

        private Counter counter(String name, String description, String topic) {
            return Counter.builder(name)
                    .description(description)
                    .tag("topic", topic)
                    .register(registry);
        }

        private Timer timer(String name, String description, String topic) {
            return Timer.builder(name)
                    .description(description)
                    .tag("topic", topic)
                    .serviceLevelObjectives(BUCKETS)
                    .register(registry);
        }
    }

    /** The meters of one kind of call of the store. */
    private final class BatchMeters {
        private final Timer took;
        private final DistributionSummary size;

        BatchMeters(BatchDone.Call call) {
            String name = call.name().toLowerCase(Locale.ROOT);
            took = Timer.builder("millrace.store")
                    .description("How long a call of the store takes")
                    .tag("call", name)
                    .serviceLevelObjectives(BUCKETS)
                    .register(registry);
            size = DistributionSummary.builder("millrace.batch.size")
                    .description("How many tasks a call of the store is about")
                    .tag("call", name)
                    .serviceLevelObjectives(1, 2, 5, 10, 50, 100, 500, 1_000)
                    .register(registry);
        }
    }

    private TopicMeters topic(String topic) {
        TopicMeters meters = topics.get(topic);
        return meters == null ? topics.computeIfAbsent(shownAs(topic), TopicMeters::new) : meters;
    }

    /** The first topics that are seen have series of their own, and keep them. */
    private String shownAs(String topic) {
        if (shown.contains(topic)) {
            return topic;
        }
        if (shown.size() < MOST_TOPICS) {
            shown.add(topic);
            return topic;
        }
        return OTHERS;
    }

    @Override
    public void on(Event event) {
        if (event instanceof Event.TaskEnqueued e) {
            topic(e.task().topic()).enqueued.increment();
        } else if (event instanceof Event.TaskClaimed e) {
            claimed(e.task());
        } else if (event instanceof Event.AttemptEnded e) {
            TopicMeters meters = topic(e.task().topic());
            Counter attempts = meters.attempts.get(e.outcome());
            if (attempts != null) {
                attempts.increment();
            }
            if (e.outcome() != Outcome.RELEASED && e.outcome() != Outcome.LOST) {
                meters.run.record(e.ran());
            }
        } else if (event instanceof BatchDone e) {
            BatchMeters meters = batches.get(e.call());
            if (meters != null) {
                meters.took.record(e.took());
                meters.size.record(e.size());
            }
        } else if (event instanceof Event.TaskDuplicate e) {
            topic(e.task().topic()).duplicates.increment();
        } else if (event instanceof Event.TaskLeaked e) {
            topic(e.task().topic()).leaked.increment();
        } else if (event instanceof Event.TaskExpired e) {
            topic(e.task().topic()).expired.increment();
        } else if (event instanceof Event.WorkerExpired) {
            workersLost.increment();
        }
    }

    private void claimed(Task task) {
        Task.Hold hold = task.hold();
        if (hold != null) {
            Duration waited = Duration.between(task.moments().due(), hold.since());
            topic(task.topic()).wait.record(waited.isNegative() ? Duration.ZERO : waited);
        }
    }

    /** Everything as text; asks the store, and may wait. */
    synchronized String scrape(BooleanSupplier wanted) {
        record Series(String topic, TaskState state) {}
        Map<Series, Long> depths = new LinkedHashMap<>();
        for (TaskCount count : local.count(TaskQuery.ALL, wanted)) {
            depths.merge(new Series(shownAs(count.topic()), count.state()), count.count(), Long::sum);
        }
        depth.register(
                depths.entrySet().stream()
                        .map(entry -> MultiGauge.Row.of(
                                Tags.of(
                                        "topic",
                                        entry.getKey().topic,
                                        "state",
                                        entry.getKey().state.name()),
                                entry.getValue()))
                        .toList(),
                true);
        long alive = local.workers().list().stream()
                .filter(worker -> worker.status() != Worker.Status.EXPIRED)
                .count();
        workers.set((double) alive);
        return registry.scrape();
    }
}
