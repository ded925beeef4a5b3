"""NVIDIA's assembler accepts every math function of both libraries for every architecture."""

import re

ARCHS = ["sm_75", "sm_80", "sm_90", "sm_100", "sm_120"]
ONE = ("acos acosh asin asinh atan atanh cbrt ceil cos cosh degrees erf erfc exp exp2 expm1 fabs floor gamma "
       "lgamma log log10 log1p log2 radians sin sinh sqrt tan tanh trunc isnan isinf isfinite").split()
TWO = "atan2 copysign fmod hypot nextafter pow remainder".split()


def source(decorator="@kernel"):
    lines = [decorator, "def k(x, y, o):", "    i = grid(1)"]
    lines += [f"    o[{n}, i] = {name}(x[i])" for n, name in enumerate(ONE)]
    lines += [f"    o[{n}, i] = {name}(x[i], y[i])" for n, name in enumerate(TWO, len(ONE))]
    lines += ["    m, e = frexp(x[i])", "    f, w = modf(x[i])", "    o[99, i] = m + e + f + w",
              "    o[98, i] = ldexp(x[i], i) + fma(x[i], y[i], 1)",
              "    o[97, i] = popc(i) + clz(i) + ffs(i) + brev(i) + selp(i > 3, popc(int8(i)), clz(int16(i)))"]
    return "\n".join(lines) + "\n"


def assemble(t, arch, *options, decorator="@kernel"):
    ptxas = t.need("ptxas")
    for dtype in ("float32", "float64", "float16", "bfloat16"):
        ptx = t.tmp / f"{dtype}.ptx"
        t.ok([t.ckc, f"-arch={arch}", *options, "-o", ptx, t.write("k.ck", source(decorator)),
              "--sig", f"k({dtype}[::1], {dtype}[::1], {dtype}[:, ::1])"])
        assert not re.search(r"^\.extern (?!\.shared)", ptx.read_text(), re.M), "calls what no one has"
        if dtype in ("float32", "float64"):
            t.ok([ptxas, f"-arch={arch}", "-O1", "-o", t.tmp / "out.cubin", ptx])


def make_test(arch, library):
    def test(t):
        if library == "libdevice" and t.run([t.ckc, "--check", f"--math={library}",
                                             t.write("k.ck", source())]).rc:
            t.skip("no CUDA toolkit")
        assemble(t, arch, f"--math={library}")
    return test


for each in ARCHS:
    for library in ("libclc", "libdevice"):
        globals()[f"test_{library}_{each}"] = make_test(each, library)


def test_fast_math(t):
    assemble(t, "sm_90", "--math=libclc", decorator="@cuda.jit(fastmath=True)")
    assemble(t, "sm_75", decorator="@cuda.jit(fastmath=True)")


def test_unoptimised(t):
    assemble(t, "sm_90", "--math=libclc", "-O0")
    assemble(t, "sm_90", "-O0")


def test_libdevice_as_nvcc_has_it(t):
    """Its questions are answered before loops are looked at; its own steps are not contracted, which
    would cost pow its accuracy."""
    path = t.write("k.ck", "@kernel\ndef k(x: float32[::1], n: int32):\n    s = float32(0)\n"
                   "    for i in range(n):\n        s += math.cbrt(x[0] + float32(i))\n    x[0] = s\n")
    words = [t.ckc, "-arch=sm_90", "-o", "-", path]
    if t.run([*words, "--math=libdevice"]).rc:
        t.skip("no CUDA toolkit")
    code = t.ok([*words, "--math=libdevice"]).out
    assert code.count("lg2.approx.f32") > 1, "the loop is not unrolled"
    assert "mul.rn.f32" in code
    assert "mul.rn.f32" in t.ok([*words, "--math=libdevice", "--fmad=false"]).out
    assert "__nvvm_reflect" not in t.ok([*words, "--math=libdevice", "--emit=llvm"]).out
