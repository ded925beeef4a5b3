"""The output of ckc depends on the source, the options and the version: not on the machine, its GPU
and toolkit, the folder, the environment, the time, or what the cache has."""

import os

SOURCE = """import math
TABLE = (3, 1, 2)
COUNTS = device_array(4, int32)
R = record(a=int32, b=float4)

def f(x):
    return math.exp(x) * math.sin(x)

@kernel
def k(x: float32[::1], y: float64[:], p: R[:]):
    s = shared.array(64, float32)
    i = grid(1)
    s[threadIdx.x % 64] = f(x[i])
    syncthreads()
    y[i] = math.gamma(y[i]) + s[0] + TABLE[i % 3] + p[i].a
    atomic.add(COUNTS, i % 4, 1)
    assert y[i] > 0
    print(i, y[i])

@kernel
def generic(n, x):
    x[grid(1)] = n // len(x)
"""
WORDS = ["-lineinfo", "--sig=generic(int64, float32[:])"]
KINDS = {"ptx": ["ptx"], "llvm": ["ll"], "manifest": ["manifest"], "c": ["c", "h", "hpp"]}


def make_folder(t, name):
    (t.tmp / name).mkdir(parents=True)
    (t.tmp / name / "k.ck").write_text(SOURCE)
    return t.tmp / name


def compile_in(t, folder, emit, env, *words):
    """The bytes of all files that it makes."""
    t.ok([t.ckc, folder / "k.ck", f"--emit={emit}", *WORDS, f"--file-prefix-map={folder}=src", *words,
          "-o", folder / f"k.{KINDS.get(emit, [emit])[0]}"], env=env)
    return [(folder / f"k.{suffix}").read_bytes() for suffix in KINDS.get(emit, [emit])]


def machines(t):
    """A GPU and a toolkit, or neither; and other environments."""
    (t.tmp / "cuda/nvvm/libdevice").mkdir(parents=True)
    (t.tmp / "cuda/nvvm/libdevice/libdevice.10.bc").write_bytes(b"no bitcode")
    one = t.fake_cuda_env(attr="75=9,76=0")
    other = t.fake_cuda_env(devices=0)
    return [{**one, "CUDA_HOME": str(t.tmp / "cuda"), "TZ": "Asia/Tokyo", "LC_ALL": "C", "HOME": "/none", "CK_CACHE_DIR": ""},
            {**other, "TZ": "UTC", "LC_ALL": "C.UTF-8", "COLUMNS": "20", "CK_CACHE_DIR": str(t.tmp / "cache")}]


def test_folders_and_machines(t):
    environments = machines(t)
    for emit in KINDS:
        folders = make_folder(t, f"{emit}/one"), make_folder(t, f"{emit}/two/in another folder")
        first, second = (compile_in(t, folder, emit, env) for folder, env in zip(folders, environments))
        assert first == second, emit
        assert all(str(t.tmp).encode() not in text for text in first), emit


def test_cubin(t):
    t.need("ptxas")
    first, second = (compile_in(t, make_folder(t, name), "cubin", os.environ, "-arch=sm_90") for name in ("one", "two"))
    assert first == second and str(t.tmp).encode() not in first[0]


def test_cache(t):
    """What another folder's file left in the cache is not taken with that folder's name."""
    env = {"CK_CACHE_DIR": str(t.tmp / "cache")}
    one, two = (make_folder(t, name) for name in ("one", "two"))
    cold, warm, other, without = (t.ok([t.ckc, *words, *WORDS, "-o", "-", folder / "k.ck"], env=env).out
                                  for folder, words in ((one, []), (one, []), (two, []), (two, ["--no-cache"])))
    assert cold == warm and other == without and str(two) in other and str(one) not in other
