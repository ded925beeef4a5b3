#!/usr/bin/env python3
"""Compares random kernels with what the same does in Python, and reduces those that differ.

  tools/fuzz.py --build build --count 500             on the CPU device
  tools/fuzz.py --prefix . --device cuda --seed 1     of a release, on a GPU
  tools/fuzz.py --device emulated             of the PTX, without a GPU: tests/emulator/
  tools/fuzz.py --indices --device emulated   integers, extents and strides at their limits
  tools/fuzz.py --device emulated --ckc=-O0   compiled by ckc with these options
  tools/fuzz.py --check --count 10000                 under `ckrun --check`, which reports nothing
  tools/fuzz.py --plant --count 500                   with one mistake each, which it reports
  tools/fuzz.py --use text --count 500                kernels that print; `each`: of all kinds

A kernel that differs is printed with as few lines as differ still; with `--check`, `--plant`
and `--indices` whole. The exit status is the number of such kernels, at most 99.
tests/harness/programs.py says what the kernels are made of, program_tables.py and
program_features.py have the kinds of `--use`, index_programs.py the kernels of `--indices`,
tests/checks/plants.py which mistakes there are.
"""

import argparse
import collections
import concurrent.futures
import sys
import tempfile
from itertools import repeat
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests"))

from harness.interpreter import with_numpy  # noqa: E402

with_numpy("tools/fuzz.py")
from checks.plants import Planted  # noqa: E402
from harness import kernels, series  # noqa: E402
from harness.core import Failure  # noqa: E402
from harness.programs import KINDS, Program  # noqa: E402


def failure_of(layout, program, due, options, ckc=None):
    """What differs from what is due, as a text, or None."""
    try:
        kernels.check_program(layout, program, due, options, [], program.seed, ckc)
    except Failure as failure:
        return str(failure)
    return None


def indent(line):
    return len(line[0]) - len(line[0].lstrip())


def shorter(lines):
    """The lines without each statement in turn, and with a block in the place of its head."""
    for first in reversed(range(len(lines))):
        end = first + 1
        while end < len(lines) and indent(lines[end]) > indent(lines[first]):
            end += 1
        yield lines[:first] + lines[end:]
        if end > first + 1:
            yield lines[:first] + [(ck[4:], python[4:]) for ck, python in lines[first + 1:end]] + lines[end:]


def is_sound(lines):
    """Local arrays begin with what is stored there, as otherwise anything is right; loops count
    down."""
    code = [ck.strip() for ck, _ in lines]
    for head, first in zip(code, [*code[1:], ""]):
        if head.startswith("while ") and not first.endswith(" -= 1"):
            return False
    has_array = any(line.startswith("own = ") for line in code)
    return not has_array or (any(line.startswith("for k0 in") for line in code)
                             and any(line.startswith("own[k0] = ") for line in code))


def reduce(lines, fails):
    """As few of the lines as `fails(lines)` holds for, taking away statements one by one."""
    left = True
    while left:
        left = next((few for few in shorter(lines) if is_sound(few) and fails(few)), None)
        lines = left or lines
    return lines


def reduced(layout, program, options, ckc):
    def fails(lines):
        program.lines = lines
        try:
            failure = failure_of(layout, program, program.due(), options, ckc)
        except Exception:  # what is left is no program in Python
            return False
        return failure is not None and (" == due_" in failure or "these lines are due" in failure)

    whole = program.lines
    program.lines = reduce(whole, fails) if fails(whole) else whole
    return program


def kind_used(use, seed):
    """The kind of a kernel, by `--use`."""
    return KINDS[seed % len(KINDS)] if use == "each" else use


def report(layout, device, whole, ckc, use, seed):
    """Of the kernel that differs; None: it does not. `whole`: it is not reduced. `ckc`: its
    options, if it compiles the kernel."""
    schedules = kernels.cpu_schedules(seed)
    on_cpu = [schedules["seq"], schedules["random-b"]]
    program = Program(seed, kind_used(use, seed))
    due = program.due()
    for options in on_cpu if device == "cpu" else [["--device", "cuda"]]:
        failure = failure_of(layout, program, due, options, ckc)
        if failure:
            program = program if whole else reduced(layout, program, options, ckc)
            return f"--seed {seed}: {failure}\n\n{program.source()}\n{program.launch}, n={program.n}\n"
    return None


def report_checked(layout, use, seed):
    """Of what `--check` finds in a right kernel, or of its results, under one of the schedules."""
    program, schedules = Program(seed, kind_used(use, seed)), list(kernels.cpu_schedules(seed).values())
    failure = failure_of(layout, program, program.due(), ["--check", *schedules[seed % len(schedules)]])
    return f"--seed {seed}: {failure}\n\n{program.source()}" if failure else None


def report_planted(layout, use, seed):
    """The outcome that is due of a mistake, and what differs from it or None."""
    planted = Planted(seed, kind_used(use, seed))
    return planted.outcome(), planted.fault(layout)


def report_indices(layout, device, seed):
    """Of integers and indices at their limits, in a process of its own: it may crash."""
    try:
        result = kernels.launch_indices(layout, device, seed, 1)
    except Failure as failure:
        return f"--seed {seed}: {failure}"
    return result.out if result.rc else None


def parsed_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    series.add_arguments(parser, "kernels", "kernel")
    mode = parser.add_mutually_exclusive_group()
    parser.add_argument("--device", choices=["cpu", "cuda", "emulated"], default="cpu")
    mode.add_argument("--check", action="store_true", help="run under `ckrun --check`, on the CPU device")
    mode.add_argument("--plant", action="store_true", help="plant a mistake in each, which --check is to report")
    mode.add_argument("--indices", action="store_true",
                      help="integers, extents and strides at their limits, launched by the Python package")
    parser.add_argument("--use", choices=[*KINDS, "each"], metavar="KIND",
                        help=f"only kernels with this kind of built-ins: each, or {', '.join(KINDS)}")
    parser.add_argument("--ckc", metavar="OPTIONS", type=str.split,
                        help="compile by ckc with these options, for sm_75, and launch its PTX on a GPU")
    parser.add_argument("--whole", action="store_true", help="print kernels that differ as they are")
    arguments = parser.parse_args()
    if arguments.ckc is not None and (arguments.device == "cpu" or arguments.check or arguments.plant or arguments.indices):
        parser.error("--ckc needs --device cuda or emulated, and none of --check, --plant and --indices")
    if arguments.use and arguments.indices:
        parser.error("--use and --indices cannot be combined")
    return arguments


def main():
    arguments = parsed_arguments()
    first, layout = series.begin(arguments, "tools/fuzz.py")
    if arguments.device == "emulated":
        layout.emulate_cuda()
    failed, outcomes = 0, collections.Counter()
    with tempfile.TemporaryDirectory(prefix="ck-fuzz-") as layout.cache, \
            concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        seeds = range(first, first + arguments.count)
        if arguments.plant:
            texts = pool.map(report_planted, repeat(layout), repeat(arguments.use), seeds)
        elif arguments.check:
            texts = pool.map(report_checked, repeat(layout), repeat(arguments.use), seeds)
        elif arguments.indices:
            texts = pool.map(report_indices, repeat(layout), repeat(arguments.device), seeds)
        else:
            texts = pool.map(report, repeat(layout), repeat(arguments.device), repeat(arguments.whole),
                             repeat(arguments.ckc), repeat(arguments.use), seeds)
        for text in texts:
            if arguments.plant:
                outcome, text = text
                outcomes[outcome] += 1
            if text:
                print(text, flush=True)
                failed += 1
    for outcome, count in sorted(outcomes.items()):
        print(f"{count:6} {outcome}")
    kind = "planted" if arguments.plant else "checked" if arguments.check else arguments.device
    where = f"on {kind}" if kind == arguments.device else kind
    print(f"{arguments.count} kernels from --seed {first} {where}: {failed} differ")
    return min(failed, 99)


if __name__ == "__main__":
    sys.exit(main())
