#!/usr/bin/env python3
"""A worker in Python, with the standard library only: worker.py [URL [TOPIC]]

Runs until it is told to stop: millrace's kill switch (POST /v1/workers/ID/stop), or Ctrl-C.
"""
import json
import os
import sys
import threading
import urllib.error
import urllib.request

URL = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:7070"
TOPIC = sys.argv[2] if len(sys.argv) > 2 else "email"
HEADERS = {"Content-Type": "application/json"}
if os.environ.get("MILLRACE_KEY"):
    HEADERS["Authorization"] = "Bearer " + os.environ["MILLRACE_KEY"]


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data, HEADERS, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        text = answer.read()
        return json.loads(text) if text else None


def handle(payload):
    """The work itself: what it returns is the result, what it raises is the error."""
    return {"upper": str(payload).upper()}


def run(task):
    outcome = {"task": task["id"], "lease": task["lease"]}
    try:
        outcome.update(outcome="succeeded", result=handle(task.get("payload")))
    except Exception as error:
        outcome.update(outcome="failed", error=repr(error))
    return outcome


def ping(worker, holding, stopped):
    """Says every ten seconds that this worker lives, also while a task takes long."""
    while not stopped.wait(10):
        try:
            call("POST", f"/v1/workers/{worker}/ping", {"holding": list(holding)})
        except OSError as error:
            print("ping failed, will try again:", error, file=sys.stderr)


def main():
    worker = call("POST", "/v1/workers", {"name": "python", "topics": [TOPIC]})["id"]
    print("worker", worker, flush=True)
    holding, stopped = set(), threading.Event()
    threading.Thread(target=ping, args=(worker, holding, stopped), daemon=True).start()
    try:
        while True:
            claimed = call("POST", f"/v1/workers/{worker}/claim", {"max": 1, "wait": "10s"})
            for task in claimed["tasks"]:
                holding.add(task["id"])
                call("POST", f"/v1/workers/{worker}/outcomes", {"outcomes": [run(task)]})
                holding.discard(task["id"])
            if claimed["command"] == "stop":
                break
    except KeyboardInterrupt:
        pass
    stopped.set()
    call("DELETE", f"/v1/workers/{worker}")


main()
