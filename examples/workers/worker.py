#!/usr/bin/env python3
"""A worker in Python, with the standard library only: worker.py [URL [TOPIC]]

It outlives restarts of the server, registers again when the server has forgotten it, and drops the result of a task that
was cancelled. SIGTERM, Ctrl-C and Millrace's kill switch (POST /v1/workers/ID/stop) let it finish its task, report it and
leave. A second signal ends it at once.
"""
import http.client
import json
import os
import random
import signal
import sys
import threading
import time
import urllib.error
import urllib.request

URL = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:7070"
TOPIC = sys.argv[2] if len(sys.argv) > 2 else "email"
HEADERS = {"Content-Type": "application/json"}
if os.environ.get("MILLRACE_KEY"):
    HEADERS["Authorization"] = "Bearer " + os.environ["MILLRACE_KEY"]
UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}


def handle(payload, cancelled):
    """The work itself: what it returns is the result, what it raises is the error.

    cancelled is a threading.Event. A long task looks at it and returns when it is set: nobody wants the result.
    """
    return {"upper": str(payload).upper()}


class Gone(Exception):
    """The server does not know this worker, or has taken it for dead."""


class Unavailable(Exception):
    """The server does not answer, or not now."""


class Leave(Exception):
    """A signal came while there was no task."""


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data, HEADERS, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
            return json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        if error.code in (404, 410):
            raise Gone(path) from error
        if error.code in (408, 429) or error.code >= 500:
            raise Unavailable(error) from error
        sys.exit(f"{method} {path}: {error.code} {error.read().decode(errors='replace')}")
    except (OSError, http.client.HTTPException) as error:
        raise Unavailable(error) from error


def until_answered(method, path, body=None):
    """Calls again, after growing pauses, until the server answers."""
    pause = 0.1
    while True:
        try:
            return call(method, path, body)
        except Unavailable as error:
            print(f"{method} {path}: {error}; trying again", file=sys.stderr)
        time.sleep(pause * random.uniform(0.5, 1))
        pause = min(5, pause * 2)


class Worker:
    def __init__(self):
        self.id = None
        self.ping_every = 1  # until the server says more
        self.task = None  # the id of the task that runs
        self.cancelled = threading.Event()
        self.abandoned = False  # the server has given the task to somebody else
        self.stopping = False
        self.idle = False  # a signal may interrupt what happens now

    def on_signal(self, number, frame):
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        self.stopping = True
        if self.idle:
            self.idle = False
            raise Leave

    def register(self):
        answer = until_answered("POST", "/v1/workers", {"name": "python", "topics": [TOPIC]})
        every = answer["pingEvery"]
        unit = every.lstrip("0123456789")
        self.ping_every = int(every[: -len(unit)]) * UNITS[unit]
        self.id = answer["id"]
        print("worker", answer["id"], flush=True)
        return answer["id"]

    def ping_for_ever(self):
        """Tells that this worker lives, also while a task takes long, and hears which task is cancelled."""
        while True:
            time.sleep(self.ping_every)
            worker, task = self.id, self.task
            if worker is None:
                continue
            try:
                answer = call("POST", f"/v1/workers/{worker}/ping", {"holding": [task] if task else []})
            except Gone:
                answer = {"alive": False}
            except Unavailable as error:
                print("ping:", error, file=sys.stderr)
                continue
            if not answer["alive"]:
                if self.id == worker:
                    self.id = None
                if task and self.task == task:
                    self.abandoned = True
                    self.cancelled.set()
            elif task and self.task == task and task in answer.get("cancel", []):
                self.cancelled.set()

    def run(self, task):
        outcome = {"task": task["id"], "lease": task["lease"]}
        try:
            result = handle(task.get("payload"), self.cancelled)
            if self.cancelled.is_set():
                raise RuntimeError("cancelled")
            json.dumps(result)  # raises here what is no JSON
            outcome.update(outcome="succeeded", result=result)
        except Exception as error:
            outcome.update(outcome="failed", error=repr(error))
        return outcome

    def work(self, worker, task):
        self.abandoned = False
        self.cancelled.clear()
        self.task = task["id"]
        outcome = self.run(task)
        try:
            if not self.abandoned:
                until_answered("POST", f"/v1/workers/{worker}/outcomes", {"outcomes": [outcome]})
        finally:
            self.task = None

    def step(self):
        """Claims a task and does it."""
        self.idle = True
        worker = self.id or self.register()
        claimed = until_answered("POST", f"/v1/workers/{worker}/claim", {"max": 1, "wait": "10s"})
        self.idle = False
        for task in claimed["tasks"]:
            self.work(worker, task)
        self.stopping = self.stopping or claimed["command"] == "stop"

    def main(self):
        signal.signal(signal.SIGTERM, self.on_signal)
        signal.signal(signal.SIGINT, self.on_signal)
        threading.Thread(target=self.ping_for_ever, daemon=True).start()
        try:
            while not self.stopping:
                try:
                    self.step()
                except Gone:
                    self.id = None  # and register again
        except Leave:
            pass
        worker = self.id
        if worker is not None:
            try:
                call("DELETE", f"/v1/workers/{worker}")  # what it still holds is ready again at once
            except (Gone, Unavailable) as error:
                print("leaving:", error, file=sys.stderr)


Worker().main()
