#!/usr/bin/env python3
"""Runs ck's tests: see `tests/run.py --help`, and CONTRIBUTING.md for the kinds of test.

Needs Python 3.9 and NumPy. Works on a build tree (--build) and on a release folder (--prefix).
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness.interpreter import with_numpy  # noqa: E402

with_numpy("tests/run.py")
from harness import core, goldens, kernels, lsp_golden, modules, temporary, units  # noqa: E402
from harness.layout import Layout  # noqa: E402


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Runs ck's tests.",
        epilog="Environment: CK_CORPUS=all makes tests take all of their cases that otherwise take "
               "a part by the seed; TMPDIR is where temporary files are (default: /dev/shm if there "
               "is room).")
    parser.add_argument("patterns", nargs="*", metavar="PATTERN",
                        help="run the tests whose name has this in it (or matches it as a glob)")
    parser.add_argument("--filter", action="append", default=[], metavar="PATTERN",
                        help="the same as a PATTERN")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--build", type=Path, metavar="DIR", help="build folder (default: build)")
    where.add_argument("--prefix", type=Path, metavar="DIR", help="an unpacked release instead")
    parser.add_argument("--device", choices=["cpu", "cuda", "emulated", "all"], default="all",
                        help="where run tests run (default: all there are, but for the emulated GPU)")
    parser.add_argument("--wrap", default="", metavar="COMMAND",
                        help="put COMMAND before every ckrun of a run test")
    parser.add_argument("--python", metavar="PYTHON",
                        help="run python/ tests with this one, in which the package is installed")
    parser.add_argument("--seed", type=int, help="repeat the random inputs of an earlier run")
    parser.add_argument("--random", type=int, default=6, metavar="N",
                        help="so many random kernels are run/random tests too (default: 6)")
    parser.add_argument("--bless", action="store_true",
                        help="write what parse, diag and lsp tests print as what is expected")
    parser.add_argument("--jobs", "-j", type=int, default=2, help="tests at a time (default: 2)")
    parser.add_argument("--slowest", type=int, default=0, metavar="N",
                        help="also name the N slowest tests")
    parser.add_argument("--list", action="store_true", help="name the tests and run none")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    temporary.keep_in_memory()
    tests_folder = Path(__file__).resolve().parent
    try:
        layout = Layout(tests_folder, arguments.build, arguments.prefix)
    except FileNotFoundError as error:
        sys.exit(f"tests/run.py: {error}")
    seed = arguments.seed if arguments.seed is not None else random.SystemRandom().getrandbits(31)
    layout.seed = seed
    layout.python = arguments.python
    layout.device = arguments.device
    if layout.device == "emulated":
        layout.emulate_cuda()
        layout.device = "cuda"

    tests = [
        *units.discover(layout),
        *goldens.discover(layout, arguments.bless),
        *lsp_golden.discover(layout, arguments.bless),
        *kernels.discover(layout, layout.device, seed, arguments.wrap, arguments.random,
                          arguments.list),
        *modules.discover(layout),
    ]
    tests = core.select(tests, arguments.patterns + arguments.filter)
    if arguments.list:
        print("\n".join(test.name for test in tests))
        return 0
    if not tests:
        sys.exit("tests/run.py: no test has such a name")
    with tempfile.TemporaryDirectory(prefix="ck-cache-") as layout.cache:
        return core.run_all(tests, arguments.jobs, arguments.slowest, seed)


if __name__ == "__main__":
    sys.exit(main())
