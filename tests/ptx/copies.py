"""Asynchronous copies in the PTX: which instructions, on which architectures."""

import re

from harness import manifest
from ptx.content import body, count, ptx
from ptx.ptxas import ARCHS

WHOLE = """@kernel
def k(x: float32[::1], y: float32[::1]):
    g = this_thread_block()
    s = shared.array(256, float32)
    g.memcpy_async(s, x)
    g.wait_prior(1)
    g.wait()
    y[threadIdx.x] = s[255 - threadIdx.x]
"""

BACK = """@kernel
def back(x: float32[::1], y: float32[::1]):
    g = this_thread_block()
    s = shared.array(256, float32)
    s[threadIdx.x] = x[threadIdx.x]
    g.sync()
    g.memcpy_async(y, s)
    g.wait()
"""


def apart(text):
    """The function that copies what is not of whole pieces of 16 bytes."""
    return next(code for code in re.findall(r"^\.func .*?^}", text, re.M | re.S)
                if "_copy_line" in code.splitlines()[0])


def test_pieces_of_16_bytes(t):
    """Where the destination is full and begins at a multiple of 16, as its source: no other sizes
    but in the function that does the rest, which is one for all copies of these types."""
    source = t.write("k.ck", WHOLE.replace("    y[", "    g.memcpy_async(s, y)\n    y["))
    for arch in ARCHS:
        text = ptx(t, source, "-aligned", f"-arch={arch}")
        code = body(text, "k")
        assert len(re.findall(r"^\.func .*_copy_line.*\($", text, re.M)) == 1, text
        if arch == "sm_75":
            assert "cp.async" not in code and "st.shared.v4" in code, code
            continue
        assert count(code, "cp.async.cg.shared.global") == 4 and "cp.async.ca" not in code, code
        assert "ld.global" not in code and "st.shared" not in code, code
        assert count(code, "cp.async.commit_group") == 2, code
        assert count(code, "cp.async.wait_group") == 2, code
        assert code.rfind("cp.async.wait_group") < code.rfind("bar.sync"), code


IN_LOOP = """@kernel
def k(x: float32[::1], y: float32[::1], n: int64):
    g = this_thread_block()
    s = shared.array(1024, float32)
    v = float32(0)
    for i in range(n):
        at = (i + blockIdx.x) % 256 * 1024
        g.memcpy_async(s, x[at:at + 1024])
        g.wait()
        v += s[threadIdx.x]
        g.sync()
    y[grid(1)] = v
"""


def test_what_follows_the_first_copy(t):
    """Where a thread's further copies begin is computed after its first, if it has any. Their loop
    has one counter."""
    code = body(ptx(t, t.write("k.ck", IN_LOOP), "-restrict", "-aligned", "-arch=sm_90"), "k")
    first = code.index("cp.async.cg")
    top = code.rindex("setp.lt.u64", 0, first)  # whether the slice is within the array
    header = code[code.rindex("\n$L", 0, top):top]
    assert len(re.findall(r"\badd\.s64", header)) <= 1, header
    guard = re.search(r"@%p\d+ bra", code[first:]).end() + first
    second = code.index("cp.async.cg", guard)
    assert len(re.findall(r"\badd\.s64", code[guard:second])) == 1, code
    loop = code[code.rindex("\n$L", 0, second):code.index("bra", second)]
    assert len(re.findall(r"\badd\.s(?:32|64)\s+(%rd?\d+), \1,", loop)) == 1, loop


ROUND = """@kernel
def k(x: float32[::1], y: float32[::1], n: int64):
    g = tiled_partition(this_thread_block(), 32)
    w = g.meta_group_rank()
    s = shared.array((8, 128), float32)
    v = float32(0)
    at = (int64(blockIdx.x) * 8 + w) * 128
    for i in range(n):
        start = at & (x.size - 1)
        at += int64(gridDim.x) * 8 * 128
        g.memcpy_async(s[w], x[start:start + 128])
        g.wait()
        v += s[w, g.thread_rank()]
        g.sync()
    y[grid(1)] = v
"""


def test_alignment_is_tested_before_the_loop(t):
    """The arrays' alignment does not change, and the start's is known."""
    code = body(ptx(t, t.write("k.ck", ROUND), "-arch=sm_90"), "k")
    bound = code.rindex("setp.lt.u64", 0, code.index("cp.async.cg"))
    iteration = code[code.rindex("\n$L", 0, bound):code.index("bra", bound)]
    assert count(iteration, "and.b64") == 1 and count(iteration, "setp") == 1, iteration


def test_pieces_of_a_tile(t):
    """A thread's pieces have constant distances from its first one."""
    for elements in 256, 512:
        text = ROUND.replace("128", str(elements))
        code = body(ptx(t, t.write("k.ck", text), "-aligned", "-arch=sm_90"), "k")
        pieces = elements * 4 // 512
        sources = re.findall(r"cp\.async\.cg\.shared\.global \[.*?\], \[(.*?)\], 16;", code)
        assert sources == [sources[0], *(f"{sources[0]}+{512 * i}" for i in range(1, pieces))], code


def test_any_alignment(t):
    for dtype, sizes in ("float32", {4, 16}), ("float64", {8, 16}), ("uint8", {4, 8, 16}):
        code = apart(ptx(t, t.write("k.ck", WHOLE.replace("float32", dtype)), "-arch=sm_90"))
        assert set(map(int, re.findall(r"cp\.async\.c.*, (\d+);", code))) == sizes, code


def test_what_is_not_asynchronous(t):
    text = ptx(t, t.write("k.ck", BACK), "-arch=sm_90")
    code = body(text, "back") + apart(text)
    assert "cp.async.c" not in code.replace("cp.async.commit_group", ""), code


PIPELINE = """{head}@kernel
def k(x: float32[::1], y: float32[::1]):
    g = {group}
    s = shared.array((2, {size}), float32)
    g.memcpy_async(s[0], x[:{size}])
    for i in range(40):
        g.memcpy_async(s[(i + 1) % 2], x[(i + 1) * {size}:(i + 2) * {size}])
        {wait}
        y[i] = s[i % 2, threadIdx.x]
        g.sync()
    g.wait()
"""


def pipeline(t, *words, head="", group="this_thread_block()", size=2048, wait="g.wait_prior(1)"):
    text = PIPELINE.format(head=head, group=group, size=size, wait=wait)
    return ptx(t, t.write("k.ck", text), *(words or ("-restrict", "-arch=sm_90")))


def shared_bytes(text):
    return manifest.in_ptx(text)["kernels"][0]["shared_bytes"]


def test_in_bulk(t):
    text = pipeline(t)
    code = body(text, "k")
    assert count(code, "cp.async.bulk.shared::cluster.global") == 2, code
    assert count(code, "mbarrier.init.shared.b64") == 4, code
    assert shared_bytes(text) == 2 * 8192 + 4 * 8, "two arrays and four words"
    assert ".version 8.0" in text
    code = body(pipeline(t, size="(1 + 2046)").replace("x[:", "x[3:"), "k")
    assert "cp.async.bulk" not in code, "not a multiple of 16 bytes"


def test_only_the_first_thread_computes_for_the_engine(t):
    """The other threads test whether the slice is plain, once, and who they are."""
    code = body(pipeline(t), "k")
    inner = code[code.rindex("cp.async.bulk"):]
    after = inner[inner.index("}"):inner.index("cp.async.wait_group")]
    assert not re.search(r"@\S+ bra", after), after
    for before in code.split("cp.async.bulk.shared")[:-1]:
        last = before[before.rindex("cp.async.commit_group"):]
        assert not re.search(r"\b(add|sub|mul|mad|shl|and)\.", last[:last.index("{")]), last


def test_not_in_bulk(t):
    """Where it would be slower or wrong nothing of it is left."""
    written = "g.wait_prior(1)\n        x[i] = 0"
    function = "def wait(g):\n    g.wait_prior(1)\n\n"
    for why, text in (
            ("a device before 9.0", pipeline(t, "-restrict", "-arch=sm_89")),
            ("a device not measured", pipeline(t, "-restrict", "-arch=sm_120")),
            ("arrays may overlap", pipeline(t, "-arch=sm_90")),
            ("not optimised", pipeline(t, "-restrict", "-O0", "-arch=sm_90")),
            ("the source is written", pipeline(t, wait=written)),
            ("short", pipeline(t, size=1024)),
            ("nothing else under way", pipeline(t, wait="g.wait()")),
            ("much else under way", pipeline(t, wait="g.wait_prior(2)")),
            ("no room for the words", pipeline(t, size=6144)),
            ("the launch has shared memory", pipeline(t, wait="g.wait_prior(1)\n        shared.array(0, float32)[i] = 1")),
            ("by a tile", pipeline(t, group="tiled_partition(this_thread_block(), 128)")),
            ("a function waits", pipeline(t, head=function, wait="wait(g)"))):
        assert not re.search(r"cp\.async\.bulk|try_wait\.parity|shared.copies", text), (why, text)
        assert ".version 8.0" not in text, why
        assert shared_bytes(text) % 1024 != 32, why
    assert "cp.async.bulk" in pipeline(t, size=6140), "just room enough"
