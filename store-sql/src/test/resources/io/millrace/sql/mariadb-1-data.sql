insert into {p}lane (id, topic, priority, pace) values (1, 'dead', 1099511627776, null);
insert into {p}lane (id, topic, priority, pace) values (2, 'dead', 100, null);
insert into {p}lane (id, topic, priority, pace) values (3, 'mail', 1099511627776, null);
insert into {p}lane (id, topic, priority, pace) values (4, 'mail', 100, null);
insert into {p}lane (id, topic, priority, pace) values (5, 'report', 1099511627776, null);
insert into {p}lane (id, topic, priority, pace) values (6, 'report', 7, null);
insert into {p}lane (id, topic, priority, pace) values (7, 'report', 100, null);
insert into {p}task (num, id, lane, priority, created, deadline, timeout, json, payload, entity, scope, unique_key, settings) values (1000, X'01980000000070008000000000000001', 4, 100, 1893456000000, null, null, true, X'7b226e223a317d', null, null, null, null);
insert into {p}task (num, id, lane, priority, created, deadline, timeout, json, payload, entity, scope, unique_key, settings) values (1001, X'01980000000070008000000000000002', 4, 100, 1893456000000, null, null, true, X'7b226e223a327d', null, null, null, null);
insert into {p}task (num, id, lane, priority, created, deadline, timeout, json, payload, entity, scope, unique_key, settings) values (1002, X'01980000000070008000000000000003', 4, 100, 1893456000000, null, null, true, X'7b226e223a337d', null, null, null, null);
insert into {p}task (num, id, lane, priority, created, deadline, timeout, json, payload, entity, scope, unique_key, settings) values (1003, X'01980000000070008000000000000004', 4, 100, 1893456000000, null, null, true, X'7b226e223a347d', null, null, null, null);
insert into {p}task (num, id, lane, priority, created, deadline, timeout, json, payload, entity, scope, unique_key, settings) values (1004, X'01980000000070008000000000000005', 4, 100, 1893456000000, null, null, true, X'7b226e223a357d', null, null, null, null);
insert into {p}task (num, id, lane, priority, created, deadline, timeout, json, payload, entity, scope, unique_key, settings) values (1005, X'01980000000070008000000000000006', 4, 100, 1893456000000, null, null, true, X'7b226e223a367d', null, null, null, null);
insert into {p}task (num, id, lane, priority, created, deadline, timeout, json, payload, entity, scope, unique_key, settings) values (1006, X'01980000000070008000000000000007', 4, 100, 1893456000000, null, null, true, X'7b226e223a377d', null, null, null, null);
insert into {p}task (num, id, lane, priority, created, deadline, timeout, json, payload, entity, scope, unique_key, settings) values (1007, X'01980000000070008000000000000008', 4, 100, 1893456000000, null, null, true, X'7b226e223a387d', null, null, null, null);
insert into {p}task (num, id, lane, priority, created, deadline, timeout, json, payload, entity, scope, unique_key, settings) values (1008, X'01980000000070008000000000000009', 4, 100, 1893456000000, null, null, true, X'7b226e223a397d', null, null, null, null);
insert into {p}task (num, id, lane, priority, created, deadline, timeout, json, payload, entity, scope, unique_key, settings) values (1009, X'0198000000007000800000000000000a', 4, 100, 1893456000000, null, null, true, X'7b226e223a31307d', null, null, null, null);
insert into {p}task (num, id, lane, priority, created, deadline, timeout, json, payload, entity, scope, unique_key, settings) values (1010, X'0198000000007000800000000000000b', 4, 100, 1893456000000, null, null, true, X'7b226e223a31317d', null, null, null, null);
insert into {p}task (num, id, lane, priority, created, deadline, timeout, json, payload, entity, scope, unique_key, settings) values (1011, X'0198000000007000800000000000000c', 3, 100, 1893456000000, null, null, true, X'7b226e223a31327d', null, null, null, null);
insert into {p}task (num, id, lane, priority, created, deadline, timeout, json, payload, entity, scope, unique_key, settings) values (1012, X'01980000000070008000000000000014', 3, 100, 1893456000000, null, null, false, X'010203', null, null, null, 'runAt=PT5M
');
insert into {p}task (num, id, lane, priority, created, deadline, timeout, json, payload, entity, scope, unique_key, settings) values (1013, X'01980000000070008000000000000015', 3, 100, 1893456000000, null, null, false, X'', null, null, null, 'waitFor=2
');
insert into {p}task (num, id, lane, priority, created, deadline, timeout, json, payload, entity, scope, unique_key, settings) values (1014, X'01980000000070008000000000000016', 6, 7, 1893456000000, null, 40000, false, X'', 'e1', 'acme/invoices/', 'march', 'retry.max=3
retry.backoff=CONSTANT
retry.base=PT9S
retry.jitter=NONE
callback=https://example.org/done
retention.succeeded=PT48H
retention.failed=PT216H
');
insert into {p}task (num, id, lane, priority, created, deadline, timeout, json, payload, entity, scope, unique_key, settings) values (1015, X'01980000000070008000000000000017', 7, 100, 1893456000000, 1893456120000, null, false, X'', null, null, 'april', 'deadline=PT2M
');
insert into {p}task (num, id, lane, priority, created, deadline, timeout, json, payload, entity, scope, unique_key, settings) values (1016, X'01980000000070008000000000000018', 2, 100, 1893456000000, null, null, false, X'', null, null, null, 'origin.topic=mail
origin.id=01980000-0000-7000-8000-000000000063
origin.error=it broke
origin.uniqueKey=k
');
insert into {p}claimed (lane, hi) values (4, 1008);
insert into {p}claimed (lane, hi) values (6, 1014);
insert into {p}lease (id, lane, lo, hi, worker, since, until, tasks, remaining, others, keyed, given_up) values (3000, 4, 0, 1008, X'c908bce4d6bb4de093161dbe94b2c067', 1893456000000, 1893457800000, 9, 1, 3, false, false);
insert into {p}aside (num, lane, state, place, due, deadline, attempts, retries, losses, waiting_for, ended_token, ended_outcome, token, holder, runner, since, leased_at, until, cancel, given_up, overdue, percent, message, told_at) values (1005, 4, 1, 1005, 1893456062000, null, 1, 1, 0, 0, '0000000000000bb80000000400000000000003ed81987006', 1, null, null, null, 0, 0, 0, false, false, null, null, null, null);
insert into {p}aside (num, lane, state, place, due, deadline, attempts, retries, losses, waiting_for, ended_token, ended_outcome, token, holder, runner, since, leased_at, until, cancel, given_up, overdue, percent, message, told_at) values (1006, 4, 3, 1006, 1893456000000, null, 1, 0, 0, 0, '0000000000000bb80000000400000000000003ee81987007', 5, null, null, null, 0, 0, 0, false, false, null, null, null, null);
insert into {p}aside (num, lane, state, place, due, deadline, attempts, retries, losses, waiting_for, ended_token, ended_outcome, token, holder, runner, since, leased_at, until, cancel, given_up, overdue, percent, message, told_at) values (1007, 4, 4, 1007, 1893456000000, null, 1, 0, 0, 0, null, null, '0000000000000bb80000000400000000000003ef81987008', X'c908bce4d6bb4de093161dbe94b2c067', X'c908bce4d6bb4de093161dbe94b2c067', 1893456000000, 1893456000000, 1893457800000, false, false, null, 40, 'on it', 1893456002000);
insert into {p}aside (num, lane, state, place, due, deadline, attempts, retries, losses, waiting_for, ended_token, ended_outcome, token, holder, runner, since, leased_at, until, cancel, given_up, overdue, percent, message, told_at) values (1012, 4, 1, 0, 1893456300000, null, 0, 0, 0, 0, null, null, null, null, null, 0, 0, 0, false, false, null, null, null, null);
insert into {p}aside (num, lane, state, place, due, deadline, attempts, retries, losses, waiting_for, ended_token, ended_outcome, token, holder, runner, since, leased_at, until, cancel, given_up, overdue, percent, message, told_at) values (1013, 4, 0, 0, 1893456000000, null, 0, 0, 0, 1, null, null, null, null, null, 0, 0, 0, false, false, null, null, null, null);
insert into {p}aside (num, lane, state, place, due, deadline, attempts, retries, losses, waiting_for, ended_token, ended_outcome, token, holder, runner, since, leased_at, until, cancel, given_up, overdue, percent, message, told_at) values (1014, 6, 4, 1014, 1893456000000, null, 1, 0, 0, 0, null, null, '0000000000000fa00000000600000000000003f681987016', X'c908bce4d6bb4de093161dbe94b2c067', X'c908bce4d6bb4de093161dbe94b2c067', 1893456000000, 1893456000000, 1893456040000, false, false, null, null, null, null);
insert into {p}finished (lane, lo, hi, tasks, lease, state, finished, removal, due, deadline, attempts, retries, losses, runner, since, error, token, outcome, percent, message, told_at, json, result) values (3, 1010, 1011, 1, 0, 7, 1893456002000, 1894060802000, 1893456000000, null, 0, 0, 0, null, null, null, null, null, null, null, null, null, null);
insert into {p}finished (lane, lo, hi, tasks, lease, state, finished, removal, due, deadline, attempts, retries, losses, runner, since, error, token, outcome, percent, message, told_at, json, result) values (4, 999, 1000, 1, 3000, 4, 1893456002000, 2208816002000, null, null, 1, 0, 0, X'c908bce4d6bb4de093161dbe94b2c067', 1893456000000, null, null, 0, null, null, null, null, null);
insert into {p}finished (lane, lo, hi, tasks, lease, state, finished, removal, due, deadline, attempts, retries, losses, runner, since, error, token, outcome, percent, message, told_at, json, result) values (4, 1000, 1001, 1, 3000, 4, 1893456002000, 2208816002000, null, null, 1, 0, 0, X'c908bce4d6bb4de093161dbe94b2c067', 1893456000000, null, null, 0, null, null, null, null, null);
insert into {p}finished (lane, lo, hi, tasks, lease, state, finished, removal, due, deadline, attempts, retries, losses, runner, since, error, token, outcome, percent, message, told_at, json, result) values (4, 1001, 1002, 1, 3000, 4, 1893456002000, 2208816002000, null, null, 1, 0, 0, X'c908bce4d6bb4de093161dbe94b2c067', 1893456000000, null, null, 0, null, null, null, null, null);
insert into {p}finished (lane, lo, hi, tasks, lease, state, finished, removal, due, deadline, attempts, retries, losses, runner, since, error, token, outcome, percent, message, told_at, json, result) values (4, 1002, 1003, 1, 3000, 4, 1893456002000, 2208816002000, null, null, 1, 0, 0, X'c908bce4d6bb4de093161dbe94b2c067', 1893456000000, null, null, 0, null, null, null, true, X'22646f6e6522');
insert into {p}finished (lane, lo, hi, tasks, lease, state, finished, removal, due, deadline, attempts, retries, losses, runner, since, error, token, outcome, percent, message, told_at, json, result) values (4, 1003, 1004, 1, 3000, 5, 1893456002000, 2208816002000, null, null, 1, 0, 0, X'c908bce4d6bb4de093161dbe94b2c067', 1893456000000, 'it broke', null, 1, null, null, null, null, null);
insert into {p}attempt (num, number, runner, since, ended, outcome, error) values (1005, 1, X'c908bce4d6bb4de093161dbe94b2c067', 1893456000000, 1893456002000, 1, 'not yet');
insert into {p}attempt (num, number, runner, since, ended, outcome, error) values (1006, 1, X'c908bce4d6bb4de093161dbe94b2c067', 1893456000000, 1893456002000, 5, null);
insert into {p}unique_key (topic, unique_key, id) values (5, 'april', X'01980000000070008000000000000017');
insert into {p}unique_key (topic, unique_key, id) values (5, 'march', X'01980000000070008000000000000016');
insert into {p}tally (id, topic, state, delta) values (1, 5, 2, 2);
insert into {p}tally (id, topic, state, delta) values (2, 3, 1, 1);
insert into {p}tally (id, topic, state, delta) values (3, 3, 2, 12);
insert into {p}tally (id, topic, state, delta) values (4, 1, 2, 1);
insert into {p}tally (id, topic, state, delta) values (5, 3, 0, 1);
insert into {p}tally (id, topic, state, delta) values (6, 3, 2, -9);
insert into {p}tally (id, topic, state, delta) values (7, 3, 3, 9);
insert into {p}tally (id, topic, state, delta) values (8, 5, 2, -1);
insert into {p}tally (id, topic, state, delta) values (9, 5, 3, 1);
insert into {p}tally (id, topic, state, delta) values (10, 3, 5, 1);
insert into {p}tally (id, topic, state, delta) values (11, 3, 3, -4);
insert into {p}tally (id, topic, state, delta) values (12, 3, 4, 3);
insert into {p}tally (id, topic, state, delta) values (13, 3, 2, 1);
insert into {p}tally (id, topic, state, delta) values (14, 3, 1, 1);
insert into {p}tally (id, topic, state, delta) values (15, 3, 3, -3);
insert into {p}tally (id, topic, state, delta) values (16, 3, 4, 1);
insert into {p}tally (id, topic, state, delta) values (17, 3, 2, -1);
insert into {p}tally (id, topic, state, delta) values (18, 3, 7, 1);
insert into {p}worker (id, name, host, topics, expires_after, registered, seen, stopping) values (X'c908bce4d6bb4de093161dbe94b2c067', 'w1', 'host', 'mail report', 30000, 1893456000000, 1893456002000, false);
insert into {p}worker (id, name, host, topics, expires_after, registered, seen, stopping) values (X'f4734cfb9d5c43079e19bd16f8fab800', '', '', '', 30000, 1893456000000, 1893456000000, false);
insert into {p}record (name, value, version) values ('policy/mail', 'retry.max=0 retry.backoff=EXPONENTIAL retry.base=PT20S retry.jitter=NONE timeout=PT30M onTimeout=RETRY leak=REAR deadLetter=dead weight=1 lossLimit=5 ', 2000);
select setval({p}number, 100000);
