"""Times the launches of a file's `#:` lines (tests/harness/kernels.py) with and without checks.

    launches.py LIBCK FILE CHECKS... [--device D] [--seconds S] [--simulator]

CHECKS are numbers of CK_CHECK_*, each a device; the first is what the others are compared with.
Prints a line of JSON for each kernel of the file: its launch that takes longest without checks, the
least time of a launch with each of CHECKS in seconds, the bytes of its arrays, and on a CPU by how
many bytes its peak memory exceeds that of the first; null where a check found something. The
launches alternate, on the same arrays, which get their values back before each. `--simulator`: with
Numba's simulator beside.
"""

import argparse
import ast
import ctypes
import json
import os
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "tests"), str(Path(__file__).resolve().parent)]

import libck  # noqa: E402
from harness import kernels  # noqa: E402
from harness.core import Failure  # noqa: E402

ALIGNMENT = 256
MAX_ROUNDS = 25
MAX_TEXT = 300  # of an error
TYPES = {name: np.dtype(name).type for name in libck.NUMBERS if name != "bfloat16"}


def aligned_copy(array):
    """In memory that begins like a ck_buffer's; C or Fortran order is kept."""
    order = "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"
    room = np.empty(array.nbytes + ALIGNMENT, np.uint8)
    start = -room.ctypes.data % ALIGNMENT
    copy = np.ndarray(array.shape, array.dtype, room, start, order=order)
    copy[...] = array
    return copy


# --- Timing --------------------------------------------------------------------------------------


class Launch:
    """What a line launches, on arrays of its own."""

    def __init__(self, session, text, values):
        self.text = text
        self.originals = {name: values[name] for name in kernels.names_in([text])
                          if libck.is_array(values.get(name))}
        self.arrays = {name: aligned_copy(array) for name, array in self.originals.items()}
        call = ast.parse(text, mode="eval").body
        self.kernel = call.func.value.id
        space = {"max": max, **TYPES, **values, **self.arrays}
        configuration = eval(ast.unparse(call.func.slice), space)
        arguments = [eval(ast.unparse(argument), space) for argument in call.args]
        self.configuration = configuration if isinstance(configuration, tuple) else (configuration,)
        self.arguments = arguments
        # ckrun converts a plain float to the type of the other floats; here it is a float64.
        self.has_plain_float = any(isinstance(argument, ast.Constant) and isinstance(argument.value, float)
                                   for argument in call.args)
        self.launch = session.launch(self.kernel, self.configuration, arguments)
        self.globals = session.read_globals()

    def restore(self, number):
        for name, array in self.arrays.items():
            array[...] = self.originals[name]
        self.launch.write()
        self.launch.session.write_globals(number, self.globals)

    def time(self, number):
        """Seconds; None: a check found something. On a CPU those that the process computed, to
        which other programs add little."""
        self.restore(number)
        clock = time.perf_counter if self.launch.session.is_on_gpu() else time.process_time
        start = clock()
        status = self.launch.run(number)
        seconds = clock() - start
        if status == libck.CHECK_FAILED:
            return None
        self.launch.session.check(status)
        return seconds

    def peak(self, number):
        """Bytes of a child that launches once; None: there are no checks that pass, or it is on a
        GPU, whose memory is not the process's."""
        if self.launch.session.is_on_gpu():
            return None
        self.restore(number)
        child = os.fork()
        if not child:
            os._exit(self.launch.run(number) != 0)
        _, status, usage = os.wait4(child, 0)
        return None if status else usage.ru_maxrss * 1024


def least_times(launch, n, budget):
    """The least time of each of the `n`. They alternate; each until its launches took the budget of
    seconds, so that the fast ones are launched often beside slow ones."""
    times, left = [[] for _ in range(n)], set(range(n))
    while left:
        for number in sorted(left):
            seconds = launch.time(number)
            if seconds is None:
                times[number] = None
                left.remove(number)
                continue
            times[number].append(seconds)
            if sum(times[number]) >= budget or len(times[number]) == MAX_ROUNDS:
                left.remove(number)
    return [min(samples) if samples else None for samples in times]


def measure(launch, n, budget, simulator):
    """A kernel's record."""
    for number in range(n):
        launch.launch.prepare(number)
    ctypes.CDLL(None).malloc_trim(0)  # so that no launch gets memory that compiling left
    peaks = [launch.peak(number) for number in range(n)]
    seconds = least_times(launch, n, budget)
    bytes_more = [None if None in (peak, peaks[0]) else peak - peaks[0] for peak in peaks]
    record = {"kernel": launch.kernel, "launch": launch.text, "seconds": seconds, "bytes": bytes_more,
              "arrays": sum(array.nbytes for array in launch.arrays.values())}
    if simulator:
        record.update(simulator.record(launch))
    launch.time(0)  # leaves the results
    launch.launch.read()
    launch.launch.free()
    return record


# --- Numba's simulator ---------------------------------------------------------------------------


class Simulator:
    """A file's kernels as Numba's simulator runs them, with checks of bounds. Numba cannot run
    all that ck can."""

    def __init__(self, source):
        os.environ.update(NUMBA_ENABLE_CUDASIM="1", NUMBA_BOUNDSCHECK="1")
        self.space, self.error = {}, None
        try:
            exec(compile(source, "simulated", "exec"), self.space)
        except Exception as error:
            self.error = error

    def record(self, launch):
        """What it adds to the launch's: its time, or why there is none."""
        if self.error:
            return {"simulator_error": describe_error(self.error)}
        launch.restore(0)
        kernel = self.space[launch.kernel]
        start = time.perf_counter()
        try:
            kernel[launch.configuration](*launch.arguments)
        except Exception as error:
            return {"simulator_error": describe_error(error)}
        return {"simulator": time.perf_counter() - start}


def describe_error(error):
    return f"{type(error).__name__}: {error}"[:MAX_TEXT]


# --- A file --------------------------------------------------------------------------------------


def is_measured(step):
    """A launch that is meant to fail is not, and none that needs options of ckrun."""
    return isinstance(step, kernels.Group) and not step.errors and not step.options


class Measurement:
    def __init__(self, arguments):
        self.script = kernels.parse(arguments.file)
        self.longest = {}
        self.has_run_all = True
        if not any(is_measured(step) for step in self.script.steps):
            self.session = None  # the file may be one that ck refuses
            return
        source = self.script.source.read_bytes()
        self.session = libck.Session(str(arguments.libck), source, arguments.device,
                                     arguments.checks)
        self.n = len(arguments.checks)
        self.budget = arguments.seconds
        self.simulator = Simulator(source.decode()) if arguments.simulator else None

    def run_launch(self, text, values):
        launch = Launch(self.session, text, values)
        record = measure(launch, self.n, self.budget, self.simulator)
        self.has_run_all &= not launch.has_plain_float
        for name, array in launch.arrays.items():
            values[f"{name}_in"], values[name] = values[name], array.copy("K")
        longest = self.longest.get(record["kernel"])
        if record["seconds"][0] is None:
            raise Failure(f"`{text}`: a launch without checks found something")
        if not longest or longest["seconds"][0] < record["seconds"][0]:
            self.longest[record["kernel"]] = record

    def run_group(self, group, shape, values):
        """Its launches; nothing that follows can be expected without all of them."""
        if not is_measured(group):
            self.has_run_all = False
            return
        before = dict(values)
        for text in kernels.all_launches(group, values):
            self.run_launch(kernels.with_shape(text, shape), values)
        for name in list(before):  # NAME_in is what the first of the launches got
            if libck.is_array(before[name]) and f"{name}_in" in values and values[name] is not before[name]:
                values[f"{name}_in"] = before[name]

    def run_shape(self, shape):
        self.has_run_all = True
        values = kernels.namespace(1, self.script.source.stem, schedule=0)
        for step in self.script.steps:
            if isinstance(step, kernels.Group):
                self.run_group(step, shape, values)
                continue
            number, kind, text = step
            text = kernels.with_shape(text, shape)
            if kind == "statement":
                exec(compile(text, f"line {number}", "exec"), values)
            elif self.has_run_all:
                kernels.check_expectation(number, text, values)

    def is_of_other_device(self):
        return self.script.only is not None and not self.session.name.startswith(self.script.only)

    def run(self):
        if not self.session or self.is_of_other_device():
            return []
        for shape in self.script.shapes:
            self.run_shape(shape)
        return self.longest.values()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("libck", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("checks", type=int, nargs="+")
    parser.add_argument("--device", default="cpu:1")
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--simulator", action="store_true")
    try:
        for record in Measurement(parser.parse_args()).run():
            print(json.dumps(record))
    except (Failure, libck.Error) as error:
        sys.exit(describe_error(error))


if __name__ == "__main__":
    main()
