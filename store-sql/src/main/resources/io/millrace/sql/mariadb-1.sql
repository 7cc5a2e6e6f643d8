-- One number for everything that has a place in an order: tasks, places in lanes, leases, versions of records.
create sequence if not exists {p}number cache 1000;

-- A lane is one first-in-first-out queue of a topic. Every topic also has a parking lane, for tasks that are in no queue.
-- Its row is locked, and never changed but for the pace of a topic with a rate.
create table if not exists {p}lane (
    id integer not null auto_increment primary key,
    topic varchar(200) not null,
    priority bigint not null,
    pace double,
    unique (topic, priority)
) engine = InnoDB, character set utf8mb4, collate utf8mb4_nopad_bin;

-- What a task was enqueued with. Only its lane may change, when it leaves a queue before it was claimed; so that is no part of
-- the key: rows of others around it would be locked.
create table if not exists {p}task (
    num bigint primary key,
    id binary(16) not null unique,
    lane integer not null,
    priority integer not null,
    created bigint not null,
    deadline bigint,
    timeout bigint,
    json boolean not null,
    payload longblob not null,
    entity varchar(200),
    scope varchar(3300),
    unique_key varchar(200),
    settings longtext
) engine = InnoDB, character set utf8mb4, collate utf8mb4_nopad_bin;
create index if not exists by_lane_num on {p}task (lane, num);
create index if not exists by_entity_num on {p}task (entity, num);

-- How far a lane was claimed: the last row counts. A task with a greater number is ready, if nothing else is said of it.
create table if not exists {p}claimed (
    lane integer not null,
    hi bigint not null,
    primary key (lane, hi)
) engine = InnoDB, character set utf8mb4, collate utf8mb4_nopad_bin;

-- Who holds the tasks of a lane from lo (not included) to hi, but for those that have finished or stand aside. Of them it
-- was given for so many tasks, of which some remain; others were not, or do not stand there any more. Keyed: some have a
-- unique key.
create table if not exists {p}lease (
    id bigint primary key,
    lane integer not null,
    lo bigint not null,
    hi bigint not null,
    worker binary(16) not null,
    since bigint not null,
    until bigint not null,
    tasks integer not null,
    remaining integer not null,
    others integer not null,
    keyed boolean not null,
    given_up boolean not null
) engine = InnoDB, character set utf8mb4, collate utf8mb4_nopad_bin;
create index if not exists by_lane_hi on {p}lease (lane, hi);
create index if not exists by_worker on {p}lease (worker);
create index if not exists by_until on {p}lease (until);

-- Tasks of which more is to be said: those that wait, are due later, run again, or have said something while they run.
create table if not exists {p}aside (
    num bigint primary key,
    lane integer not null,
    state smallint not null,
    place bigint not null,
    due bigint not null,
    deadline bigint,
    attempts integer not null,
    retries integer not null,
    losses integer not null,
    waiting_for integer not null,
    ended_token varchar(60),
    ended_outcome smallint,
    token varchar(60),
    holder binary(16),
    runner binary(16),
    since bigint,
    leased_at bigint,
    until bigint,
    cancel boolean not null,
    given_up boolean not null,
    overdue smallint,
    percent smallint,
    message longtext,
    told_at bigint
) engine = InnoDB, character set utf8mb4, collate utf8mb4_nopad_bin;
create index if not exists by_lane_state_place on {p}aside (lane, state, place);
create index if not exists by_lane_state_due on {p}aside (lane, state, due);
create index if not exists by_holder on {p}aside (holder);
create index if not exists by_state_until on {p}aside (state, until);

-- How the tasks of a lane from lo (not included) to hi ended, with their last attempt. Often that is one task; tasks that
-- were leased together and ended alike share a row. If due is null they ended at their first attempt, under that lease.
create table if not exists {p}finished (
    lane integer not null,
    lo bigint not null,
    hi bigint not null,
    tasks integer not null,
    lease bigint not null,
    state smallint not null,
    finished bigint not null,
    removal bigint not null,
    due bigint,
    deadline bigint,
    attempts integer not null,
    retries integer not null,
    losses integer not null,
    runner binary(16),
    since bigint,
    error longtext,
    token varchar(60),
    outcome smallint,
    percent smallint,
    message longtext,
    told_at bigint,
    json boolean,
    result longblob,
    primary key (lane, hi)
) engine = InnoDB, character set utf8mb4, collate utf8mb4_nopad_bin;
create index if not exists by_lane_state_hi on {p}finished (lane, state, hi);
create index if not exists by_removal on {p}finished (removal);

-- Attempts before the last.
create table if not exists {p}attempt (
    num bigint not null,
    number integer not null,
    runner binary(16) not null,
    since bigint not null,
    ended bigint not null,
    outcome smallint not null,
    error longtext,
    primary key (num, number)
) engine = InnoDB, character set utf8mb4, collate utf8mb4_nopad_bin;

create table if not exists {p}unique_key (
    topic integer not null,
    unique_key varchar(200) not null,
    id binary(16) not null,
    primary key (topic, unique_key)
) engine = InnoDB, character set utf8mb4, collate utf8mb4_nopad_bin;

-- How many tasks of a topic came into a state or left it. The sum counts; rows are added, and added up from time to time.
create table if not exists {p}tally (
    id bigint not null auto_increment primary key,
    topic integer not null,
    state smallint not null,
    delta bigint not null
) engine = InnoDB, character set utf8mb4, collate utf8mb4_nopad_bin;

create table if not exists {p}worker (
    id binary(16) primary key,
    name text not null,
    host text not null,
    topics text not null,
    expires_after bigint not null,
    registered bigint not null,
    seen bigint not null,
    stopping boolean not null
) engine = InnoDB, character set utf8mb4, collate utf8mb4_nopad_bin;

create table if not exists {p}record (
    name varchar(700) primary key,
    value longtext not null,
    version bigint not null
) engine = InnoDB, character set utf8mb4, collate utf8mb4_nopad_bin;
