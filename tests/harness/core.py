"""Tests, their outcomes, and running them side by side."""

import concurrent.futures
import fnmatch
import os
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Callable


class Failure(Exception):
    """What was expected did not happen; the text says what did."""


class Skip(Exception):
    """The test cannot run here; the text says why."""


@dataclass
class Outcome:
    name: str
    status: str  # "passed", "failed" or "skipped"
    detail: str = ""
    seconds: float = 0.0


@dataclass
class Test:
    """`run` returns None, or the outcomes of the tests inside it; it raises Failure or Skip."""

    name: str
    run: Callable


def takes_all():
    """Whether tests that otherwise take a part of their cases, chosen by the seed, are to take
    all."""
    return os.environ.get("CK_CORPUS") == "all"


def select(tests, patterns):
    if not patterns:
        return tests

    def wanted(name):
        return any(p in name or fnmatch.fnmatchcase(name, p) for p in patterns)

    return [test for test in tests if wanted(test.name)]


def explain_assertion(error):
    """The source line of a bare `assert`, as its text is empty."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name}:{frame.lineno}: {frame.line}"
    return f"{where}\n{error}" if str(error) else where


def run_one(test):
    start = time.monotonic()
    try:
        outcomes = test.run() or [Outcome(test.name, "passed")]
    except Skip as skip:
        outcomes = [Outcome(test.name, "skipped", str(skip))]
    except Failure as failure:
        outcomes = [Outcome(test.name, "failed", str(failure))]
    except AssertionError as error:
        outcomes = [Outcome(test.name, "failed", explain_assertion(error))]
    except Exception:  # an error of the test itself is a failure, shown whole
        outcomes = [Outcome(test.name, "failed", traceback.format_exc())]
    for outcome in outcomes:
        outcome.seconds = (time.monotonic() - start) / len(outcomes)
    return outcomes


def indented(text, limit=60):
    lines = text.rstrip("\n").split("\n")
    if len(lines) > limit:
        lines = lines[:limit] + [f"... {len(lines) - limit} more lines"]
    return "".join(f"    {line}\n" for line in lines)


def report_skips(outcomes):
    """One line for each reason, as a reason often holds for many tests."""
    reasons = {}
    for outcome in outcomes:
        if outcome.status == "skipped":
            reasons.setdefault(outcome.detail, []).append(outcome.name)
    for reason, names in reasons.items():
        which = names[0] if len(names) == 1 else f"{len(names)} tests, {names[0]} the first"
        print(f"skipped: {reason} ({which})")


def run_all(tests, jobs, n_slowest, seed):
    """Prints failures in detail, the seed that repeats them, and the counts; the exit status."""
    outcomes = []
    with concurrent.futures.ThreadPoolExecutor(max(1, jobs)) as pool:
        running = [pool.submit(run_one, test) for test in tests]
        try:
            for future in running:  # in order, so that two runs print alike
                for outcome in future.result():
                    outcomes.append(outcome)
                    if outcome.status == "failed":
                        print(f"FAILED {outcome.name}\n{indented(outcome.detail)}", flush=True)
        except KeyboardInterrupt:
            for future in running:
                future.cancel()
            sys.exit(130)

    for outcome in sorted(outcomes, key=lambda o: -o.seconds)[:n_slowest]:
        print(f"{outcome.seconds:8.2f} s  {outcome.name}")
    report_skips(outcomes)
    if any(outcome.status == "failed" for outcome in outcomes):
        print(f"--seed {seed} repeats the failures")
    count = {status: sum(o.status == status for o in outcomes)
             for status in ("passed", "failed", "skipped")}
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count["failed"] or not count["passed"] else 0
