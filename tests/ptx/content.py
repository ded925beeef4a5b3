"""What is in the PTX: barriers, the order of memory around them, the manifest, and no more."""

import re

from harness import manifest
from ptx.ptxas import ARCHS, signatures

ONE_THREAD_BEFORE_AND_AFTER = """@kernel
def k(p: int32[::1]):
    g = this_grid()
    if threadIdx.x == 0:
        p[0] = 1
    g.sync()
    if threadIdx.x == 0:
        p[1] = p[0]
"""


def ptx(t, source, *words):
    return t.ok([t.ckc, *words, *signatures(source), "-o", "-", source]).out


def body(text, entry):
    """The code of `entry`, without comments."""
    code = re.search(rf"\.entry {entry}\(.*?^}}", text, re.M | re.S)[0]
    return re.sub(r"//.*", "", code)


def count(text, instruction):
    return len(re.findall(rf"\b{re.escape(instruction)}\b", text))


def examples(t):
    """Those that every architecture runs: clusters are of 9.0 and later."""
    return [path for path in sorted(t.examples.glob("*.ck"))
            if "this_cluster" not in path.read_text()]


def test_barriers_of_sequential_rows(t):
    """Block barriers before and after the grid's counter, in a loop that is not unrolled."""
    for arch in ARCHS:
        code = body(ptx(t, t.examples / "sequential_rows.ck", f"-arch={arch}"), "sequential_rows")
        assert count(code, "bar.sync") + count(code, "barrier.sync") == 2, code


def test_release_and_acquire(t):
    for arch in ARCHS:
        for level in ("-O0", "-O3"):
            text = ptx(t, t.examples / "sequential_rows.ck", f"-arch={arch}", level)
            arrive = text.find("atom.add.release.gpu")
            wait = text.find("ld.acquire.gpu")
            first, last = text.find("bar.sync"), text.rfind("bar.sync")
            assert 0 < first < arrive < wait, (arch, level, first, arrive, wait)
            assert count(text, "bar.sync") == 2 or level == "-O0", last


def test_one_thread_before_and_after(t):
    """Threads that skip the work reach the barriers all the same: neither is under the condition,
    and none is there twice."""
    source = t.write("k.ck", ONE_THREAD_BEFORE_AND_AFTER)
    for arch in ("sm_75", "sm_90", "sm_120"):
        for level in ("-O0", "-O1", "-O2", "-O3"):
            text = ptx(t, source, f"-arch={arch}", level)
            code = text if level == "-O0" else body(text, "k")  # unoptimised, it is a function
            assert count(code, "bar.sync") == 2, code
            assert count(code, "atom.add.release.gpu.global.u32") == 1, code
            assert not re.search(r"@!?%p\d+\s+bar", code), code


def test_barriers_of_block_reduce(t):
    text = ptx(t, t.examples / "block_reduce.ck")
    for entry in ("sum_int", "sum_float"):
        code = body(text, entry)
        assert count(code, "bar.sync") in (2, 8), code  # rolled, or unrolled for 128 threads
        assert "atom.global" in code or "red.global" in code or "atom.relaxed" in code, code
    assert ".shared" in text and "envreg" not in text, "a block barrier is no grid barrier"


def test_no_barrier_without_need(t):
    text = ptx(t, t.examples / "saxpy.ck")
    assert "bar." not in text and "barrier" not in text and "envreg" not in text


def test_is_valid_is_of_the_kernel(t):
    """A launch that is not cooperative may find the workspace of one before it."""
    text = ptx(t, t.layout.tests / "run" / "groups" / "grid_valid.ck", "--sig=generic(int64[:,::1])")
    for entry in ("plain", "waits", "last", "generic"):
        assert ("envreg" in body(text, entry)) == (entry == "waits"), text


def test_constant_false(t):
    source = t.write("k.ck", "DEBUG = False\n\ndef wait(flag):\n    if flag:\n        this_grid().sync()\n\n"
                             "@kernel\ndef k(p: int32[::1]):\n    p[0] = 1\n    wait(DEBUG)\n    wait(1 > 2)\n")
    text = ptx(t, source)
    assert "bar.sync" not in text and "acquire" not in text
    assert "cooperative" not in manifest.parse(ptx(t, source, "--emit=manifest"))["kernels"][0]


def test_manifest_inside(t):
    """Once for people and once for programs, a small part of the file."""
    for source in examples(t):
        for arch in ("sm_75", "sm_90"):
            text = ptx(t, source, f"-arch={arch}")
            inside = manifest.array_in(text)
            assert inside == ptx(t, source, f"-arch={arch}", "--emit=manifest"), inside
            assert inside == manifest.comment_in(text), text
            assert manifest.parse(inside)["arch"] == arch


def test_manifest_is_small(t):
    """Of ten kernels with three arrays each: 200 bytes for each kernel, four for one of its text in
    all."""
    source = t.write("k.ck", "".join(
        f"@kernel\ndef k{i}(x: float32[:, ::1], y: float32[::1], z: int64[:]):\n    y[0] = x[0, 0] + z[0]\n"
        for i in range(10)))
    text = ptx(t, source)
    inside = manifest.array_in(text)
    assert len(inside) < 10 * 100, inside
    begin, end = text.index(manifest.TITLE), text.index("};")
    assert end - begin < 4 * len(inside) + 500, text[begin:end]


ODD_NAME = "odd \x1b[31m \\ \u00e9\n ck_manifest[8] = {.ck"


def test_manifest_of_an_odd_file_name(t):
    """Any name is printable ASCII in the PTX's manifest, on one line."""
    source = t.write(ODD_NAME, "@kernel\ndef k(x: int32[::1]):\n    x[0] = 1\n")
    text = t.ok([t.ckc, "-o", "-", source]).out
    inside = manifest.array_in(text)
    assert all(c == "\n" or " " <= c <= "~" for c in inside), inside
    assert manifest.parse(inside)["source"].encode("latin-1").decode().endswith(ODD_NAME), inside
    assert manifest.comment_in(text) == inside
    image = t.write("k.ptx", text)
    assert "k(x: int32[::1])" in t.ok([t.ckrun, "--list", image]).out


def test_deterministic(t):
    for source in examples(t):
        for words in ([], ["-arch=sm_90", "-lineinfo"], ["-O0"], ["--emit=llvm"], ["--emit=llvm-raw"],
                      ["--emit=types"]):
            assert ptx(t, source, *words) == ptx(t, source, *words), (source, words)


def test_no_local_memory(t):
    """Nothing of the examples is kept in a thread's local memory."""
    for source in examples(t):
        for arch in ("sm_75", "sm_90", "sm_120"):
            text = ptx(t, source, f"-arch={arch}")
            assert ".local" not in text and "__local_depot" not in text, source


def test_no_spills(t):
    ptxas = t.need("ptxas")
    for source in examples(t):
        t.write("k.ptx", ptx(t, source, "-arch=sm_90"))
        result = t.ok([ptxas, "-v", "-arch=sm_90", "-o", t.tmp / "k.cubin", t.tmp / "k.ptx"])
        found = re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", result.err)
        assert found and all(numbers == ("0", "0", "0") for numbers in found), result.err


def test_no_calls(t):
    """Device functions and the mathematics of the examples are inlined; of the prelude's, what is
    rare is called."""
    for source in examples(t):
        text = ptx(t, source)
        called = re.findall(r"^\s*call(?:\.uni)?\s+(?:\([^)]*\),\s*)?([^\s,]+)", text, re.M)
        assert len(called) == len(re.findall(r"^\s*call", text, re.M)), source
        assert all(name.startswith("device_$__") for name in called) and ".extern" not in text, (source, called)


def test_lines_assemble(t):
    ptxas = t.need("ptxas")
    for source in examples(t):
        t.write("k.ptx", ptx(t, source, "-arch=sm_90", "-lineinfo"))
        t.ok([ptxas, "-lineinfo", "-arch=sm_90", "-o", t.tmp / "k.cubin", t.tmp / "k.ptx"])


def test_named_blocks(t):
    for source in examples(t):
        raw = ptx(t, source, "--emit=llvm-raw")
        assert re.search(r"^[A-Za-z_][\w.]*:", raw, re.M) and not re.search(r"^\d+:", raw, re.M), source


COMPLEX = """@kernel
def k(a: int8, z: complex64, w: complex128, x: complex64[::1], y: complex128[::1], b: bool):
    i = grid(1)
    if i < len(x):
        x[i] = x[i] * z
        if b:
            y[i] = y[i] * w + a
"""


def test_complex(t):
    """A complex parameter is one, as CUDA's float2 and double2; an element is one access."""
    for arch in ARCHS:
        text = ptx(t, t.write("k.ck", COMPLEX), f"-arch={arch}")
        assert ".param .align 8 .b8 k_param_1[8]" in text, text
        assert ".param .align 16 .b8 k_param_2[16]" in text, text
        code = body(text, "k")
        for access in ("ld.global.v2.b32", "st.global.v2.b32", "ld.global.v2.b64",
                       "st.global.v2.b64"):
            assert count(code, access) == 1, (access, code)
