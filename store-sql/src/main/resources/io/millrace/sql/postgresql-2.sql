-- How long a held task may run, as long as it is not known to have been started. The lease of one whose time counts from the
-- start has no end until then: the greatest number.
alter table {p}lease add column if not exists time_to_run bigint;
alter table {p}aside add column if not exists time_to_run bigint;

-- Who ended the last lease, where that was not the runner of the last attempt: a repeated report is known by it.
alter table {p}aside add column if not exists ended_by uuid;
alter table {p}finished add column if not exists ended_by uuid;

-- Whether the dead letter of a task was redriven.
alter table {p}finished add column if not exists redriven boolean;

-- The name of the access key that registered a worker, empty for none; and how much room it takes in memory.
alter table {p}worker add column if not exists owner varchar(200) collate "C" not null default '';
alter table {p}worker add column if not exists size bigint not null default 500;
