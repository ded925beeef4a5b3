"""ck/ck.hpp, the wrapper for C++20, and the example of it."""

from pathlib import Path

HERE = Path(__file__).parent


def build(t, source):
    """`source` as a program that finds libck where it is now."""
    program, path = t.tmp / Path(source).stem, t.layout.library("libck").resolve()
    flags = ["-fsanitize=address,undefined"] if t.sanitized else []
    for name in ("libck.so", "libck.so.0"):
        if not (t.tmp / name).exists():
            (t.tmp / name).symlink_to(path)
    t.ok([t.need("g++", "c++"), "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", *flags, "-I", t.include,
          source, "-o", program, "-L", t.tmp, f"-Wl,-rpath,{t.tmp}", "-lck"])
    return program


def test_example(t):
    program = build(t, t.examples / "saxpy.cpp")
    assert t.ok([program], env=t.fake_cuda_env(devices=0)).out == "y[999] = 1999\n"
    result = t.fails([program], 1, "saxpy: CUDA_ERROR_OUT_OF_MEMORY", env=t.fake_cuda_env(fail="cuMemAlloc_v2=2"))
    assert not result.out


def test_wrapper(t):
    """Types of arguments, arrays of several dimensions, and what is thrown."""
    assert t.ok([build(t, HERE / "wrapper.cpp")]).out == "fine\n"
