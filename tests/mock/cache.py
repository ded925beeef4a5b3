"""PTX from the cache is what the driver would get without one; the driver has a cache of its own
for what it makes of it."""

from api.common import reseal

ROWS = "sequential_rows.ck"
LAUNCH = ["M=zeros((64, 64), int32)", "sequential_rows[2, 32](M)"]


def launch(t, *options, rc=0, loads=1, **settings):
    """Launches; the driver is given code so often, and by the one call."""
    log = t.tmp / "calls"
    log.write_text("")
    env = {**t.fake_cuda_env(log=log, **settings), "CK_CACHE_DIR": str(t.tmp / "cache")}
    result = t.run([t.ckrun, "--device", "cuda", *options, t.examples / ROWS, *LAUNCH], env=env)
    assert result.rc == rc, result
    assert [line for line in log.read_text().splitlines() if line.startswith(("cuLink", "cuModuleLoad"))] == \
        ["cuModuleLoadDataEx"] * loads, log.read_text()
    return result


def entries(t):
    return len(list((t.tmp / "cache").glob("*.ckc")))


def test_by_architecture(t):
    for attributes, kept in (("75=9,76=0", 1), ("75=9,76=0", 1), ("75=8,76=9", 2), ("75=9,76=0", 2)):
        launch(t, attr=attributes)
        assert entries(t) == kept
    launch(t, "--no-cache", attr="75=7,76=5")
    assert entries(t) == 2


def test_damaged(t):
    """PTX that only the driver sees to be damaged is compiled anew and replaced."""
    launch(t)
    entry, = (t.tmp / "cache").glob("*.ckc")
    whole = entry.read_bytes()
    for text, other in (b"\n.version ", b"\n.versiom "), (b".entry sequential_rows(", b".entry sequential_rowz("):
        damaged = whole.replace(text, other)
        assert len(damaged) == len(whole) and damaged != whole
        entry.write_bytes(damaged)
        reseal(t, entry)
        launch(t, loads=2)
        assert entry.read_bytes() == whole
        launch(t)


def test_refused(t):
    """The driver's error is the same with PTX that was kept; it stays kept."""
    for _ in range(2):
        result = launch(t, rc=3, fail="cuModuleLoadDataEx=218")
        assert "CUDA_ERROR_INVALID_PTX: a PTX JIT compilation failed (218) from cuModuleLoadDataEx" in result.err
        assert entries(t) == 1
    launch(t)
