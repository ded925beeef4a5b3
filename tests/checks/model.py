"""What the corpus of labelled kernels is made of.

A pattern is the text of a right kernel with its launch, arrays and results; a change replaces some
of its lines, which plants a mistake, or writes the same in another form that is right too. Lines
that a change replaces or a label names end in a marker, `#@name`, which is stripped before use. So
labels are known from the text, and never from a tool.
"""

import re
import zlib
from dataclasses import dataclass, replace
from typing import Callable

import numpy as np

KINDS = {"out-of-bounds": "bounds", "data-race": "race", "uninitialized-read": "init",
         "barrier-never-passed": "sync", "barrier-misuse": "sync", "unwaited-copy": "async"}
MARKER = re.compile(r"\s*#@([\w,]+)\s*$")


@dataclass(frozen=True)
class Empty:
    """An array argument that `ckrun` makes by `empty(shape, dtype)`."""

    shape: tuple
    dtype: str


@dataclass(frozen=True)
class Change:
    """`lines` has, by marker, the text that replaces the marked line: none removes it, and the last
    line of several keeps the marker. `finding` is what a check reports (None: the kernel is still
    right), or several names with `|` where each of them is right. `at` has the places that one may
    name, by markers: "write read, write write". Findings in `allowed`, "finding: places", may come
    beside it: a thread that reads too early may read what is not set."""

    name: str
    lines: dict
    finding: str = None
    at: str = ""
    allowed: tuple = ()


@dataclass(frozen=True)
class Pattern:
    """`arrays(rng)` returns the arguments, `expect(arrays)` the outputs of the right kernel. Each
    variant replaces words of the form $NAME in text, changes and launch, and may set `values`
    that arrays and expect get as keyword arguments. Every other variant has Numba's names."""

    name: str
    text: str
    launch: str
    arrays: Callable
    expect: Callable
    changes: tuple
    variants: tuple = ({},)


@dataclass(frozen=True)
class Label:
    findings: frozenset  # names, each of which is right
    places: frozenset  # of sorted tuples of one or two line numbers
    allowed: frozenset = frozenset()  # of (name, places) that may be reported too

    def kinds(self):
        return {KINDS[name] for name in self.findings}

    def names(self, finding, lines):
        return finding in self.findings and lines in self.places

    def allows(self, finding, lines):
        return self.names(finding, lines) or (finding, lines) in self.allowed


@dataclass
class Program:
    name: str
    source: str
    launch: str
    pattern: Pattern
    values: dict
    label: Label = None  # None: the kernel is right

    def arrays(self, seed):
        """The arguments by name; Empty, or filled at random."""
        rng = np.random.default_rng([seed, zlib.crc32(self.name.encode())])
        return self.pattern.arrays(rng, **self.values)

    def expect(self, arrays):
        """The outputs by name, in the types of the arguments."""
        return {name: np.asarray(values).astype(arrays[name].dtype)
                for name, values in self.pattern.expect(arrays, **self.values).items()}


def substituted(text, words):
    for word in sorted(words, key=len, reverse=True):
        text = text.replace(f"${word}", str(words[word]))
    return text


def replaced(line, marker, text):
    """The lines that stand for one; the last keeps the marker."""
    indent = line[:len(line) - len(line.lstrip())]
    lines = [indent + part for part in text.split("\n")] if text else []
    if lines and not MARKER.search(lines[-1]):
        lines[-1] += f"  #@{marker}"
    return lines


def changed(text, change):
    """The text's lines after the change, markers included."""
    lines, left = [], set(change.lines)
    for line in text.strip("\n").split("\n"):
        found = MARKER.search(line)
        names = [name for name in found[1].split(",") if name in change.lines] if found else []
        assert len(names) <= 1, line
        if names:
            left -= set(names)
            lines += replaced(line, found[1], change.lines[names[0]])
        else:
            lines.append(line)
    assert not left, f"{change.name}: no line has the markers {left}"
    return lines


def without_markers(lines):
    """The source, and {marker: [line numbers]}."""
    markers, plain = {}, []
    for number, line in enumerate(lines, 1):
        found = MARKER.search(line)
        for name in found[1].split(",") if found else []:
            markers.setdefault(name, []).append(number)
        plain.append(MARKER.sub("", line))
    return "\n".join(plain) + "\n", markers


def places_of(text, markers):
    """The line numbers that "write read, write" names."""
    places = set()
    for item in text.split(","):
        names = item.split()
        assert 1 <= len(names) <= 2, text
        for first in markers[names[0]]:
            for second in markers[names[-1]]:
                places.add(tuple(sorted((first, second)))[:len(names)])
    return frozenset(places)


def label_of(change, markers):
    if change.finding is None:
        return None
    allowed = set()
    for item in change.allowed:
        finding, at = item.split(":")
        assert finding in KINDS, item
        allowed |= {(finding, place) for place in places_of(at, markers)}
    findings = frozenset(change.finding.split("|"))
    assert findings <= set(KINDS), change.finding
    return Label(findings, places_of(change.at, markers), frozenset(allowed))


RIGHT = Change("right", {})

NUMBA = re.compile(r"(?<![\w.])(?:(threadIdx|blockIdx|blockDim|gridDim|grid|gridsize|sync\w+|shared|local|"
                   r"atomic|threadfence\w*)|(this_\w+|\w+_partition))\b(?=[.(])")


def as_numba(source):
    """The same with Numba's names, line by line."""
    prefixed = NUMBA.sub(lambda m: f"cuda.{m[1]}" if m[1] else f"cuda.cg.{m[2]}", source)
    return prefixed.replace("@kernel", "@cuda.jit")


def programs_of(pattern):
    sources = set()
    for number, variant in enumerate(pattern.variants):
        words = {key: value for key, value in variant.items() if key != "values"}
        text, launch = substituted(pattern.text, words), substituted(pattern.launch, words)
        suffix = f"-{number}" if len(pattern.variants) > 1 else ""
        for change in (RIGHT, *pattern.changes):
            texts = {marker: substituted(line, words) for marker, line in change.lines.items()}
            source, markers = without_markers(changed(text, replace(change, lines=texts)))
            source = as_numba(source) if number % 2 else source
            assert "$" not in source, f"{pattern.name}: a word is left in\n{source}"
            if source not in sources:  # a variant may be what a change makes of another
                sources.add(source)
                yield Program(f"{pattern.name}{suffix}/{change.name}", source, launch, pattern,
                              variant.get("values", {}), label_of(change, markers))
