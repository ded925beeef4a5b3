"""The corpus: kernels with one planted mistake each, and right ones; see model.py.

  python3 tests/checks/corpus.py            counts, by finding
  python3 tests/checks/corpus.py NAME...    prints the programs whose name has this in it
"""

import collections
import importlib
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from checks.model import programs_of  # noqa: E402

FAMILIES = sorted(path.stem for path in (Path(__file__).parent / "patterns").glob("[a-z]*.py"))


def programs():
    """All programs, in the same order each time."""
    for family in FAMILIES:
        for pattern in importlib.import_module(f"checks.patterns.{family}").PATTERNS:
            for program in programs_of(pattern):
                program.name = f"{family}/{program.name}"
                yield program


def shown(program):
    label = program.label
    text = f"# {program.name}: {program.launch}\n"
    if label:
        places = " or ".join(str(place) for place in sorted(label.places))
        text += f"# {' or '.join(sorted(label.findings))} at {places}\n"
    return text + program.source


def main():
    everything = list(programs())
    wanted = [p for p in everything if any(word in p.name for word in sys.argv[1:])]
    for program in wanted:
        print(shown(program))
    if not sys.argv[1:]:
        counts = collections.Counter(" or ".join(sorted(p.label.findings)) if p.label else "right"
                                     for p in everything)
        for name, count in sorted(counts.items()):
            print(f"{count:4} {name}")
        print(f"{len(everything):4} programs of {len({p.pattern.name for p in everything})} patterns")


if __name__ == "__main__":
    main()
