"""NVIDIA's assembler accepts every math function of both libraries for every architecture."""

import re

ARCHS = ["sm_75", "sm_80", "sm_90", "sm_100", "sm_120"]
ONE = ("acos acosh asin asinh atan atanh cbrt ceil cos cosh degrees erf erfc exp exp2 expm1 fabs floor gamma "
       "lgamma log log10 log1p log2 radians sin sinh sqrt tan tanh trunc isnan isinf isfinite "
       "rsqrt rcbrt exp10 sinpi cospi erfinv erfcinv erfcx normcdf normcdfinv j0 j1 y0 y1 cyl_bessel_i0 "
       "cyl_bessel_i1 fast.exp10 fast.tan").split()
TWO = "atan2 copysign fmod hypot nextafter pow remainder fdim rhypot fast.divide".split()


def source(decorator="@kernel"):
    lines = [decorator, "def k(x, y, o):", "    i = grid(1)"]
    lines += [f"    o[{n}, i] = {name}(x[i])" for n, name in enumerate(ONE)]
    lines += [f"    o[{n}, i] = {name}(x[i], y[i])" for n, name in enumerate(TWO, len(ONE))]
    lines += ["    m, e = frexp(x[i])", "    f, w = modf(x[i])", "    o[99, i] = m + e + f + w",
              "    o[98, i] = ldexp(x[i], i) + fma(x[i], y[i], 1)",
              "    o[97, i] = popc(i) + clz(i) + ffs(i) + brev(i) + selp(i > 3, popc(int8(i)), clz(int16(i)))"]
    return "\n".join(lines) + "\n"


def assemble(t, arch, number, *options, decorator="@kernel"):
    """Of the types, those that are the part of `number`."""
    ptxas = t.need("ptxas")
    for dtype in t.part(["float32", "float64", "float16", "bfloat16"], number):
        ptx = t.tmp / f"{dtype}.ptx"
        t.ok([t.ckc, f"-arch={arch}", *options, "-o", ptx, t.write("k.ck", source(decorator)),
              "--sig", f"k({dtype}[::1], {dtype}[::1], {dtype}[:, ::1])"])
        assert not re.search(r"^\.extern (?!\.shared)", ptx.read_text(), re.M), "calls what no one has"
        if dtype in ("float32", "float64"):
            t.ok([ptxas, f"-arch={arch}", "-O1", "-o", t.tmp / "out.cubin", ptx])


def make_test(arch, library, number):
    def test(t):
        if library == "libdevice" and t.run([t.ckc, "--check", f"--math={library}",
                                             t.write("k.ck", source())]).rc:
            t.skip("no CUDA toolkit")
        assemble(t, arch, number, f"--math={library}")
    return test


for number, each in enumerate(ARCHS):
    for library in ("libclc", "libdevice"):
        globals()[f"test_{library}_{each}"] = make_test(each, library, number)


def test_fast_math(t):
    assemble(t, "sm_90", 0, "--math=libclc", decorator="@cuda.jit(fastmath=True)")
    assemble(t, "sm_75", 1, decorator="@cuda.jit(fastmath=True)")


def test_unoptimised(t):
    assemble(t, "sm_90", 0, "--math=libclc", "-O0")
    assemble(t, "sm_90", 1, "-O0")


SUM = """@kernel
def k(x: {type}[::1], n: int32):
    s = {type}(0)
    for i in range(n):
        s += math.{name}(x[0] + {type}(i){rest})
    x[0] = s
"""


def libdevice_code(t, name, *options, dtype="float32", rest=""):
    path = t.write("k.ck", SUM.format(type=dtype, name=name, rest=rest))
    words = [t.ckc, "-arch=sm_90", "--math=libdevice", "-o", "-", path]
    if t.run(words).rc:
        t.skip("no CUDA toolkit")
    return t.ok([*words, *options]).out


def test_libdevice_as_nvcc_has_it(t):
    """Its questions are answered before loops are looked at."""
    assert libdevice_code(t, "cbrt").count("lg2.approx.f32") > 1, "the loop is not unrolled"
    assert "__nvvm_reflect" not in libdevice_code(t, "cbrt", "--emit=llvm")


def test_libdevice_is_contracted_as_by_nvcc(t):
    """Its last product with a sum after it; of pow's products none that something else uses, which
    would cost its accuracy; with --fmad=false nothing."""
    assert "mul" not in re.sub("mul.wide", "", libdevice_code(t, "exp"))
    assert "mul.rn.f32" in libdevice_code(t, "exp", "--fmad=false")
    code = libdevice_code(t, "pow", rest=", x[1]")
    inverse = re.search(r"rcp.approx.ftz.f32 (%r\d+),", code).group(1)
    assert re.search(rf"mul.rn.f32 \t%r\d+, {inverse}, ", code)
    assert not re.search(rf"neg.f32 \t%r\d+, {inverse};", code)


def test_libdevice_keeps_its_branches(t):
    """Where choices would take longer; and nothing is left of what keeps them."""
    for name, dtype, branches in (("log1p", "float32", 9), ("cos", "float64", 27)):
        code = libdevice_code(t, name, dtype=dtype)
        assert not re.search(r"begin inline asm\n\s*// end", code)
        assert code.count("bra") >= branches, name


def test_libdevice_is_dropped_where_unused(t):
    code = t.write("unused.ck", "@kernel\ndef k(x: float64[::1]):\n    math.cos(x[0])\n    x[1] = 2.0\n")
    words = [t.ckc, "-arch=sm_90", "--math=libdevice", "-o", "-", code]
    if t.run(words).rc:
        t.skip("no CUDA toolkit")
    assert "fma.rn.f64" not in t.ok(words).out


DIRECTED = """@kernel
def k(x: float32[:], d: float64[:]):
    x[0] = add_rn(mul_rn(x[1], x[2]), x[3])
    x[4] = sub_rd(x[5], x[6]) + div_rz(x[7], x[8])
    d[0] = fma_ru(d[1], d[2], d[3]) + sqrt_rd(d[4]) + rcp_ru(d[5])
"""


def test_directed_rounding_is_instructions(t):
    """And the product stays apart from the sum."""
    code = t.ok([t.ckc, "-arch=sm_90", "-o", "-", t.write("k.ck", DIRECTED)]).out
    for name in ("add.rn.f32", "mul.rn.f32", "(?:add|sub).rm.f32", "div.rz.f32", "fma.rp.f64", "sqrt.rm.f64",
                 "rcp.rp.f64"):
        assert re.search(name, code), name
    assert "fma.rn.f32" not in code


APPROXIMATE = """@kernel
def k(x: float32[:], y: float32[:]):
    x[0] = {}
"""


def test_approximations_are_instructions(t):
    """Only where they are written: the function beside one stays exact."""
    for name, found in (("fast.sin(x[1])", "sin.approx"), ("fast.exp(x[1])", "ex2.approx"),
                        ("fast.log10(x[1])", "lg2.approx"), ("fast.divide(x[1], x[2])", "div.approx"),
                        ("fast.pow(x[1], x[2])", "lg2.approx"), ("rsqrt(x[1])", "rsqrt.approx")):
        path = t.write("k.ck", APPROXIMATE.format(name + " + y[0] / y[1]"))
        code = t.ok([t.ckc, "-arch=sm_90", "--math=libclc", "-o", "-", path]).out
        assert found in code and "div.rn.f32" in code, name


CLOCKS = """@kernel
def k(o: int64[:], x: float32[:]):
    start = clock64()
    for i in range(3):
        x[i] = sqrt(x[i])
    o[0] = clock64() - start
    o[1] = globaltimer() + smid() + clock()
"""


def test_clocks_are_read_where_they_are_written(t):
    code = t.ok([t.ckc, "-arch=sm_75", "-o", "-", t.write("k.ck", CLOCKS)]).out
    assert len(re.findall("%clock64", code)) == 3 and "%globaltimer" in code and "%smid" in code
    assert code.index("%clock64") < code.index("sqrt.rn.f32") < code.rindex("st.global.b32") < code.rindex("%clock64")
