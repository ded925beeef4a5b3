"""Arrays of modules on the fake driver: what is written into images, and failures on the way."""

import re

SOURCE = '''
import numpy as np
COUNTS = device_array(4, int32)
TABLE = to_device(np.arange(3, dtype=np.int32) + 5)
WEIGHTS = const.array(2, float32)

@kernel
def use(y):
    y[0] = COUNTS[0] + TABLE[1] + WEIGHTS[1]

@kernel
def declared(y: float32[:]):
    y[0] = COUNTS[0] + TABLE[1] + WEIGHTS[1]

@kernel
def none(y: float32[:]):
    y[0] = 1
'''
RUN = ["use[1, 1](x)", "use[1, 1](y)", "declared[1, 1](y)", "x=zeros(1, float64)", "y=zeros(1, float32)"]


def log_of(t, *words, rc=0, **settings):
    (t.tmp / "a.ck").write_text(SOURCE)
    (t.tmp / "log").write_text("")
    result = t.run([t.ckrun, "--device", "cuda", "--no-cache", *words],
                   env=t.fake_cuda_env(log=t.tmp / "log", **settings))
    assert result.rc == rc, result
    return result, (t.tmp / "log").read_text()


def test_images_share_arrays(t):
    """Three images, one memory: each array is allocated and filled once, and each image gets the
    addresses and its copy of constant memory."""
    result, log = log_of(t, "a.ck", *RUN, "COUNTS=array([1, 2, 3, 4], int32)", "WEIGHTS=ones(2, float32)",
                         "--print", "COUNTS", "--print", "TABLE", "--print", "WEIGHTS")
    assert result.out == "[1 2 3 4]\n[5 6 7]\n[1. 1.]\n", result.out
    assert log.count("cuModuleLoadDataEx") == 3, log
    for name, n in (("COUNTS", 3), ("TABLE", 3), ("WEIGHTS", 6)):  # loaded, then written
        assert log.count(f"cuModuleGetGlobal_v2 {name}\n") == n, log
    allocated = re.findall(r"cuMemAlloc_v2 (\d+)\n", log)
    assert sorted(map(int, allocated)) == [4, 8, 8, 12, 16], allocated
    assert log.count("cuMemcpyDtoDAsync_v2") == 6, log
    for before in log.split("cuLaunchKernel")[:-1]:  # a launch on any stream finds the values
        copied = max(before.rfind("cuMemcpyDtoDAsync_v2"), before.rfind("cuMemsetD8Async"))
        assert copied < 0 or before.rfind("cuStreamSynchronize") > copied, before


def test_kernels_without_arrays(t):
    """Until they run, no array is loaded or allocated."""
    log = log_of(t, "a.ck", "none[1, 1](y)", "y=zeros(1, float32)")[1].split("cuLaunchKernel")[0]
    assert "cuModuleGetGlobal" not in log and log.count("cuMemAlloc") == 1, log


def test_prebuilt_images_hold_arrays(t):
    """One image, loaded once, has the arrays; what ckrun prints comes from there."""
    (t.tmp / "a.ck").write_text(SOURCE)
    t.ok([t.ckc, "a.ck", "--arch", "sm_80", "--sig", "use(float64[::1])", "-o", "a.ptx"])
    result, log = log_of(t, "a.ptx", "declared[1, 1](y)", "use[1, 1](x)", "x=zeros(1, float64)",
                         "y=zeros(1, float32)", "COUNTS=array([1, 2, 3, 4], int32)", "--print", "COUNTS",
                         "--print", "TABLE", "--print", "WEIGHTS")
    assert result.out == "[1 2 3 4]\n[5 6 7]\n[0. 0.]\n", result.out
    assert log.count("cuModuleLoadDataEx") == 1, log
    words = ["a.ptx", "declared[1, 1](y)", "y=zeros(1, float32)"]
    for more in (["--expect", "y=TABLE[0]"], ["--bench=3"]):
        result = log_of(t, *words, *more, rc=2)[0]
        assert "`TABLE`" in result.err and "image alone: give them, TABLE=VALUE" in result.err, result.err
    log_of(t, *words, "TABLE=array([0, 0, 0], int32)", "--expect", "y=TABLE[0]", "--bench=3")


def test_overlap_with_an_argument(t):
    """An image that assumes that its arrays are apart refuses one of the module as its argument.
    From source, a launch has code without that assumption."""
    source = """A = device_array(4, float32)
@kernel
def k(y: float32[:]):
    A[0] = y[1] + 1
"""
    (t.tmp / "b.ck").write_text(source)
    t.ok([t.ckc, "b.ck", "--arch", "sm_80", "-restrict", "-o", "b.ptx"])
    result = log_of(t, "b.ptx", "k[1, 1](A)", rc=1)[0]
    assert "argument 1 `y`: the array shares memory with `A` of the module" in result.err, result.err
    log_of(t, "b.ptx", "k[1, 1](y)", "y=zeros(4, float32)")
    log_of(t, "b.ck", "k[1, 1](A)")


def test_image_of_a_launch(t):
    """What the cache keeps for a launch does not stand alone."""
    (t.tmp / "a.ck").write_text(SOURCE)
    env = {**t.fake_cuda_env(), "CK_CACHE_DIR": str(t.tmp / "cache")}
    t.ok([t.ckrun, "--device", "cuda", "a.ck", "declared[1, 1](y)", "y=zeros(1, float32)"], env=env)
    text, = [f.read_bytes() for f in (t.tmp / "cache").glob("*.ckc")]
    (t.tmp / "c.ptx").write_bytes(text[text.index(b"//"):text.rindex(b"}") + 1])
    result = log_of(t, "c.ptx", "declared[1, 1](y)", "y=zeros(1, float32)", rc=1)[0]
    assert "the image does not hold its array `COUNTS`: it was made for one launch" in result.err, result.err


def test_failures(t):
    """Whatever fails on the way is reported with the call's name, and ckrun ends well."""
    words = [*RUN, "COUNTS=array([1, 2, 3, 4], int32)", "WEIGHTS=ones(2, float32)", "--print", "COUNTS"]
    for call in ("cuModuleGetGlobal_v2", "cuMemAlloc_v2", "cuMemcpyHtoD_v2", "cuMemcpyDtoDAsync_v2",
                 "cuMemsetD8Async", "cuMemcpyDtoH_v2", "cuStreamSynchronize"):
        result = log_of(t, "a.ck", *words, rc=3, fail=f"{call}=1")[0]
        assert f"from {call.removesuffix('_v2')}" in result.err, (call, result.err)
