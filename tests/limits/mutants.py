"""Mutants of sources, command lines, files and editors' messages: some of each kind in each run.
`tools/mutate.py` makes any number of them."""

from harness.mutants import KINDS

COUNTS = {"source": 40, "run": 20, "words": 40, "files": 40, "ptx": 20, "cache": 10, "lsp": 3}


def check(t, kind):
    mutants = KINDS[kind](t.layout, t.tmp)
    first = t.seed % 2 ** 31
    for seed in range(first, first + COUNTS[kind]):
        fault = mutants.fault(seed)
        assert fault is None, f"tools/mutate.py {kind} --count 1 --seed {seed}\n{fault}"


def test_sources(t):
    check(t, "source")


def test_kernels_that_run(t):
    check(t, "run")


def test_command_lines(t):
    check(t, "words")


def test_files(t):
    check(t, "files")


def test_ptx(t):
    check(t, "ptx")


def test_the_cache(t):
    check(t, "cache")


def test_messages_of_editors(t):
    check(t, "lsp")
