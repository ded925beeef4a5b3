"""Command lines of the tools that run a series of random cases, one for each seed."""

import os
import random
import sys
from pathlib import Path

from harness.layout import Layout

TESTS = Path(__file__).resolve().parent.parent


def add_arguments(parser, cases, case):
    """Where ckc is, and the series: `cases` is what `--count` counts, and `case` is one of them."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--build", type=Path, metavar="DIR", help="build folder (default: build)")
    where.add_argument("--prefix", type=Path, metavar="DIR", help="an unpacked release instead")
    parser.add_argument("--count", type=int, default=100, help=f"so many {cases} (default: 100)")
    parser.add_argument("--seed", type=int, help=f"of the first {case}; the others follow")
    parser.add_argument("--jobs", "-j", type=int, default=os.cpu_count(), help=f"{case}s at a time")


def begin(arguments, tool):
    """The first seed, and the layout of what is run."""
    first = arguments.seed if arguments.seed is not None else random.SystemRandom().getrandbits(31)
    try:
        return first, Layout(TESTS, arguments.build, arguments.prefix)
    except FileNotFoundError as error:
        sys.exit(f"{tool}: {error}")
