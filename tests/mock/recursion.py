"""The stack of a CUDA context, which launches of recursive kernels need larger. The fake driver
keeps a log of its calls."""

TEXT = """
def down(n):
    return 0 if n == 0 else 1 + down(n - 1)

@kernel
def k(x: int64[:]):
    x[0] = down(x[0])

@kernel
def plain(x: int64[:]):
    x[0] = 1
"""

NEEDED = 20 << 10


def words(t, kernel):
    return [t.ckrun, "--device", "cuda", t.write("k.ck", TEXT), f"{kernel}[1, 32](x)", "x=zeros(4, int64)"]


def calls(t, kernel="k", **settings):
    log = t.tmp / "calls"
    log.write_text("")
    t.ok(words(t, kernel), env=t.fake_cuda_env(log=log, func_attr="3=64", **settings))
    return log.read_text().splitlines()


def test_raised_for_the_launch(t):
    """To what recursion needs, beside the kernel's own frame; and the caller's limit again when the
    launch has ended."""
    log = calls(t)
    at = log.index(f"cuCtxSetLimit 0={NEEDED + 64}")
    assert log[at - 1] == "cuCtxGetLimit", log
    assert log[at + 1].startswith("cuLaunchKernel k "), log
    assert log[at + 2:at + 4] == ["cuCtxSynchronize", "cuCtxSetLimit 0=1024"], log


def test_large_enough(t):
    """A program that has set a larger limit itself: it stays, and nothing waits."""
    log = calls(t, stack=NEEDED + 64)
    assert "cuCtxGetLimit" in log and not any("cuCtxSetLimit" in line for line in log), log
    assert any("cuCtxSetLimit" in line for line in calls(t, stack=NEEDED + 63))


def test_other_kernels(t):
    log = calls(t, "plain")
    assert not any("Limit" in line for line in log), log


def fails(t, failures, rc, *texts):
    log = t.tmp / "calls"
    log.write_text("")
    result = t.fails(words(t, "k"), rc, texts[0], env=t.fake_cuda_env(log=log, fail=failures))
    for text in texts[1:]:
        assert text in result.err, result.err
    return log.read_text().splitlines()


def test_failures(t):
    """Each call that can fail, with its name and what was asked for."""
    fails(t, "cuCtxGetLimit=1", 3, "CUDA_ERROR_INVALID_VALUE", "from cuCtxGetLimit")
    log = fails(t, "cuCtxSetLimit=2", 3, "CUDA_ERROR_OUT_OF_MEMORY", "from cuCtxSetLimit: a stack of ", "bytes a thread")
    assert not any("LaunchKernel" in line for line in log), log
    log = fails(t, "cuLaunchKernel=701", 3, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES")
    assert "cuCtxSetLimit 0=1024" in log, log


def test_manifest(t):
    ptx = t.tmp / "k.ptx"
    t.ok([t.ckc, "-arch=sm_90", "-o", ptx, t.write("k.ck", TEXT)])
    text = ptx.read_text()
    assert f"// kernel k entry k stack_bytes {NEEDED}\n" in text, text[:600]
    assert "// kernel plain entry plain\n" in text
    listed = t.ok([t.ckrun, ptx, "--list"]).out
    assert "recursive" in listed.splitlines()[0] and "recursive" not in listed.splitlines()[1], listed
    log = t.tmp / "calls"
    t.ok([t.ckrun, "--device", "cuda", ptx, "k[1, 32](x)", "x=zeros(4, int64)"], env=t.fake_cuda_env(log=log))
    assert "cuCtxSetLimit 0=1024" in log.read_text()
