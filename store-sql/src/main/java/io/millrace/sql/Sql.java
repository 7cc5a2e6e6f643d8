package io.millrace.sql;

/**
 * All statements that are the same on every database; adding rows is in {@link Dialect#insert}, from the columns in
 * {@link Table}. The numbers of states are those of {@link Codes}.
 */
final class Sql {
    private Sql() {}

    // lanes

    static final String FIND_LANE = "select id from {p}lane where topic = ? and priority = ?";
    static final String ADD_LANE = "insert into {p}lane (topic, priority) values (?, ?)";
    static final String ALL_LANES = """
            select l.id, l.topic, l.priority, p.id
            from {p}lane l join {p}lane p on p.topic = l.topic and p.priority = 1099511627776
            """;

    static final String CURSORS = """
            select l.id, coalesce((select c.hi from {p}claimed c where c.lane = l.id order by c.hi desc limit 1), 0)
            from {p}lane l where l.id :in
            """;
    static final String LONG_CURSORS = "select lane, max(hi) from {p}claimed group by lane having count(*) > 10";
    static final String DELETE_CURSORS = "delete from {p}claimed where lane = ? and hi < ?";

    // enqueue

    static final String KNOWN_IDS = "select id from {p}task where id :in";
    static final String KEY_HOLDERS = """
            select k.unique_key, k.id, t.deadline
            from {p}unique_key k left join {p}task t on t.id = k.id
            where k.topic = ? and k.unique_key :in
            """;

    static final String LANES_OF_TOPIC =
            "select id from {p}lane where topic = ? and priority < 1099511627776 order by priority";
    static final String OVERDUE_READY =
            "select id from {p}task where lane = ? and num > ? and deadline < ? order by num limit ?";
    /** Scheduled, queued or returned. */
    static final String OVERDUE_ASIDES = "select " + Aside.COLUMNS
            + " from {p}aside where lane = ? and state >= 1 and state <= 3 and deadline < ? order by num limit ?";

    static final String DUE = """
            select num from {p}aside
            where lane = ? and state = 1 and due <= ?
            order by due, num limit 1000
            """;

    /**
     * For PostgreSQL: the conditions are looked at before the number is drawn, and so it is drawn under the lock
     * ({@link PostgresDialect#insertUnlessDue}). The first scheduled task of each lane is looked at, so that it does
     * not matter how many there are.
     */
    static final String BLOCK_UNLESS_DUE = """
            select nextval('{p}number') as number
            where (select count(*) from locked) > 0 and not exists (
                select 1 from {p}lane l
                where l.id :in
                    and (select a.due from {p}aside a where a.lane = l.id and a.state = 1 order by a.due limit 1) <= ?)
            """;

    static final String FIRST_DUE = "select due from {p}aside where lane = ? and state = 1 order by due limit 1";

    // claim

    /** Which lanes of some topics may have something, and when their first scheduled task is due. */
    static final String LANES_TO_CLAIM = """
            select l.id, l.topic, l.priority, p.id,
                (select a.due from {p}aside a where a.lane = l.id and a.state = 1 order by a.due limit 1),
                coalesce((select t.num from {p}task t where t.lane = l.id order by t.num desc limit 1), 0)
                    > coalesce((select c.hi from {p}claimed c where c.lane = l.id order by c.hi desc limit 1), 0)
                or exists (select 1 from {p}aside a where a.lane = l.id and a.state = 2)
                or exists (select 1 from {p}aside a where a.lane = l.id and a.state = 3)
            from {p}lane l join {p}lane p on p.topic = l.topic and p.priority = 1099511627776
            where l.topic :in and l.priority < 1099511627776
            order by l.priority
            """;

    static final String READY_TASKS =
            "select " + TaskReader.COLUMNS + " from {p}task where lane = ? and num > ? order by num limit ?";
    static final String QUEUED_ASIDES = "select " + Aside.COLUMNS
            + " from {p}aside where lane = ? and state = 2 and place > ? order by place limit ?";
    static final String RETURNED_ASIDES =
            "select " + Aside.COLUMNS + " from {p}aside where lane = ? and state = 3 order by place limit ?";
    static final String PACE = "select coalesce(pace, 0) from {p}lane where id = ?";
    static final String SET_PACE = "update {p}lane set pace = ? where id = ?";

    // tasks

    static final String TASKS = "(select " + TaskReader.COLUMNS + " from {p}task where lane = ? and num :in)";
    static final String TASK_ROWS = "(select " + TaskRow.COLUMNS + " from {p}task where lane = ? and num :in)";
    static final String TASKS_THERE = "(select num from {p}task where lane = ? and num :in)";
    static final String TASK_ROWS_BY_ID = "select " + TaskRow.COLUMNS + " from {p}task where id :in";
    static final String PLACES_BY_ID = "select lane, num from {p}task where id :in";
    static final String PARK_TASKS = "update {p}task{byKey} set lane = ? where lane = ? and num :in";
    static final String DELETE_TASKS = "{delete task num} and lane = ?";

    static final String ASIDES = "select " + Aside.COLUMNS + " from {p}aside where num :in";
    static final String LOCK_ASIDES = "select num from {p}aside{byKey} where num :in order by num for update";
    static final String DELETE_ASIDES = "{delete aside num}";

    /** The first row that ends at a task or behind it is the only one that can be about it. */
    static final String FINISHED_FROM = "(select " + FinishedRow.COLUMNS
            + " from {p}finished f where f.lane = ? and f.hi >= ? order by f.hi limit ?)";

    static final String ENDED_WITHIN =
            "(select lane, lo, hi, tasks from {p}finished where lane = ? and hi > ? and hi <= ?)";
    static final String ENDED_AROUND =
            "(select lane, lo, hi, tasks from {p}finished where lane = ? and hi > ? order by hi limit 1)";
    /** Beside those that have ended, for which there is no lane 0. */
    static final String ASIDES_AS_STRETCHES = "(select 0, num - 1, num, 1 from {p}aside where num > ? and num <= ?)";

    static final String REDUCE_FINISHED = "update {p}finished set tasks = tasks - ? where lane = ? and hi = ?";
    static final String DELETE_FINISHED = "delete from {p}finished where lane = ? and hi = ?";
    static final String PAST_RETENTION =
            "select lane, lo, hi, tasks from {p}finished where removal <= ? order by removal limit ?";
    /**
     * Of the tasks of a lane from one to another: how many there are, the sum of their numbers, behind which one some
     * have ended, who is aside.
     */
    static final String NEIGHBOURS = """
            select b.tasks, b.nums,
                (select f.lo from {p}finished f where f.lane = ? and f.hi >= ? order by f.hi limit 1),
                (select a.num from {p}aside a where a.num >= ? and a.num <= ? order by a.num limit 1)
            from (select count(*) as tasks, sum(num) as nums from {p}task where lane = ? and num >= ? and num <= ?) b
            """;

    static final String NUMS_OF_STRETCH =
            "select num from {p}task where lane = ? and num > ? and num <= ? order by num";
    static final String COUNT_STRETCH = "select count(*) from {p}task where lane = ? and num > ? and num <= ?";

    static final String ATTEMPTS = """
            select num, number, runner, since, ended, outcome, error
            from {p}attempt where num :in order by num, number
            """;
    static final String DELETE_ATTEMPTS = "{delete attempt num}";
    static final String DELETE_OLD_ATTEMPTS = "delete from {p}attempt where num = ? and number <= ?";
    static final String DELETE_KEY = "delete from {p}unique_key where topic = ? and unique_key = ? and id = ?";

    // leases

    /** What it gives is up to date, unlike what one statement reads of rows that it does not lock. */
    static final String LOCK_LEASES =
            "select " + LeaseRow.COLUMNS + " from {p}lease{byKey} where id :in order by id for update";

    static final String LEASES = "select " + LeaseRow.COLUMNS + " from {p}lease where id :in";
    static final String LEASES_OF_LANES = "select " + LeaseRow.COLUMNS + " from {p}lease where lane :in";
    static final String LEASES_OF_WORKER = "select " + LeaseRow.COLUMNS + " from {p}lease where worker = ?";
    static final String REDUCE_LEASE =
            "update {p}lease set remaining = remaining - ?, others = others + ? where id = ?";
    static final String DELETE_LEASES = "{delete lease id}";
    static final String TASK_ROWS_OF_STRETCH =
            "select " + TaskRow.COLUMNS + " from {p}task where lane = ? and num > ? and num <= ? order by num";

    // reaping

    static final String GIVEN_UP_LEASES =
            "select id from {p}lease where given_up order by id limit ? for update skip locked";
    static final String GIVEN_UP_ASIDES =
            "select num from {p}aside where state = 4 and given_up order by num limit ? for update skip locked";
    /** Given out while their worker left. */
    static final String ORPHANED_LEASES = """
            select l.id from {p}lease l where not exists (select 1 from {p}worker w where w.id = l.worker)
            order by l.id limit ? for update skip locked
            """;

    static final String ORPHANED_ASIDES = """
            select a.num from {p}aside a
            where a.state = 4 and not exists (select 1 from {p}worker w where w.id = a.holder)
            order by a.num limit ? for update skip locked
            """;
    static final String DEAD_WORKERS = "select id from {p}worker where seen + expires_after <= ?";
    static final String LEASES_OF_WORKERS =
            "select id from {p}lease where worker :in order by id limit ? for update skip locked";
    static final String ASIDES_OF_WORKERS =
            "select num from {p}aside where holder :in and state = 4 order by num limit ? for update skip locked";
    /** Whose workers were heard of since the end of the time-to-run; others may be dead, and that would be a loss. */
    static final String OVERRUN_LEASES = """
            select l.id from {p}lease l
            where l.until <= ? and exists (select 1 from {p}worker w where w.id = l.worker and w.seen >= l.until)
            order by l.until, l.id limit ? for update skip locked
            """;

    static final String OVERRUN_ASIDES = """
            select a.num from {p}aside a
            where a.state = 4 and a.until <= ?
                and exists (select 1 from {p}worker w where w.id = a.holder and w.seen >= a.until)
            order by a.until, a.num limit ? for update skip locked
            """;

    // workers

    private static final String WORKER_COLUMNS =
            "id, name, host, topics, expires_after, registered, seen, stopping, owner";
    static final String ADD_WORKER =
            "insert into {p}worker (" + WORKER_COLUMNS + ", size) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    static final String WORKERS = "select " + WORKER_COLUMNS + " from {p}worker order by registered, id";
    static final String WORKER = "select " + WORKER_COLUMNS + " from {p}worker where id :in";
    static final String SEEN = "update {p}worker set seen = ? where id = ? and seen < ?";
    static final String SERVE = "update {p}worker set topics = ?, size = ? where id = ?";
    static final String WORKER_ROOM = "select owner, count(*), sum(size) from {p}worker where id <> ? group by owner";
    static final String STOP = "update {p}worker set stopping = true where id = ?";
    static final String DELETE_WORKERS = "delete from {p}worker where id :in";
    static final String GIVE_UP_LEASES = "update {p}lease set given_up = true where worker = ?";
    static final String GIVE_UP_ASIDES = "update {p}aside set given_up = true where holder = ? and state = 4";
    static final String RUNNING_BY_LEASE = "select worker, sum(remaining) from {p}lease group by worker";
    static final String RUNNING_OF_WORKER = "select coalesce(sum(remaining), 0) from {p}lease where worker = ?"
            + " union all select count(*) from {p}aside where holder = ? and state = 4";
    static final String RUNNING_ASIDE = "select holder, count(*) from {p}aside where state = 4 group by holder";
    static final String ASIDES_OF_WORKER =
            "select " + Aside.COLUMNS + " from {p}aside where holder = ? and state = 4 order by num";

    // counts and lists

    static final String COUNT_TOPICS =
            "select topic, state, sum(delta) from {p}tally where topic :in group by topic, state";
    static final String COUNTS = "select topic, state, sum(delta) from {p}tally group by topic, state";
    /**
     * Where the claims have not come yet: the first task of each lane; and whether tasks that run again are ready
     * there.
     */
    static final String FIRST_IN_LANES = """
            select l.id,
                coalesce((select t.num from {p}task t
                    where t.lane = l.id and t.num > coalesce(
                        (select c.hi from {p}claimed c where c.lane = l.id order by c.hi desc limit 1), 0)
                    order by t.num limit 1), 0),
                case when exists (select 1 from {p}aside a where a.lane = l.id and a.state = 2)
                    or exists (select 1 from {p}aside a where a.lane = l.id and a.state = 3) then 1 else 0 end
            from {p}lane l where l.id :in
            """;

    static final String FIRST_READY_ASIDES =
            "(select lane, num from {p}aside where lane = ? and state = ? order by place limit 100)";
    static final String DUE_BY_LANE = "select distinct lane from {p}aside where state = 1 and due <= ?";
    static final String TALLIES =
            "select id, topic, state, delta from {p}tally where id > ? order by id limit 10000 for update skip locked";
    static final String DELETE_TALLIES = "{delete tally id}";
    static final String LAST_TALLY = "select id, topic, state, delta from {p}tally order by id desc limit 1";
    static final String NEW_TALLIES =
            "select id, topic, state, delta from {p}tally where id > ? order by id limit 10000";
    /** Only where there is an index by number alone: see {@link Dialect#hasTasksByNumber}. */
    static final String PLACES = "(select lane, num from {p}task where num > ? order by num limit ?)";

    /** The same, where there is none: the next of each lane is found by its key. PostgreSQL only. */
    static final String PLACES_IN_ALL_LANES = """
            (select n.lane, n.num from {p}lane l cross join lateral (
                select t.lane, t.num from {p}task t where t.lane = l.id and t.num > ? order by t.num limit ?) n
            order by n.num limit ?)
            """;

    static final String PLACES_OF_ENTITY =
            "(select lane, num from {p}task where entity = ? and num > ? order by num limit ?)";
    static final String PLACES_IN_LANE =
            "(select lane, num from {p}task where lane = ? and num > ? order by num limit ?)";
    static final String PLACES_IN_STRETCH =
            "(select lane, num from {p}task where lane = ? and num > ? and num <= ? order by num limit ?)";
    static final String ASIDES_BEHIND = "select lane, num from {p}aside where num > ? order by num limit ?";
    static final String HELD_ASIDES_BEHIND =
            "select lane, num from {p}aside where holder = ? and state = 4 and num > ? order by num limit ?";
    static final String ENDED_STRETCHES =
            "(select lane, lo, hi, tasks from {p}finished where lane = ? and state = ? and hi > ? order by hi limit ?)";

    // records

    static final String RECORD = "select name, value, version from {p}record where name = ?";
    static final String LOCK_RECORD = "select version from {p}record where name = ? for update";
    static final String RECORDS = "select name, value, version from {p}record where name >= ? order by name";
    static final String ADD_RECORD = "insert into {p}record (name, value, version) values (?, ?, ?)";
    static final String CHANGE_NOTHING = "update {p}record set version = 0 where name = ''";
    static final String SET_RECORD = "update {p}record set value = ?, version = ? where name = ? and version = ?";
    static final String DELETE_RECORD = "delete from {p}record where name = ? and version = ?";
}
