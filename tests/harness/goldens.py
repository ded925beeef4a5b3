"""Golden tests: what ckc prints for a file, compared with the file beside it.

parse/NAME.ck with NAME.ast: the outline of its syntax tree.
diag/**/NAME.ck with NAME.err: the messages of `ckc --check`, carets and all.
"""

import difflib

from .core import Failure, Test
from .process import run

TIMEOUT = 30


def difference(expected, actual):
    lines = difflib.unified_diff(expected.splitlines(), actual.splitlines(),
                                 "expected", "actual", lineterm="")
    return "\n".join(lines) or "they differ in line ends"


def compare(golden, actual, bless):
    expected = golden.read_text(errors="backslashreplace") if golden.exists() else None
    if expected == actual:
        return
    if bless:
        golden.write_text(actual)
        return
    if expected is None:
        raise Failure(f"{golden.name} is missing; --bless would write:\n{actual}")
    raise Failure(difference(expected, actual))


def check_parse(layout, source, bless):
    result = run([layout.ckc, "--emit=ast", "-o", "-", source.name], TIMEOUT * layout.patience,
                 cwd=source.parent)
    if result.rc != 0 or result.err:
        raise Failure(str(result))
    compare(source.with_suffix(".ast"), result.out, bless)


def check_diag(layout, source, bless):
    result = run([layout.ckc, "--check", source.name], TIMEOUT * layout.patience,
                 cwd=source.parent)
    wanted = 1 if ": error: " in result.err else 0
    if result.rc != wanted or result.out:
        raise Failure(f"exit status {wanted} and nothing on stdout are due\n{result}")
    compare(source.with_suffix(".err"), result.err, bless)


def check_orphan(golden):
    raise Failure(f"{golden.name} has no {golden.stem}.ck beside it")


def discover_kind(layout, kind, suffix, check, bless):
    folder = layout.tests / kind
    for source in sorted(folder.rglob("*.ck")):
        name = source.relative_to(layout.tests).with_suffix("").as_posix()
        yield Test(name, lambda s=source: check(layout, s, bless))
    for golden in sorted(folder.rglob(f"*{suffix}")):
        if not golden.with_suffix(".ck").exists():
            name = golden.relative_to(layout.tests).as_posix()
            yield Test(name, lambda g=golden: check_orphan(g))


def discover(layout, bless):
    yield from discover_kind(layout, "parse", ".ast", check_parse, bless)
    yield from discover_kind(layout, "diag", ".err", check_diag, bless)
