-- One number for everything that has a place in an order: tasks, places in lanes, leases, versions of records.
create sequence {p}number;

-- A lane is one first-in-first-out queue of a topic. Every topic also has a parking lane, for tasks that are in no queue.
-- Its id names a lock in memory; its row is never changed but for the pace of a topic with a rate.
create table {p}lane (
    id integer generated always as identity primary key,
    topic varchar(200) collate "C" not null,
    priority bigint not null,
    pace double precision,
    unique (topic, priority)
);

-- What a task was enqueued with. Only its lane may change, when it leaves a queue before it was claimed.
create table {p}task (
    num bigint not null,
    id uuid not null unique,
    lane integer not null,
    priority integer not null,
    created bigint not null,
    deadline bigint,
    timeout bigint,
    json boolean not null,
    payload bytea not null,
    entity varchar(200) collate "C",
    scope varchar(3300) collate "C",
    unique_key varchar(200) collate "C",
    settings text,
    primary key (lane, num)
);
create index on {p}task (entity, num) where entity is not null;

-- How far a lane was claimed: the last row counts. A task with a greater number is ready, if nothing else is said of it.
create table {p}claimed (
    lane integer not null,
    hi bigint not null,
    primary key (lane, hi)
);

-- Who holds the tasks of a lane from lo (not included) to hi, but for those that have finished or stand aside. Of them it
-- was given for so many tasks, of which some remain; others were not, or do not stand there any more. Keyed: some have a
-- unique key.
create table {p}lease (
    id bigint primary key,
    lane integer not null,
    lo bigint not null,
    hi bigint not null,
    worker uuid not null,
    since bigint not null,
    until bigint not null,
    tasks integer not null,
    remaining integer not null,
    others integer not null,
    keyed boolean not null,
    given_up boolean not null
);
create index on {p}lease (lane, hi);
create index on {p}lease (worker);
create index on {p}lease (until);

-- Tasks of which more is to be said: those that wait, are due later, run again, or have said something while they run.
create table {p}aside (
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
    ended_token varchar(60) collate "C",
    ended_outcome smallint,
    token varchar(60) collate "C",
    holder uuid,
    runner uuid,
    since bigint,
    leased_at bigint,
    until bigint,
    cancel boolean not null,
    given_up boolean not null,
    overdue smallint,
    percent smallint,
    message text,
    told_at bigint
);
create index on {p}aside (lane, state, place);
create index on {p}aside (lane, state, due);
create index on {p}aside (holder);
create index on {p}aside (state, until);

-- How the tasks of a lane from lo (not included) to hi ended, with their last attempt. Often that is one task; tasks that
-- were leased together and ended alike share a row. If due is null they ended at their first attempt, under that lease.
create table {p}finished (
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
    runner uuid,
    since bigint,
    error text,
    token varchar(60) collate "C",
    outcome smallint,
    percent smallint,
    message text,
    told_at bigint,
    json boolean,
    result bytea,
    primary key (lane, hi)
);
create index on {p}finished (lane, state, hi);
create index on {p}finished (removal);

-- Attempts before the last.
create table {p}attempt (
    num bigint not null,
    number integer not null,
    runner uuid not null,
    since bigint not null,
    ended bigint not null,
    outcome smallint not null,
    error text,
    primary key (num, number)
);

create table {p}unique_key (
    topic integer not null,
    unique_key varchar(200) collate "C" not null,
    id uuid not null,
    primary key (topic, unique_key)
);

-- How many tasks of a topic came into a state or left it. The sum counts; rows are added, and added up from time to time.
create table {p}tally (
    id bigint generated always as identity primary key,
    topic integer not null,
    state smallint not null,
    delta bigint not null
);

create table {p}worker (
    id uuid primary key,
    name text not null,
    host text not null,
    topics text not null,
    expires_after bigint not null,
    registered bigint not null,
    seen bigint not null,
    stopping boolean not null
);

create table {p}record (
    name varchar(700) collate "C" primary key,
    value text not null,
    version bigint not null
);
