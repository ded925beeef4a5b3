"""Running a command: with a time limit, its whole process group killed past it."""

import os
import shlex
import signal
import subprocess
import time
from dataclasses import dataclass

from .core import Failure

# What a sanitised program exits with after a report (see ENVIRONMENT).
SANITIZER_EXIT = 86

ENVIRONMENT = {
    "LC_ALL": "C.UTF-8",
    "CK_CACHE_DIR": "",  # none: tests of the cache, and run tests, have folders of their own
    # LLVM's own containers are not instrumented, so their annotations mean nothing.
    "ASAN_OPTIONS": f"exitcode={SANITIZER_EXIT}:detect_container_overflow=0:detect_leaks=1",
    "UBSAN_OPTIONS": f"exitcode={SANITIZER_EXIT}:halt_on_error=1:print_stacktrace=1",
}
# For programs that LeakSanitizer cannot look at, or that leak on purpose.
LEAKS_ALLOWED = {"ASAN_OPTIONS": ENVIRONMENT["ASAN_OPTIONS"].replace("detect_leaks=1", "detect_leaks=0")}


@dataclass
class Result:
    argv: list
    rc: int
    out: str
    err: str
    seconds: float

    def __str__(self):
        text = f"$ {clipped(shlex.join(self.argv))}\nexit status {self.rc}\n"
        if self.out:
            text += f"--- stdout\n{clipped(self.out)}\n"
        if self.err:
            text += f"--- stderr\n{clipped(self.err)}\n"
        return text


def clipped(text, limit=4000):
    if len(text) <= limit:
        return text.rstrip("\n")
    return text[:limit] + f"\n... {len(text) - limit} more characters"


def environment(extra=None):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("CK_", "LC_", "LANG"))}
    return {**env, **ENVIRONMENT, **(extra or {})}


def kill_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.communicate()


def run(argv, timeout, cwd=None, env=None, input=None):
    """A hang, a crash and a sanitizer's report are failures of whoever asked; anything else is a
    Result. `env` is added to the environment; `input` is bytes or text."""
    argv = [str(a) for a in argv]
    data = input.encode() if isinstance(input, str) else input
    start = time.monotonic()
    process = subprocess.Popen(
        argv, cwd=cwd, env=environment(env), start_new_session=True,
        stdin=subprocess.PIPE if data is not None else subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        out, err = process.communicate(data, timeout=timeout)
    except subprocess.TimeoutExpired:
        kill_group(process)
        raise Failure(f"$ {shlex.join(argv)}\nno end after {timeout} s") from None
    except BaseException:
        kill_group(process)
        raise
    result = Result(argv, process.returncode, decoded(out), decoded(err),
                    time.monotonic() - start)
    if result.rc < 0:
        raise Failure(f"killed by {signal.Signals(-result.rc).name}\n{result}")
    if result.rc == SANITIZER_EXIT or "Sanitizer: " in result.err:
        raise Failure(f"a sanitizer's report\n{result}")
    return result


def decoded(data):
    return data.decode("utf-8", "backslashreplace")
