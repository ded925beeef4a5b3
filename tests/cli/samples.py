"""The kernels of the benchmark group `samples`, small, on the CPU, beside NumPy's results; and what
CUDA's samples do not check of theirs."""

import re
import sys
from pathlib import Path

import numpy as np

from cli.suite import is_right, run_pairs
from harness import sample_references

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

from suite.pair_group import argument_words  # noqa: E402
from suite.pair_table import PAIRS  # noqa: E402
from suite.sample_table import SAMPLES  # noqa: E402


def run_file(t, file):
    """Of each kernel its arrays before and after, which are compared with the reference."""
    pairs = [pair for pair in SAMPLES if pair.file == file]
    before, after = run_pairs(t, pairs)
    for pair in pairs:
        arrays = {name: value.astype(np.float64) if value.dtype.kind == "f" else value
                  for name, value in before[pair.name].items()}
        want = getattr(sample_references, pair.name)(**{**pair.small, **arrays})
        due = {name for name, array in pair.data(pair.small).items() if array.use in ("out", "inout")}
        assert set(want) == due, (pair.name, set(want))
        for name in due:
            got, expected = after[pair.name][name], np.asarray(want[name])
            assert got.shape == expected.shape and is_right(pair, got, expected), (pair.name, name, got, expected)
    return before, after


def test_finance(t):
    run_file(t, "finance")


def test_bodies(t):
    run_file(t, "bodies")


def test_basics(t):
    """Each block of `clock_min` ended after it began."""
    _, after = run_file(t, "basics")
    began, ended = after["clock_min"]["times"]
    assert (began != 0).all() and (ended > began).all(), (began, ended)


def decoded(result):
    """The colours of the pixels that blocks of two words stand for."""
    ends = np.stack([result[:, 0] & 0xFFFF, result[:, 0] >> 16], axis=1).astype(np.int64)
    assert (ends[:, 0] >= ends[:, 1]).all()  # else it is another format
    ends = np.stack([ends >> 11 & 31, ends >> 5 & 63, ends & 31], axis=2) / [31, 63, 31]
    first, second = ends[:, 0], ends[:, 1]
    palette = np.stack([first, second, (2 * first + second) / 3, (first + 2 * second) / 3], axis=1)
    codes = result[:, 1].astype(np.int64)[:, None] >> 2 * np.arange(16) & 3
    return np.take_along_axis(palette, codes[:, :, None], axis=1)


def test_dxtc(t):
    """What is written decodes to colours with the error that was found."""
    before, after = run_file(t, "dxtc")
    blocks = sample_references.colours(before["dxtc"]["pixels"])
    errors = ((decoded(after["dxtc"]["result"]) - blocks) ** 2).sum(axis=(1, 2))
    assert np.allclose(after["dxtc"]["errors"] + (blocks**2).sum(axis=(1, 2)), errors, atol=1e-3), errors


def test_layouts(t):
    run_file(t, "layouts")


def test_generators(t):
    """The states have changed, and threads have different numbers."""
    before, after = run_file(t, "generators")
    assert (before["state_uniform"]["numbers"] != after["state_uniform"]["numbers"]).all()
    for name in ("philox_uniform", "philox_normal", "state_uniform"):
        assert len(set(after[name]["means"])) > 30, after[name]


def n_pointers(pair):
    """What the driver gets for the arguments of ck's kernel."""
    shapes = [array.shape for array in pair.data(pair.sizes).values()]
    extents = {"a": lambda at: len(shapes[at]), "v": lambda at: len(shapes[at]) - 1}
    return sum(1 + extents[word[0]](int(word[1:])) if word[0] in extents else 1
               for word in argument_words(pair, pair.ck, "a", "i"))


def test_arguments_of_pairs(t):
    """As many as the kernel's entry takes."""
    texts = {}
    for pair in [pair for pair in SAMPLES + PAIRS if not pair.is_generic()]:
        source = pair.source(".ck")
        if source not in texts:
            texts[source] = t.ok([t.ckc, "-arch=sm_90", source, "-o", "-"], timeout=120).out
        head = re.search(rf"\.entry {pair.name}\((.*?)\n\)", texts[source], re.S)[1]
        assert head.count(".param") == n_pointers(pair), (pair.name, head)
