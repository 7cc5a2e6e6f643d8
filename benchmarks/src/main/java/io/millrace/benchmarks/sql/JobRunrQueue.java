package io.millrace.benchmarks.sql;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.testkit.servers.DatabaseProduct;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.mariadb.MariaDbStorageProvider;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.JsonMapper;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;

/**
 * JobRunr, with requests instead of lambdas, which it would have to take apart. It keeps a job that is done for a day and a
 * half. It polls every five seconds, the least that it allows, but a worker that is done looks for more at once.
 */
public final class JobRunrQueue implements SqlQueue {
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);

    private final HikariDataSource pool;
    private final int workers;
    private final JsonMapper json = new Jackson3JsonMapper();
    private final StorageProvider storage;
    private final JobRequestScheduler scheduler;

    /** One job. */
    public static final class Task implements JobRequest {
        private String payload = "";

        /** For JSON. */
        Task() {}

        Task(byte[] payload) {
            this.payload = new String(payload, StandardCharsets.ISO_8859_1);
        }

        @Override
        public Class<TaskHandler> getJobRequestHandler() {
            return TaskHandler.class;
        }
    }

    /** Hands jobs over. */
    public static final class TaskHandler implements JobRequestHandler<Task> {
        private final Consumer<byte[]> handler;

        TaskHandler(Consumer<byte[]> handler) {
            this.handler = handler;
        }

        @Override
        public void run(Task task) {
            handler.accept(task.payload.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    /** Gives all jobs the same handler. */
    private record Activator(TaskHandler handler) implements JobActivator {
        @Override
        public <T> T activateJob(Class<T> type) {
            return type.cast(handler);
        }
    }

    public JobRunrQueue(DatabaseProduct product, String url, int connections, int workers) throws SQLException {
        this.workers = workers;
        pool = switch (product) {
            case POSTGRES -> Pools.open(url, connections, "reWriteBatchedInserts=true");
            // It takes this driver for an old one and insists on the first option, which the driver does not show
            // because
            // it is the default; but the driver shows options that it does not know.
            case MARIADB -> Pools.open(url, connections, "jobrunr.useBulkStmts=false", "useBulkStmtsForInserts=true");
        };
        storage = switch (product) {
            case POSTGRES -> new PostgresStorageProvider(pool);
            case MARIADB -> new MariaDbStorageProvider(pool);
        };
        storage.setJobMapper(new JobMapper(json));
        scheduler = new JobRequestScheduler(storage);
    }

    @Override
    public void enqueue(byte[] payload) {
        scheduler.enqueue(new Task(payload));
    }

    @Override
    public void enqueueAll(List<byte[]> payloads) {
        scheduler.enqueue(payloads.stream().map(Task::new));
    }

    @Override
    public Duration drain(int tasks, Consumer<byte[]> handler) throws Exception {
        Handled handled = new Handled(tasks, handler);
        BackgroundJobServer server = new BackgroundJobServer(
                storage,
                json,
                new Activator(new TaskHandler(handled)),
                BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                        .andPollInterval(POLL_INTERVAL)
                        .andWorkerCount(workers));
        try {
            server.start();
            handled.awaitDone(pool, "select 1 from jobrunr_jobs where state in ('ENQUEUED', 'PROCESSING') limit 1");
            // It lets a second pass before it looks for the first ones.
            return Duration.ofNanos(System.nanoTime() - handled.firstNanos());
        } finally {
            server.stop();
        }
    }

    @Override
    public void close() {
        storage.close();
        pool.close();
    }
}
