"""Measuring: whole processes, and programs that answer requests (bench/serve.h), in turn."""

import os
import select
import signal
import statistics
import subprocess
import tempfile
import threading
import time


class Broken(Exception):
    """A participant that could not be measured; the text says why."""


# --- Whole processes -----------------------------------------------------------------------------


def tail(path, length=300):
    with open(path, "rb") as file:
        text = file.read().decode("utf-8", "replace").strip()
    return " ".join(text[-length:].split())


def run_process(argv, cwd, limit=120, own_time=False, env=None):
    """Runs a command to its end; its wall time in seconds and its peak memory in bytes.
    `own_time`: instead of wall time what it spent computing, which other programs hardly change.
    `env` is added to the environment.

    The peak cannot be below that of this Python at the call, from which Linux counts it on.
    """
    argv = [str(word) for word in argv]
    log = os.path.join(cwd, "log")
    actions = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
               (os.POSIX_SPAWN_OPEN, 1, log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
               (os.POSIX_SPAWN_DUP2, 1, 2)]
    start = time.perf_counter()
    pid = os.posix_spawn(argv[0], argv, {**os.environ, **(env or {})}, file_actions=actions)
    killer = threading.Timer(limit, os.kill, [pid, signal.SIGKILL])
    killer.start()
    try:
        _, status, usage = os.wait4(pid, 0)
    finally:
        killer.cancel()
    seconds = time.perf_counter() - start
    if status:
        raise Broken(f"{os.path.basename(argv[0])} ended with "
                     f"{os.waitstatus_to_exitcode(status)}: {tail(log)}")
    if own_time:
        seconds = usage.ru_utime + usage.ru_stime
    return seconds, usage.ru_maxrss * 1024


# --- Programs that answer requests ---------------------------------------------------------------


class Server:
    """A program that answers requests; use it in a `with`."""

    def __init__(self, argv, limit=120, env=None):
        self.name = os.path.basename(str(argv[0]))
        self.limit = limit
        self.pending = b""
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen([str(word) for word in argv], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.errors,
                                        env={**os.environ, **(env or {})})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.errors.close()

    def complaint(self):
        status = self.process.wait()
        self.errors.seek(0)
        text = " ".join(self.errors.read().decode("utf-8", "replace")[-400:].split())
        return f"{self.name} ended with status {status}: {text}"

    def read_line(self):
        deadline = time.monotonic() + self.limit
        while b"\n" not in self.pending:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                self.process.kill()
                raise Broken(f"{self.name} did not answer within {self.limit} s")
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            if not piece:
                raise Broken(self.complaint())
            self.pending += piece
        line, self.pending = self.pending.split(b"\n", 1)
        return line.decode("utf-8", "replace")

    def ask(self, *words):
        """The numbers of the answer."""
        if self.process.poll() is not None:
            raise Broken(self.complaint())
        try:
            self.process.stdin.write((" ".join(map(str, words)) + "\n").encode())
            self.process.stdin.flush()
        except OSError:
            raise Broken(self.complaint()) from None
        verdict, _, rest = self.read_line().partition(" ")
        if verdict != "ok":
            raise Broken(rest or verdict)
        return [float(word) for word in rest.split()]


class Absent:
    """Stands for a program that is not installed or could not be started."""

    def __init__(self, why, skipped):
        self.why = why
        self.skipped = skipped


# --- In turn --------------------------------------------------------------------------------------


def in_turn(participants, rounds):
    """Calls each participant once a round: A B A B. `participants` maps a name to a function that
    returns a list of samples; what it maps to is all samples of each, or the Broken that ended it.
    """
    results = {name: [] for name in participants}
    for _ in range(rounds):
        for name, sample in participants.items():
            if isinstance(results[name], Broken):
                continue
            try:
                results[name] += sample()
            except Broken as error:
                results[name] = error
    return results


class Servers:
    """Several programs that answer requests, by name; use it in a `with`."""

    def __init__(self):
        self.servers = {}
        self.shared = set()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for name in self.running():
            if name not in self.shared:
                self.servers[name].close()

    def add(self, name, argv, limit=120, env=None):
        try:
            self.servers[name] = Server(argv, limit, env)
        except OSError as error:
            self.absent(name, str(error), skipped=False)

    def share(self, name, server):
        """One that somebody else closes."""
        self.servers[name] = server
        self.shared.add(name)

    def absent(self, name, why, skipped):
        self.servers[name] = Absent(why, skipped)

    def ask(self, name, *words):
        """The answer of one, or None if there is none."""
        try:
            return self.servers[name].ask(*words) if name in self.running() else None
        except Broken:
            return None

    def running(self):
        return [name for name, server in self.servers.items() if isinstance(server, Server)]

    def ask_in_turn(self, requests, rounds):
        """Of each in `requests`, which has the words for it: its samples, or the Broken or Absent
        that says why there are none."""
        def sampler(name):
            return lambda: self.servers[name].ask(*requests[name])

        measured = in_turn({name: sampler(name) for name in self.running() if name in requests},
                           rounds)
        return {name: measured.get(name, self.servers[name]) for name in requests}


def spread(samples):
    """Median and quartiles."""
    if len(samples) < 2:
        return samples[0], samples[0], samples[0]
    low, middle, high = statistics.quantiles(samples, n=4, method="inclusive")
    return middle, low, high
