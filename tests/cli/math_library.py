"""--math: the library of the math functions of PTX."""

import os
import shutil

from harness import manifest

SOURCE = """@kernel
def k(x: float32[::1], y: float64[::1]):
    i = grid(1)
    x[i] = math.sin(x[i])
    y[i] = math.gamma(y[i])
"""
INSIDE = "nvvm/libdevice/libdevice.10.bc"


def library(t, *options, env=None):
    out = t.ok([t.ckc, "-arch=sm_90", "--emit=manifest", *options, "-o", "-", t.write("k.ck", SOURCE)],
               env=env).out
    return manifest.parse(out)["math"]


def without_toolkit(**more):
    """An environment that leads to no toolkit but /usr/local/cuda."""
    env = {k: v for k, v in os.environ.items() if k not in ("CUDA_HOME", "CUDA_PATH", "PATH")}
    return {**env, "PATH": "/nonexistent::/usr/nowhere", **more}


def make_toolkit(t):
    """A folder laid out as a toolkit; its libdevice is only looked at."""
    root = t.tmp / "toolkit"
    for folder in ("bin", "nvvm/libdevice"):
        (root / folder).mkdir(parents=True)
    (root / INSIDE).write_bytes(b"no bitcode")
    (root / "bin/nvcc").write_text("#!/bin/sh\n")
    (root / "bin/nvcc").chmod(0o755)
    return root


def test_choices(t):
    assert library(t, "--math=libclc") == "libclc"
    assert library(t, "--math=libdevice=nowhere.bc") == "libdevice"
    assert library(t, "--math", "libclc", env=without_toolkit(CUDA_HOME=make_toolkit(t))) == "libclc"


def test_auto_finds_toolkits(t):
    root = make_toolkit(t)
    (t.tmp / "links").mkdir()
    (t.tmp / "links/nvcc").symlink_to(root / "bin/nvcc")
    for env in ({"CUDA_HOME": root}, {"CUDA_PATH": root}, {"PATH": f"/x:{root}/bin"},
                {"CUDA_HOME": "/nonexistent", "PATH": t.tmp / "links"}):
        env = without_toolkit(**{name: str(value) for name, value in env.items()})
        assert library(t, "--math=auto", env=env) == library(t, "--math=libdevice", env=env) == "libdevice"
        assert library(t, env=env) == "libclc"  # the same on every machine


def test_no_toolkit(t):
    if os.path.exists(f"/usr/local/cuda/{INSIDE}"):
        t.skip("a toolkit is always found here")
    env = without_toolkit()
    assert library(t, env=env) == library(t, "--math=auto", env=env) == "libclc"
    for tool, *words in ([t.ckc], [t.ckrun, "--list"]):
        t.fails([tool, *words, "--math=libdevice", t.write("k.ck", SOURCE)], 1, "no CUDA toolkit", env=env)


def test_bad_libraries(t):
    source = t.write("k.ck", SOURCE)
    ckc = [t.ckc, "-arch=sm_90", "-o", "out.ptx", source]
    t.fails([*ckc, "--math=libdevice=nowhere.bc"], 1, "nowhere.bc: No such file or directory")
    t.fails([*ckc, f"--math=libdevice={t.write('bad.bc', 'text')}"], 1, "bad.bc is not LLVM bitcode")
    t.fails([*ckc, "--math=libm"], 2, "unknown value `libm` of --math; there are: auto libclc libdevice")
    t.fails([t.ckrun, "--math=nvcc", source, "--list"], 2, "unknown value `nvcc` of --math")


def test_libraries_that_lack_functions(t):
    opt = shutil.which("llvm-as-22") or shutil.which("llvm-as", path="/usr/lib/llvm-22/bin")
    if not opt:
        t.skip("no llvm-as")
    t.write("empty.ll", "define void @nothing() {\n  ret void\n}\n")
    t.ok([opt, "empty.ll", "-o", "empty.bc"])
    t.fails([t.ckc, "-arch=sm_90", "-o", "out.ptx", t.write("k.ck", SOURCE), "--math=libdevice=empty.bc"],
            1, "empty.bc lacks __nv_")


def test_only_what_is_used_is_there(t):
    source = t.write("k.ck", "@kernel\ndef k(x: float64[::1]):\n    x[grid(1)] = math.sinh(x[grid(1)])\n")
    text = t.ok([t.ckc, "-arch=sm_90", "--math=libclc", "--emit=llvm", "-o", "-", source]).out
    assert "SINH_TBL" in text and "ATAN" not in text and "_Z3sin" not in text, text


def test_fast_math(t):
    source = t.write("k.ck", "@cuda.jit(fastmath=True)\ndef k(x: float32[::1], y: float64[::1]):\n"
                             "    i = grid(1)\n    x[i] = math.sin(math.exp(x[i]))\n    y[i] = math.sin(y[i])\n")
    for options in (["--math=libclc"], []):
        text = t.ok([t.ckc, "-arch=sm_90", *options, "-o", "-", source]).out
        assert "sin.approx.ftz.f32" in text and "ex2.approx.ftz.f32" in text and ".f64" in text, text
