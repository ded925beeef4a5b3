"""Threads that have returned under ckrun --check: what they would race with is not reported, what
the others do is; and the time that the compiler takes to find what they may evaluate."""

KERNELS = """
@kernel
def right(x: int32[::1], o: int32[::1]):
    s = shared.array(64, int32)
    i = grid(1)
    if i >= x.size:
        return
    s[i] = x[i]
    syncthreads()
    o[i] = s[min(i + 1, x.size - 1)]
    syncthreads()
    s[i] = 0

@kernel
def races(x: int32[::1], o: int32[::1]):
    s = shared.array(64, int32)
    i = grid(1)
    if i >= x.size:
        return
    s[i] = x[i]
    o[i] = s[0]
    syncthreads()
    s[i] = 0
"""
CHECKS = "bounds,race,init,sync,async,overflow"


def launch(t, kernel):
    source = t.tmp / "returned.ck"
    source.write_text(KERNELS)
    return [t.ckrun, "--device", "cpu", f"--check={CHECKS}", source, f"{kernel}[1, 64](x, o)",
            "x=arange(40, dtype=int32)", "o=zeros(40, int32)"]


def test_checks(t):
    t.ok(launch(t, "right"))
    result = t.run(launch(t, "races"))
    assert result.rc and result.err.count("data race on") == 1, result
    assert "returned.ck:21:" in result.err, result


def test_functions_that_share_callees(t):
    """A chain of functions that call the one before twice: 2 ** 40 paths."""
    text = "def f0(v):\n    return v + 1\n\n"
    for i in range(1, 41):
        text += f"def f{i}(v):\n    return f{i - 1}(v) + f{i - 1}(v + 1)\n\n"
    source = t.tmp / "shared.ck"
    source.write_text(text + """@kernel
def k(x: int32[::1]):
    if grid(1) >= x.size:
        return
    x[grid(1)] = f40(x[grid(1)])
    syncthreads()
    x[grid(1)] += 1
""")
    t.ok([t.ckc, "--check", source])
