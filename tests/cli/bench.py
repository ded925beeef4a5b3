"""The benchmarks run; what they measure is asserted nowhere."""

import json
import sys


def run_bench(t, *words, **kwargs):
    where = ["--build", t.build] if t.build else ["--prefix", t.root]
    return t.run([sys.executable, t.root / "bench" / "run", *where, *words], **kwargs)


def test_quick(t):
    if t.build and not (t.build / "bench").exists():
        t.skip("built without benchmarks")
    result = run_bench(t, "--quick", "--no-peers", "--json", t.tmp / "out.json", "compile", "cpu",
                       timeout=300)
    assert result.rc == 0, result
    rows = json.loads((t.tmp / "out.json").read_text())["rows"]
    assert {row["group"] for row in rows} == {"compile", "cpu"}, result
    measured = [row for row in rows if row["status"] == "ok"]
    assert len(measured) >= 8, result
    assert all(row["median"] > 0 for row in measured), result


def test_gpu_is_skipped_without_one(t):
    if t.build and not (t.build / "bench").exists():
        t.skip("built without benchmarks")
    env = t.fake_cuda_env(devices=0)
    result = run_bench(t, "--quick", "gpu", env=env, timeout=300)
    assert result.rc == 0 and "skipped" in result.out, result


def test_unknown_group(t):
    result = run_bench(t, "nonsense")
    assert result.rc == 2 and "compile, cpu, gpu" in result.err, result
