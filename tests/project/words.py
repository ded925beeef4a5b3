"""The words of the tree: the field's terms, not the private ones that it once had; docs/glossary.md.

Each rule refuses a term in texts, names and file names, by what the folders hold line by line; parts
of a name between underscores count as words. USES lists what a rule finds and is right. Lines of
prose (comments, docstrings, pages) are held to 100 columns too.
"""

import ast
import io
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path

# Folders, and files at the top, that are held to the words.
CLEAN = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md", "bench", "codegen", "docs",
         "examples", "include", "lang", "runtime", "src", "tests", "tools"]
# They repeat sources and messages; this file, and what it needs to name.
LEFT_OUT = [r"\.(err|ast|svg|npy|npz)$", r"^tests/project/words\.py$", r"^docs/glossary\.md$",
            r"^tests/diag/syntax/long_line\.ck$"]
COLUMNS = 100


@dataclass
class Rule:
    name: str
    pattern: str  # of whole words, without regard to case
    instead: str
    examples: list  # of what it finds
    files: str = ""  # where it holds: everywhere


RULES = [
    Rule("turn", r"turns?(?! (?:it |them |\w+ )?(?:off|on|into)\b)", "iteration, trip count, step",
         ["every turn of the loop", "several turns at once", "for turn in range(turns):"]),
    Rule("ways", r"ways|(?:every|each|any|one|some|whichever) way|way (?:out of|from|through|back)",
         "CFG edge, path, predecessor, successor",
         ["where every way from it leads", "two ways to a block", "on_two_ways"]),
    Rule("part", r"parted|parts? ways|(?:lanes?|threads?|warps?|they) part|"
         r"parts? of (?:a |the )?(?:warps?|blocks?|tiles?)",
         "diverge, divergent; partition, sub-warp group",
         ["lanes part at a branch", "warps that have parted", "operations of parts of warps"]),
    Rule("together", r"(?:come|comes|came|coming)(?: \w+){0,4} together",
         "reconverge, converged", ["where the lanes come together", "they came to it together"]),
    Rule("meet", r"meets?|met|meeting", "reconverge; synchronise", ["until they meet", "def meet():"]),
    Rule("halves", r"halves", "arrive and wait, split-phase barrier", ["halves of a split barrier"]),
    Rule("told", r"told|tells?|telling", "reported, says, shows, is known",
         ["is told once", "which tells how many", "open_and_tell()"]),
    Rule("gives", r"gives|gave", "returns, computes, leads to", ["it gives every lane the sum"]),
    Rule("mend", r"mend(?:s|ed|ing)?", "fix", ["how to mend it"]),
    Rule("blame", r"blam(?:e|es|ed|ing)", "cause", ["the one to blame"]),
    Rule("judge", r"judg(?:e|es|ed|ing)", "classify, check, decide", ["it cannot judge them"]),
    Rule("survey", r"survey(?:s|ed|ing)?", "scan", ["a survey of the blocks", "survey_calls"]),
    Rule("nobody", r"nobody (?:writes|reads|has written|wrote|asked for)|nothing asked for",
         "read-only; unused; implicit", ["what nobody writes", "float64 that nothing asked for"]),
    Rule("in place", r"expand(?:s|ed|ing)? in place", "inline, inlined", ["it is expanded in place"]),
    Rule("apart", r"(?:stand|stands|stood) (?:apart|aside)", "outlined, cold", ["code that stands aside"]),
    Rule("exchange", r"exchang(?:e|es|ed|ing)", "warp-level primitive: shuffle, vote, match",
         ["exchanges of a warp", "free_exchanges"]),
    Rule("heads", r"heads|decides", "region header, uniform branch", ["what heads a region"],
         files=r"^codegen/"),
    Rule("lockstep", r"lockstep", "block loops", ["lockstep_flow.c"]),
    Rule("old files", r"(?:later|foreign)\.def|uniform\w*\.[ch]|(?<![a-z]_)(?:stride|guard|check_follow|host_together)\.c",
         "unsupported.def, numba_names.def, divergence*, unroll_runtime.c, trip_guard.c, block_loops*",
         ["lang/later.def", "see uniform_walk.c", "stride.c"]),
]


@dataclass
class Use:
    rule: str
    files: str  # a pattern of paths
    text: str  # what the rule finds is inside what this matches
    reason: str


USES = [
    Use("turn", r"^(bench|tests|tools)/", r"(?<![a-z])in[ _]turn(?![a-z])", "one after the other"),
    Use("ways", r"^(examples|tests)/", r"three ways, with|four ways to divide", "manners"),
    Use("halves", r"^tests/run/teaching/", r"reverse_halves", "of an array"),
    Use("meet", r"^(bench/|tests/cli/|docs/performance\.md)", r"\bmet\b", "of limits and goals"),
]


def whole_words(pattern):
    return re.compile(rf"(?<![A-Za-z])(?:{pattern})(?![A-Za-z])", re.I)


PATTERNS = {rule.name: whole_words(rule.pattern) for rule in RULES}


def rightful(rule, path, line, found):
    return any(use.rule == rule.name and re.search(use.files, path) and
               any(m.start() <= found.start() and found.end() <= m.end()
                   for m in re.finditer(use.text, line, re.I)) for use in USES)


def terms_in(path, lines):
    """[(line number, rule, what was found)]; line 0 is the file's name."""
    faults = []
    for number, line in enumerate([path, *lines]):
        for rule in RULES:
            if re.search(rule.files, path):
                faults += [(number, rule, found[0]) for found in PATTERNS[rule.name].finditer(line)
                           if not rightful(rule, path, line, found)]
    return faults


# --- Prose ----------------------------------------------------------------------------------------

C_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.S)


def lines_between(text, begin, end):
    return range(text.count("\n", 0, begin) + 1, text.count("\n", 0, end) + 2)


def c_prose(text):
    return {number for token in C_TOKEN.finditer(text) if token[0].startswith("/")
            for number in lines_between(text, token.start(), token.end())}


def python_prose(text):
    """Comments and docstrings."""
    numbers = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            numbers.add(token.start[0])
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and \
                isinstance(getattr(body[0].value, "value", None), str):
            numbers |= set(range(body[0].lineno, body[0].end_lineno + 1))
    return numbers


def hash_prose(text):
    """Comments from `#` on; not the statements of run tests."""
    return {number for number, line in enumerate(text.splitlines(), 1)
            if re.search(r"#(?![:!{])[^\"']*$", line)}


def markdown_prose(text):
    """All but code blocks, tables and lines that a link makes long."""
    numbers, code = set(), False
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\s*(```|~~~)", line):
            code = not code
        elif not code and not re.match(r"\s*(\||\[[^\]]+\]: )", line):
            numbers.add(number)
    return numbers


PROSE = {
    ".c": c_prose, ".h": c_prose, ".def": c_prose, ".re": c_prose, ".cu": c_prose, ".cl": c_prose,
    ".py": python_prose, ".md": markdown_prose, ".ck": hash_prose, ".sh": hash_prose,
    ".build": hash_prose,
}


def width(line):
    """Links count as their text."""
    return len(re.sub(r"\]\([^)]*\)", "]", line))


def reader_of(path, text):
    if path.suffix in PROSE:
        return PROSE[path.suffix]
    return python_prose if text.startswith("#!/usr/bin/env python3") else hash_prose


def long_prose(path, text):
    lines = text.split("\n")
    return [number for number in sorted(reader_of(path, text)(text))
            if width(lines[number - 1]) > COLUMNS]


# --- Tests ----------------------------------------------------------------------------------------


def tracked(t):
    if not (t.root / ".git").exists():
        t.skip("no git repository")
    git = [t.need("git"), "-c", "safe.directory=*", "-C", t.root, "ls-files", "--", *CLEAN]
    found = [name for name in t.ok(git).out.splitlines()
             if not any(re.search(pattern, name) for pattern in LEFT_OUT)]
    assert len(found) > len(CLEAN), found
    return [(name, t.root / name) for name in found if (t.root / name).is_file()]


def text_of(path):
    return path.read_text(encoding="utf-8", errors="replace")


def listed(faults, limit=40):
    more = [f"and {len(faults) - limit} more"] if len(faults) > limit else []
    return "\n".join(faults[:limit] + more)


def test_terms(t):
    faults = [f"{name}:{number}: `{found}`: rather {rule.instead}"
              for name, path in tracked(t)
              for number, rule, found in terms_in(name, text_of(path).splitlines())]
    assert not faults, listed(faults)


def test_prose_ends_at_100_columns(t):
    faults = [f"{name}:{number}" for name, path in tracked(t)
              for number in long_prose(path, text_of(path))]
    assert not faults, listed(faults)


def test_rules_find_what_they_refuse(t):
    for rule in RULES:
        path = "codegen/x.c"
        for text in rule.examples:
            assert rule.name in [r.name for _, r, _ in terms_in(path, [text])], (rule.name, text)
        for text in ("a saturn", "trip_guard.c", "returns", "always", "apartment", "stellar", "amends", "farewell"):
            assert not terms_in(path, [text]), (rule.name, text)


def test_uses_are_used(t):
    """No entry of the list is left over."""
    texts = [(name, text_of(path)) for name, path in tracked(t)]
    for use in USES:
        pattern = PATTERNS[use.rule]
        assert any(re.search(use.files, name) and pattern.search(found[0])
                   for name, text in texts for found in re.finditer(use.text, text, re.I)), use


def test_prose_is_found(t):
    long = "x" * 101
    for name, text, numbers in [
            ("a.c", f'int a; /* b\n{long} */\nchar *s = "/* {long}";\n// {long}\n', [2, 4]),
            ("a.py", f'"""A\n{long}\n"""\nx = "{long}"\n# {long}\n', [2, 5]),
            ("a.ck", f"#: {long}\n# {long}\nx = 1  # {long}\n", [2, 3]),
            ("a.md", f"{long}\n```\n{long}\n```\n| {long} |\n[a](http://{long})\n", [1]),
            ("a", f"#!/bin/sh\n# {long}\necho {long}\n", [2])]:
        assert long_prose(Path(name), text) == numbers, (name, long_prose(Path(name), text))
