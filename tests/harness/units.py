"""Unit tests: executables test_* of the build, cmocka's (each of their tests counts) or plain."""

import os
import re

from .core import Outcome, Test
from .process import run

TAP_LINE = re.compile(
    r"^(?P<result>ok|not ok) \d+(?: - (?P<name>.*)|\s*# SKIP\s*(?P<skipped>.*))?$", re.M)
TIMEOUT = 120


def tap_outcomes(prefix, result):
    outcomes = []
    for i, line in enumerate(TAP_LINE.finditer(result.out)):
        name = f"{prefix}/{line['name'] or line['skipped'] or i + 1}"
        if line["skipped"] is not None:
            outcomes.append(Outcome(name, "skipped", "the test skipped itself"))
        elif line["result"] == "ok":
            outcomes.append(Outcome(name, "passed"))
        else:
            outcomes.append(Outcome(name, "failed", str(result)))
    if result.rc != 0 and not any(outcome.status == "failed" for outcome in outcomes):
        outcomes.append(Outcome(prefix, "failed", str(result)))
    return outcomes


def run_unit(layout, executable):
    env = {"CMOCKA_MESSAGE_OUTPUT": "TAP", "CK_ROOT": str(layout.root),
           "CK_FAKE_CUDA": str(layout.fake_cuda / "libcuda.so.1")}
    if layout.build is None:
        env["LD_LIBRARY_PATH"] = f"{layout.bin}:{layout.lib}"
    result = run([executable], TIMEOUT * layout.patience, cwd=layout.tests, env=env)
    return tap_outcomes(f"unit/{executable.name}", result)


def is_unit(path):
    return path.is_file() and path.suffix == "" and os.access(path, os.X_OK)


def discover(layout):
    for executable in sorted(layout.bin.glob("test_*")):
        if is_unit(executable):
            yield Test(f"unit/{executable.name}", lambda e=executable: run_unit(layout, e))
