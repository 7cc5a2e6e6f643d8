package io.millrace.benchmarks.sql;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.jdbc.JdbcCustomization;
import com.github.kagkarlsson.scheduler.jdbc.MariaDBJdbcCustomization;
import com.github.kagkarlsson.scheduler.jdbc.PostgreSqlJdbcCustomization;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.TaskDescriptor;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.testkit.servers.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * db-scheduler, with what its documentation advises for many executions: on PostgreSQL it locks what it fetches, skipping what
 * is locked; for MariaDB it only has fetching, and a lock for each task. It removes a task that is done.
 */
public final class DbSchedulerQueue implements SqlQueue {
    private static final TaskDescriptor<byte[]> TASK = TaskDescriptor.of("bench", byte[].class);

    private final Dialect dialect;
    private final HikariDataSource pool;
    private final int workers;
    private final SchedulerClient client;
    private final String idPrefix = UUID.randomUUID() + "-";
    private final AtomicLong ids = new AtomicLong();

    public DbSchedulerQueue(DatabaseProduct product, String url, int connections, int workers) throws SQLException {
        this.workers = workers;
        dialect = Dialect.of(product);
        pool = Pools.open(url, connections, dialect.driverOption);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(dialect.table);
            statement.execute("create index execution_time_idx on scheduled_tasks(execution_time)");
            statement.execute("create index last_heartbeat_idx on scheduled_tasks(last_heartbeat)");
        }
        client = SchedulerClient.Builder.create(pool)
                .serializer(new Bytes())
                .jdbcCustomization(dialect.statements)
                .build();
    }

    /**
     * @param driverOption sends a batch of inserts as one
     * @param table as its documentation has it; there is one more index for priorities, which are not used here
     */
    private record Dialect(
            JdbcCustomization statements, boolean locksWhatItFetches, String driverOption, String table) {
        static Dialect of(DatabaseProduct product) {
            return switch (product) {
                case POSTGRES ->
                    new Dialect(new PostgreSqlJdbcCustomization(false, false), true, "reWriteBatchedInserts=true", """
                            create table scheduled_tasks(
                                task_name text not null,
                                task_instance text not null,
                                task_data bytea,
                                execution_time timestamptz not null,
                                picked boolean not null,
                                picked_by text,
                                last_success timestamptz,
                                last_failure timestamptz,
                                consecutive_failures int,
                                last_heartbeat timestamptz,
                                version bigint not null,
                                priority smallint,
                                primary key (task_name, task_instance))
                            """);
                case MARIADB -> new Dialect(new MariaDBJdbcCustomization(true), false, "useBulkStmts=true", """
                            create table scheduled_tasks(
                                task_name varchar(100) not null,
                                task_instance varchar(100) not null,
                                task_data blob,
                                execution_time timestamp(6) not null,
                                picked boolean not null,
                                picked_by varchar(50),
                                last_success timestamp(6) null,
                                last_failure timestamp(6) null,
                                consecutive_failures int,
                                last_heartbeat timestamp(6) null,
                                version bigint not null,
                                priority smallint,
                                primary key (task_name, task_instance))
                            """);
            };
        }
    }

    /** Payloads are bytes already. */
    private static final class Bytes implements Serializer {
        @Override
        public byte[] serialize(Object data) {
            return (byte[]) data;
        }

        @Override
        public <T> T deserialize(Class<T> type, byte[] data) {
            return type.cast(data);
        }
    }

    private TaskInstance<byte[]> instance(byte[] payload) {
        return TASK.instance(idPrefix + ids.incrementAndGet()).data(payload).build();
    }

    @Override
    public void enqueue(byte[] payload) {
        client.scheduleIfNotExists(instance(payload), Instant.now());
    }

    @Override
    public void enqueueAll(List<byte[]> payloads) {
        List<TaskInstance<?>> instances = new ArrayList<>(payloads.size());
        payloads.forEach(payload -> instances.add(instance(payload)));
        client.scheduleBatch(instances, Instant.now());
    }

    @Override
    public Duration drain(int tasks, Consumer<byte[]> handler) throws Exception {
        Handled handled = new Handled(tasks, handler);
        OneTimeTask<byte[]> task =
                Tasks.oneTime(TASK).execute((instance, context) -> handled.accept(instance.getData()));
        SchedulerBuilder builder = Scheduler.create(pool, task)
                .serializer(new Bytes())
                .jdbcCustomization(dialect.statements)
                .threads(workers)
                .pollingInterval(Duration.ofMillis(50))
                .enableImmediateExecution();
        if (dialect.locksWhatItFetches) {
            builder.pollUsingLockAndFetch(1.0, 4.0);
        }
        Scheduler scheduler = builder.build();
        try {
            long start = System.nanoTime();
            scheduler.start();
            handled.awaitDone(pool, "select 1 from scheduled_tasks limit 1");
            return Duration.ofNanos(System.nanoTime() - start);
        } finally {
            scheduler.stop();
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
