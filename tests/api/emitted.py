"""`ckc --emit=c`: what it writes compiles as C11 and as C++20 without a warning, needs libckrt
alone, and launches the kernels with their arguments."""

import re
import struct
from pathlib import Path

HERE = Path(__file__).parent
SOURCE = """COUNTS = device_array(4, int32)
WEIGHTS = const.array(2, float32)
LEFT_OUT = device_array(4, int32)


@kernel
def saxpy(a: float32, x: float32[::1], y: float32[::1]):
    for i in range(grid(1), len(x), gridsize(1)):
        y[i] = a * x[i] + y[i]


@kernel
def every(a: boolean, b: int8, c: uint8, d: uint32, e: int64, f: float32, g: float64, h: complex64,
          t: (int32, float16), image: int32[::1]):
    if grid(1) < len(image):
        s = int64(a) + b + c + int64(d) + e + t[0]
        image[grid(1)] = int32((4 * s + int64(4.0 * (f + g + float64(h.real) + float64(t[1])))) & 0xFFFFFFFF)


@kernel(["void(float32[::1])", "void(int32[::1])"])
def two(x):
    x[0] = 1


@kernel
def int():
    pass


@kernel
def counts(y: int32[::1]):
    COUNTS[grid(1)] += 1
    y[0] = COUNTS[0] + int32(WEIGHTS[1])


@kernel
def generic(x):
    x[0] = LEFT_OUT[0]
"""


def emit(t, *words):
    source = t.write("kernels.ck", SOURCE)
    t.ok([t.ckc, "-arch=sm_75", source, "--emit=c", *words])


def build(t, language, name="kernels", main="emitted.c"):
    """A program of the two files, linked with the runtime alone."""
    library = t.layout.library("libckrt").resolve()
    for link in ("libckrt.so", "libckrt.so.0"):
        if not (t.tmp / link).exists():
            (t.tmp / link).symlink_to(library)
    compiler, standard = {"c": (t.need("cc", "gcc"), "-std=c11"), "c++": (t.need("g++", "c++"), "-std=c++20")}[language]
    program = t.tmp / f"program-{language}"
    t.ok([compiler, "-x", language, standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror", *t.sanitizer_flags, "-I", t.include, "-I", t.tmp,
          HERE / main, t.tmp / f"{name}.c", "-o", program, "-x", "none", "-L", t.tmp, f"-Wl,-rpath,{t.tmp}", "-lckrt"])
    return program


def test_c_and_cxx(t):
    emit(t)
    for language in ("c", "c++"):
        program = build(t, language)
        log = t.tmp / "calls"
        log.write_text("")
        t.ok([program], env=t.fake_cuda_env(log=log))
        calls = log.read_text()
        assert calls.count("cuModuleLoadDataEx") == 1 and calls.count("cuLaunchKernel") == 7, calls
        assert calls.count("cuModuleUnload") == 1


def test_on_cuda(t):
    emit(t)
    result = t.run([build(t, "c"), "check"])
    if result.rc == 77:
        t.skip("no CUDA device")
    assert result.rc == 0, result


def test_header(t):
    emit(t)
    header = (t.tmp / "kernels.h").read_text()
    assert "int saxpy_launch(ck_stream *stream, ck_dim3 grid, ck_dim3 block, float a, const ck_array *x, const ck_array *y);" in header
    assert "/* two(float32[::1]) */\nint two_launch_1(" in header and "generic" not in header
    assert "/* COUNTS: an array of int32 of shape (4,) */\nint COUNTS_get(ck_stream *stream, ck_array *array);" in header
    assert "int WEIGHTS_write(ck_stream *stream, size_t offset, const void *host, size_t bytes);" in header
    assert "WEIGHTS_get" not in header and "LEFT_OUT" not in header, header
    assert "ck_complex h, int32_t t_0__, float t_1__, const ck_array *image_)" in header, header
    header = (t.tmp / "kernels.hpp").read_text()
    assert ("\nsaxpy(const ck::stream &stream, ck::dim grid, ck::dim block, float a, const ck::array_ref<const float, 1> &x, "
            "const ck::array_ref<float, 1> &y)\n") in header, header
    assert "namespace kernels_kernels\n" in header and "generic" not in header


def test_names(t):
    """Letters beyond ASCII, and file names that would end a comment."""
    source = t.write("a*b.ck", "@kernel\ndef α(β: float32):\n    pass\n\n\n@kernel\ndef γ():\n    pass\n")
    t.ok([t.ckc, source, "--emit=c", "-o", "names.c"])
    t.ok([t.need("cc", "gcc"), "-std=c11", "-Wall", "-Werror", "-I", t.include, "-c", "names.c"])
    t.ok([t.need("g++", "c++"), "-std=c++20", "-Wall", "-Werror", "-I", t.include, "-c", "-x", "c++", "names.hpp"])
    t.ok([t.ckc, source, "--emit=c", "-o", "2d.c"])
    assert "namespace k2d_kernels\n" in (t.tmp / "2d.hpp").read_text()
    assert "launch_2(" in (t.tmp / "names.h").read_text() and "a_b.ck" in (t.tmp / "names.h").read_text()


def test_signatures_of_the_command_line(t):
    """Kernels that --sig specialises have functions too; None is no parameter."""
    source = t.write("g.ck", "@kernel\ndef f(x, a, b=2):\n    if a is not None:\n        x[0] = a * b\n")
    t.ok([t.ckc, source, "--emit=c", "--sig", "f(float32[::1], None)", "--sig", "f(float32[::1], int8, int32)", "-arch=sm_75"])
    header = (t.tmp / "g.h").read_text()
    assert "int f_launch_1(ck_stream *stream, ck_dim3 grid, ck_dim3 block, const ck_array *x);" in header, header
    assert "int f_launch_2(ck_stream *stream, ck_dim3 grid, ck_dim3 block, const ck_array *x, int8_t a, int32_t b);" in header, header
    assert "\nf(const ck::stream &stream, ck::dim grid, ck::dim block, const ck::array_ref<float, 1> &x, std::int8_t a, " in \
        (t.tmp / "g.hpp").read_text()
    t.write("main.cpp", """#include "g.hpp"
int main() {
    ck::context context;
    ck::device device = context.open("cuda");
    ck::stream stream(device);
    ck::array<float> x(device, {3});
    g_kernels::f(stream, 1, 1, x, 3, 4);
    g_kernels::f(stream, {.grid = 1, .block = 1}, ck::array_ref<const float, 1>(x));
}
""")
    log = t.tmp / "calls"
    t.ok([build(t, "c++", "g", t.tmp / "main.cpp")], env=t.fake_cuda_env(log=log, params=1))
    assert log.read_text().count("cuLaunchKernel f") == 2, log.read_text()


def test_usage(t):
    source = t.write("kernels.ck", SOURCE)
    for words in (["-o", "-"], ["-o", "k.txt"], ["-o", ".c"]):
        t.fails([t.ckc, source, "--emit=c", *words], 2, "--emit=c writes FILE.c, FILE.h and FILE.hpp: name the first by -o FILE.c")
    t.fails([t.ckc, "-", "--emit=c"], 2, "--emit=c writes FILE.c, FILE.h and FILE.hpp")
    t.fails([t.ckc, source, "-o", "k.c"], 2, "the output `k.c` would be what --emit=ptx writes (*.ptx): add --emit=c")
    t.fails([t.ckc, source, "-o", "k.h"], 2, "the output `k.h` would not be header but what --emit=ptx writes")


# --- Every kind of parameter ---------------------------------------------------------------------


def build_kinds(t, language, *options, main="emitted_kinds.c"):
    t.ok([t.ckc, "-arch=sm_75", HERE / "emitted_kinds.ck", "--emit=c", "-o", "kinds.c", *options])
    return build(t, language, "kinds", main)


def parameters(calls, kernel):
    """The bytes of each parameter that the driver got at each launch of a kernel."""
    return [[bytes.fromhex(word) for word in line.split()[2:]] for line in calls.splitlines()
            if line.startswith(f"params {kernel} ")]


def check_kinds(calls):
    """That each value arrived as the type that the kernel declares."""
    assert calls.count("cuModuleLoadDataEx") == 1 and calls.count("cuModuleUnload") == 1, calls
    [scalars] = parameters(calls, "scalars")
    values = (True, -8, -16, -32, -64, 8, 16, 32, 64, 1.5)
    assert scalars[:10] == [struct.pack(f"<{kind}", value) for kind, value in zip("?bhiqBHIQe", values)], scalars
    assert scalars[10:13] == [struct.pack("<f", 2.5)[2:], struct.pack("<f", 3.5), struct.pack("<d", 4.5)], scalars
    assert scalars[13:15] == [struct.pack("<ff", 0.5, -1), struct.pack("<dd", 3, 0.25)], scalars
    [tuples] = parameters(calls, "tuples")
    assert tuples[:3] == [struct.pack("<i", 40), struct.pack("<d", 2), struct.pack("<ff", 1, 2)], tuples
    assert tuples[4] == struct.pack("<q", 4)
    [records] = parameters(calls, "records")
    assert records[1:] == [struct.pack("<q", 64), struct.pack("<i", 100), struct.pack("<f", 2.5)], records
    [stars] = parameters(calls, "stars")
    assert stars[1:] == [struct.pack("<q", 4), struct.pack("<f", 1.5), struct.pack("<f", 2), struct.pack("<i", 7)], stars
    [vectors] = parameters(calls, "vectors")
    assert vectors[1:4] == [struct.pack("<q", 4), struct.pack("<f", 10), struct.pack("<f", 20)], vectors
    [odd] = parameters(calls, "odd")
    assert odd[:5] == [struct.pack(f"<{k}", v) for k, v in zip("iqifb", (1, 2, 3, 4, 5))], odd
    assert odd[5:12] == [struct.pack(f"<{k}", v) for k, v in zip("iBibhid", range(6, 13))], odd
    assert "cuLaunchCooperativeKernel rows grid=(2,1,1) block=(32,1,1) shared=0 stream=1" in calls
    assert "cuLaunchKernel dynamic grid=(1,1,1) block=(32,1,1) shared=128 stream=1" in calls
    assert len(re.findall(r"cuLaunchKernel defaults\w* ", calls)) == 3
    assert len(re.findall(r"cuLaunchKernel many\w* ", calls)) == 3


def test_kinds(t):
    """In C and in C++."""
    for language in ("c", "c++"):
        log = t.tmp / "calls"
        log.write_text("")
        t.ok([build_kinds(t, language), "none", "no-results"], env=t.fake_cuda_env(log=log, params=1))
        check_kinds(log.read_text())


def test_typed_functions(t):
    """The functions of the header for C++, whose mistakes of types do not compile."""
    log = t.tmp / "calls"
    t.ok([build_kinds(t, "c++", main="emitted_typed.cpp"), "none", "no-results"], env=t.fake_cuda_env(log=log, params=1))
    calls = log.read_text()
    assert calls.count("cuLaunchKernel dynamic ") == 2
    check_kinds(calls)


def test_typed_functions_on_cuda(t):
    result = t.run([build_kinds(t, "c++", main="emitted_typed.cpp"), "none"])
    if result.rc == 77:
        t.skip("no CUDA device")
    assert result.rc == 0, result


def test_kinds_with_assumptions(t):
    for option in ("-restrict", "-small", "-natural", "-aligned"):
        t.ok([build_kinds(t, "c", option), option, "no-results"], env=t.fake_cuda_env())


def test_kinds_on_cuda(t):
    result = t.run([build_kinds(t, "c"), "none"])
    if result.rc == 77:
        t.skip("no CUDA device")
    assert result.rc == 0, result


def test_without_llvm(t):
    """The program needs libckrt, and that the C library; nothing of the compiler is in either."""
    program = build_kinds(t, "c")
    if t.sanitized:
        t.skip("the sanitizers' libraries are needed too")
    library = t.layout.library("libckrt").resolve()
    for binary, allowed in ((program, r"libckrt\.so\.0|libc\.so\.6"), (library, r"lib[cm]\.so\.6|ld-linux.*")):
        needed = re.findall(r"NEEDED\s+(\S+)", t.ok([t.need("objdump"), "-p", binary]).out)
        assert needed and all(re.fullmatch(allowed, name) for name in needed), (binary, needed)
        assert "llvm" not in t.ok(["ldd", binary]).out.lower()
    assert b"LLVM" not in library.read_bytes() and library.stat().st_size < 4 << 20, library
