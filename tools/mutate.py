#!/usr/bin/env python3
"""Runs ckc, ckrun and ck-lsp on mutants of valid input, and reports those that they take badly.

  tools/mutate.py --build build-sanitize --count 1000    of each kind
  tools/mutate.py source lsp --seed 7                    of some kinds

A mutant is a source, a command line, a file of an array, PTX, an entry of the cache, or a session
of an editor, with pieces deleted, doubled, swapped or replaced (tests/harness/mutants.py). A tool
may take it, or refuse it with exit status 1 or 2 and a message that has the place. A crash, a hang,
a report of a sanitizer, another status and another message are faults: with `--keep FOLDER` such
mutants and their commands stay there. The exit status is the number of faults, at most 99.
"""

import argparse
import concurrent.futures
import sys
import tempfile
from itertools import repeat
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests"))

from harness.interpreter import with_numpy  # noqa: E402

with_numpy("tools/mutate.py")
from harness import series  # noqa: E402
from harness.mutants import KINDS  # noqa: E402

kept_between = {}  # of this process: the mutants of each kind


def fault_of(layout, kind, seed, keep, tmp):
    if kind not in kept_between:
        kept_between[kind] = KINDS[kind](layout, Path(tempfile.mkdtemp(dir=tmp)))
    mutants = kept_between[kind]
    fault = mutants.fault(seed)
    if fault and keep:
        folder = keep / f"{kind}-{seed}"
        folder.mkdir(parents=True, exist_ok=True)
        mutants.keep(folder)
        (folder / "fault").write_text(fault)
    return fault


def parsed_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    series.add_arguments(parser, "mutants of each kind", "mutant")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(KINDS)} (default: all)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="for mutants with faults")
    arguments = parser.parse_args()
    unknown = [kind for kind in arguments.kinds if kind not in KINDS]
    if unknown:
        parser.error(f"no kind `{unknown[0]}`: there are {', '.join(KINDS)}")
    return arguments


def main():
    arguments = parsed_arguments()
    first, layout = series.begin(arguments, "tools/mutate.py")
    n_faults = 0
    pool = concurrent.futures.ProcessPoolExecutor(arguments.jobs)
    with tempfile.TemporaryDirectory(prefix="ck-mutate-") as tmp, pool:
        for kind in arguments.kinds or KINDS:
            seeds = range(first, first + arguments.count)
            faults = pool.map(fault_of, repeat(layout), repeat(kind), seeds, repeat(arguments.keep),
                              repeat(tmp))
            n = 0
            for seed, fault in zip(seeds, faults):
                if fault:
                    print(f"{kind} --seed {seed}: {fault}", flush=True)
                    n += 1
            print(f"{kind}: {arguments.count} mutants from --seed {first}: {n} faults", flush=True)
            n_faults += n
    return min(n_faults, 99)


if __name__ == "__main__":
    sys.exit(main())
