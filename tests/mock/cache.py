"""GPUs' code in the cache: the driver compiles PTX once, and what it refuses is compiled again."""

ROWS = "sequential_rows.ck"
LAUNCH = ["M=zeros((64, 64), int32)", "sequential_rows[2, 32](M)"]
COMPILED = ["cuLinkCreate_v2", "cuLinkAddData_v2", "cuLinkComplete", "cuModuleLoadDataEx cubin", "cuLinkDestroy"]
KEPT = ["cuModuleLoadDataEx cubin"]
BY_PTX = ["cuModuleLoadDataEx"]


def launch(t, *options, file=None, rc=0, **settings):
    """The driver's functions that loading took."""
    log = t.tmp / "calls"
    log.write_text("")
    env = {**t.fake_cuda_env(log=log, **settings), "CK_CACHE_DIR": str(t.tmp / "cache")}
    result = t.run([t.ckrun, "--device", "cuda", *options, file or t.examples / ROWS, *LAUNCH], env=env)
    assert result.rc == rc, result
    calls = [line for line in log.read_text().splitlines() if line.startswith(("cuLink", "cuModuleLoad"))]
    return (calls, result) if rc else calls


def entries(t):
    return sorted((t.tmp / "cache").glob("*.ckc"))


def test_once(t):
    assert launch(t) == COMPILED
    assert len(entries(t)) == 2  # the PTX, and the GPU's code
    assert launch(t) == KEPT
    assert launch(t, "--no-cache") == BY_PTX


def test_prebuilt(t):
    t.ok([t.ckc, "-arch=sm_90", "-o", "rows.ptx", t.examples / ROWS])
    assert launch(t, file="rows.ptx") == COMPILED
    assert launch(t, file="rows.ptx") == KEPT


def test_another_driver_or_gpu(t):
    assert launch(t) == COMPILED
    assert launch(t, version=12080) == COMPILED
    assert launch(t, attr="75=8,76=9") == COMPILED
    assert launch(t, file=t.write("copy.ck", (t.examples / ROWS).read_text() + "\n")) == COMPILED
    for settings in ({}, {"version": 12080}, {"attr": "75=8,76=9"}):
        assert launch(t, **settings) == KEPT


def test_refused(t):
    """Whatever the driver says of kept code, it is asked to compile, and of that to load the PTX."""
    assert launch(t) == COMPILED
    for code in (1, 2, 200, 209, 218, 999):
        assert launch(t, fail=f"cubin={code}") == KEPT + COMPILED + BY_PTX, code
    assert launch(t) == KEPT


def test_the_linker_fails(t):
    for call in ("cuLinkCreate_v2", "cuLinkAddData_v2", "cuLinkComplete"):
        calls = launch(t, fail=f"{call}=999")
        assert calls[-1] == BY_PTX[0] and "cuModuleLoadDataEx cubin" not in calls, calls
        assert ("cuLinkDestroy" in calls) == (call != "cuLinkCreate_v2"), calls
    assert len(entries(t)) == 1
    assert launch(t, fail="cuLinkDestroy=999") == COMPILED
    assert launch(t) == KEPT


def test_the_error_is_that_of_the_ptx(t):
    calls, result = launch(t, rc=3, fail="cuLinkComplete=218,cuModuleLoadDataEx=218",
                           error_log="ptxas application ptx input, line 5; fatal")
    assert "CUDA_ERROR_INVALID_PTX: a PTX JIT compilation failed (218) from cuModuleLoadDataEx: ptxas" in result.err
    assert calls[-1] == BY_PTX[0]
