#!/usr/bin/env node
// A worker in Node (18 or later), with nothing but what Node brings: worker.mjs [URL [TOPIC]]
//
// It outlives restarts of the server, registers again when the server has forgotten it, and drops the result of a task
// that was cancelled. SIGTERM, Ctrl-C and Millrace's kill switch (POST /v1/workers/ID/stop) let it finish its task, report
// it and leave. A second signal ends it at once.

import { setTimeout as sleep } from "node:timers/promises";

const url = process.argv[2] ?? "http://127.0.0.1:7070";
const topic = process.argv[3] ?? "email";
const headers = { "Content-Type": "application/json" };
if (process.env.MILLRACE_KEY) headers.Authorization = `Bearer ${process.env.MILLRACE_KEY}`;
const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

// The work itself: what it returns is the result, what it throws is the error.
// cancelled is an AbortSignal. A long task looks at it, or hands it on, and ends: nobody wants the result.
async function handle(payload, cancelled) {
  return { upper: String(payload).toUpperCase() };
}

class Gone extends Error {} // the server does not know this worker, or has taken it for dead
class Unavailable extends Error {} // the server does not answer, or not now

async function call(method, path, body, signal) {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const giveUp = () => limit.abort(new Error("no answer"));
  const timer = setTimeout(giveUp, 60_000);
  signal?.addEventListener("abort", giveUp);
  let answer, text;
  try {
    answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body), signal: limit.signal });
    text = await answer.text();
  } catch (error) {
    throw new Unavailable(error.cause?.message ?? error.message);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  }
  if (answer.ok) return text ? JSON.parse(text) : undefined;
  const message = `${method} ${path}: ${answer.status} ${text}`;
  if (answer.status === 404 || answer.status === 410) throw new Gone(message);
  if (answer.status === 408 || answer.status === 429 || answer.status >= 500) throw new Unavailable(message);
  throw new Error(message);
}

// Calls again, after growing pauses, until the server answers.
async function untilAnswered(method, path, body, signal) {
  for (let pause = 100; ; pause = Math.min(5_000, pause * 2)) {
    try {
      return await call(method, path, body, signal);
    } catch (error) {
      if (!(error instanceof Unavailable) || signal?.aborted) throw error;
      console.error(`${method} ${path}: ${error.message}; trying again`);
    }
    await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal });
  }
}

let worker; // its id, or nothing before it is registered
let pingEvery = 1_000; // until the server says more
let running; // the task that runs: { id, cancelled, abandoned }
const leaving = new AbortController(); // ends what waits for a task

const signals = ["SIGTERM", "SIGINT"];
function leave() {
  for (const name of signals) process.removeListener(name, leave);
  leaving.abort();
}
for (const name of signals) process.on(name, leave);

async function register() {
  const answer = await untilAnswered("POST", "/v1/workers", { name: "node", topics: [topic] }, leaving.signal);
  const [, number, unit] = /^(\d+)(\D+)$/.exec(answer.pingEvery);
  pingEvery = number * units[unit];
  worker = answer.id;
  console.log("worker", worker);
  return worker;
}

// Tells that this worker lives, also while a task takes long, and hears which task is cancelled.
async function pingForEver() {
  for (;;) {
    await sleep(pingEvery, undefined, { ref: false });
    const [pinged, task] = [worker, running];
    if (!pinged) continue;
    try {
      const answer = await call("POST", `/v1/workers/${pinged}/ping`, { holding: task ? [task.id] : [] }).catch((error) => {
        if (error instanceof Gone) return { alive: false };
        throw error;
      });
      if (!answer.alive) {
        if (worker === pinged) worker = undefined;
        if (task) task.abandoned = true; // the server gives it to somebody else
      }
      if (task && (!answer.alive || answer.cancel?.includes(task.id))) task.cancelled.abort();
    } catch (error) {
      console.error("ping:", error.message);
    }
  }
}

async function run(task, cancelled) {
  const report = { task: task.id, lease: task.lease };
  try {
    const result = await handle(task.payload, cancelled);
    cancelled.throwIfAborted();
    JSON.stringify(result); // throws here what is no JSON
    return { ...report, outcome: "succeeded", result };
  } catch (error) {
    return { ...report, outcome: "failed", error: String(error) };
  }
}

async function work(holder, task) {
  running = { id: task.id, cancelled: new AbortController(), abandoned: false };
  try {
    const outcome = await run(task, running.cancelled.signal);
    if (!running.abandoned) await untilAnswered("POST", `/v1/workers/${holder}/outcomes`, { outcomes: [outcome] });
  } finally {
    running = undefined;
  }
}

// Claims a task and does it; true as long as there may be more.
async function step() {
  const holder = worker ?? (await register());
  const claimed = await untilAnswered("POST", `/v1/workers/${holder}/claim`, { max: 1, wait: "10s" }, leaving.signal);
  for (const task of claimed.tasks) await work(holder, task);
  return claimed.command !== "stop";
}

pingForEver();
for (let more = true; more && !leaving.signal.aborted; ) {
  try {
    more = await step();
  } catch (error) {
    if (error instanceof Gone) worker = undefined; // and register again
    else if (!leaving.signal.aborted) throw error;
  }
}
if (worker) {
  // what it still holds is ready again at once
  await call("DELETE", `/v1/workers/${worker}`).catch((error) => console.error(error.message));
}
process.exit(0);
