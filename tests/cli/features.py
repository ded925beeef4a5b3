"""bench/features.py, which docs/comparison.md is made from: ck's side of it."""

import sys


def test_features(t):
    where = ["--build", t.build] if t.build else ["--prefix", t.root]
    script = [sys.executable, t.root / "bench" / "features.py", *where, "--no-cuda"]
    result = t.ok([*script, "--only", "block", "tile of 8", "grid:", "cluster:"], timeout=300)
    assert result.out.count(" right\n") >= 35, result
    assert not any(word in result.out for word in (" wrong: ", " fails: ")), result
