#!/usr/bin/env node
// A worker in Node (18 or later), with nothing but what Node brings: worker.mjs [URL [TOPIC]]
// Runs until it is told to stop: millrace's kill switch (POST /v1/workers/ID/stop), or Ctrl-C.

const url = process.argv[2] ?? "http://127.0.0.1:7070";
const topic = process.argv[3] ?? "email";
const headers = { "Content-Type": "application/json" };
if (process.env.MILLRACE_KEY) headers.Authorization = `Bearer ${process.env.MILLRACE_KEY}`;

async function call(method, path, body) {
  const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}

// The work itself: what it returns is the result, what it throws is the error.
async function handle(payload) {
  return { upper: String(payload).toUpperCase() };
}

async function run(task) {
  const report = { task: task.id, lease: task.lease };
  try {
    return { ...report, outcome: "succeeded", result: await handle(task.payload) };
  } catch (error) {
    return { ...report, outcome: "failed", error: String(error) };
  }
}

const { id: worker } = await call("POST", "/v1/workers", { name: "node", topics: [topic] });
console.log("worker", worker);

const holding = new Set();
let stopping = false;
process.once("SIGINT", () => (stopping = true));

// Says every ten seconds that this worker lives, also while a task takes long.
const pings = setInterval(() => {
  call("POST", `/v1/workers/${worker}/ping`, { holding: [...holding] }).catch((error) =>
    console.error("ping failed, will try again:", error.message));
}, 10_000);

while (!stopping) {
  const claimed = await call("POST", `/v1/workers/${worker}/claim`, { max: 1, wait: "10s" });
  for (const task of claimed.tasks) {
    holding.add(task.id);
    await call("POST", `/v1/workers/${worker}/outcomes`, { outcomes: [await run(task)] });
    holding.delete(task.id);
  }
  stopping ||= claimed.command === "stop";
}
clearInterval(pings);
await call("DELETE", `/v1/workers/${worker}`);
