"""unroll-runtime and unroll-counts: several loads in flight, and the order of iterations kept."""

import re

from passes.ir import around, calls, count, function
from ptx.content import body, ptx
from ptx.cost import loops

LOAD = r" = load float, "


def bodies(t, name, loop, decorator="@kernel(launch_bounds=256)", arch="sm_90"):
    text = f"{decorator}\ndef k(x: float32[::1], y: float32[::1], n: int64, m: int64):\n{loop}\n"
    return [function(module, "k") for module in around(t, name, text, arch=arch)]


def sum_of(loop, body="s += x[i]"):
    return f"    s = x[1]\n    for i in range({loop}):\n        {body}\n    y[grid(1)] = s"


def test_strided_loops_are_unrolled(t):
    """With remainder loops, and without a division for the trip count. One load is before."""
    for arch in ("sm_75", "sm_90"):
        before, after = bodies(t, "unroll-runtime", sum_of("grid(1), n, gridsize(1)"), arch=arch)
        assert count(before, LOAD) == 1 + 1 and count(after, LOAD) == 1 + 16 + 4 + 1, arch
        assert count(after, "udiv|sdiv|urem|srem") == count(before, "udiv|sdiv|urem|srem") == 0, arch
        assert calls(after, "llvm.smax.i64") > calls(before, "llvm.smax.i64"), "the limit saturates"


def test_fewer_copies_where_a_loop_writes(t):
    _, after = bodies(t, "unroll-runtime", "    for i in range(grid(1), n, gridsize(1)):\n        y[i] = x[i] * 2")
    assert count(after, r"^  store float") == 4 + 2 + 1, after


def test_fewer_copies_without_launch_bounds(t):
    _, after = bodies(t, "unroll-runtime", sum_of("grid(1), n, gridsize(1)"), "@kernel")
    assert count(after, LOAD) == 1 + 2 + 1


def test_not_unrolled(t):
    """A barrier, a divergent shuffle, a second exit, a step or a limit that changes, no load."""
    for loop in (sum_of("blockIdx.x, n, gridDim.x", "s += x[i]\n        syncthreads()"),
                 sum_of("grid(1), n, gridsize(1)", "s += shfl_sync(activemask(), x[i], 3)"),
                 sum_of("grid(1), n, gridsize(1)", "s += x[i]\n        if s > 3:\n            break"),
                 "    i = grid(1)\n    s = float32(0)\n    while i < n:\n        s += x[i]\n        i += i\n    y[grid(1)] = s",
                 "    i = grid(1)\n    s = float32(0)\n    while i < n:\n        s += x[i]\n        i += m\n        n = n - 1\n    y[grid(1)] = s",
                 "    i = grid(1)\n    s = float32(0)\n    while i < n:\n        s += x[i]\n        i += m\n        m += 1\n    y[grid(1)] = s",
                 sum_of("grid(1), n, gridsize(1)", "s = s * s + 1")):
        before, after = bodies(t, "unroll-runtime", loop)
        operations = r" = (load|fadd|fmul|call float)"
        assert count(before, operations) == count(after, operations) >= 1, loop


def marks(t, loop):
    before, after = around(t, "unroll-counts",
                           f"@kernel\ndef k(x: float32[::1], y: float32[::1], n: int64, m: int64):\n{loop}\n")
    assert "llvm.loop.unroll.count" not in before
    return count(after, r'!"llvm.loop.unroll.count", i32 (\d+)')


def test_counts(t):
    """Set for a body of moderate size and a short one with loads; not for one with two exits."""
    moderate = "\n        ".join(f"s = s * x[0] + float32({k}.25) if s > {k} else math.sqrt(s)" for k in range(5))
    assert marks(t, sum_of("n", moderate)) == 1
    assert marks(t, sum_of("n", "s += x[i]")) == 1
    assert marks(t, sum_of("n", "s = s * float32(0.5) + float32(i)")) == 0
    assert marks(t, sum_of("n", moderate + "\n        if s > 99:\n            break")) == 0


def counts(t, loop):
    text = around(t, "unroll-counts", f"@kernel\ndef k(x: float32[:, ::1], n: int64, m: int64):\n{loop}\n")[1]
    return [int(n) for n in re.findall(r'!"llvm.loop.unroll.count", i32 (\d+)', text)]


def test_warp_level_primitives(t):
    """LLVM takes each for a call of a function, and would unroll fewer iterations."""
    for head, reduce in (("", "v = tile.reduce(v) ^ int32(i)"), ("", "v = shfl_xor_sync(0xffffffff, v, 1) + 1"),
                         ("    g = this_grid()\n    g.sync()\n", "v = tile.reduce(v) ^ int32(i)")):
        loop = (f"{head}    tile = tiled_partition(this_thread_block(), 32)\n    v = int32(x[grid(1)])\n"
                f"    for i in range(n):\n        {reduce}\n    x[grid(1)] = v")
        assert counts(t, loop.replace("x[grid(1)]", "x[0, grid(1)]")) == [8], loop


def test_columns_and_rows(t):
    """Eight for the shortest loop down a column; four along a row, or for more loads."""
    total = "    s = float32(0)\n    for i in range({}):\n        {}\n    x[0, 0] = s"
    assert counts(t, total.format("n", "s += x[i, m]")) == [8]
    assert counts(t, total.format("n", "s += x[m, i]")) == [4]
    assert counts(t, total.format("m, n", "s += x[i, m] * x[i, m + n] * x[i, 2 * m]")) == [4]
    assert counts(t, total.format("threadIdx.x, n, 32", "s += x[m, i]")) == [4]


def test_clamped_bounds(t):
    """Set for a short body too, if one bound is clamped: LLVM would not unroll it. No window."""
    assert marks(t, sum_of("min(n, 256)", "s += x[i]")) == 1
    assert marks(t, sum_of("max(n - 4, 0), m", "s += x[i]")) == 1
    assert marks(t, sum_of("max(n - 4, 0), min(n + 5, m)", "s += x[i]")) == 0


TILE = """@kernel
def k(x: float32[::1], y: float32[::1], n: int64):
    tile = shared.array({trips}, float4)
    tile[threadIdx.x] = float4(x[threadIdx.x], 1, 2, 3)
    syncthreads()
    s = x[n]
    for i in range({trips}):
        {body}
    y[grid(1)] = s
"""


def test_tiles(t):
    """32 iterations of a loop that loads from shared memory alone, fewer of a long body; LLVM's
    count where they cannot overlap, or load from elsewhere."""
    def found(body, trips=256):
        text = around(t, "unroll-counts", TILE.format(body=body, trips=trips))[1]
        return [int(n) for n in re.findall(r'!"llvm.loop.unroll.count", i32 (\d+)', text)]

    attracted = "s += tile[i].w * rsqrt(tile[i].x * tile[i].y + s)"
    assert found(attracted) == [32] and found(attracted, 96) == [32] and found(attracted, 40) == [8]
    long = "s += " + " + ".join(f"tile[i].w * rsqrt(tile[i].x * s + {k}.0)" for k in range(12))
    assert found(long) and found(long)[0] < 32
    assert found("s += 1 / sqrt(tile[i].x)") == [32]
    for body in ("s += tile[i].x * x[i]",
                 "tile[i].y = s * tile[i].x", "s = s * float32(0.5) + float32(i)", attracted + " if s > 3 else x[i]"):
        assert found(body) == [], body


def loops_of(t, kernel):
    """Of the PTX: the loads and whether the assembler may unroll, by loop."""
    source = t.write("k.ck", kernel)
    code = body(ptx(t, source, "-arch=sm_90"), "k")
    return [(loop.count("ld.global"), "nounroll" not in loop) for loop in loops(code)]


ROW = """@kernel
def k(x: float32[:, ::1], y: float32[::1]):
    i = grid(1)
    s = float32(0)
    for j in range({loop}):
        s += {terms}
    y[i] = s
"""


def test_assembler_unrolls_once_more(t):
    """What is unrolled by four, whose remainder is no loop; no body with very many loads."""
    strided = loops_of(t, ROW.format(loop="threadIdx.x, x.shape[1], 32", terms="x[i, j] * y[j]"))
    assert strided == [(8, True)], strided
    many = loops_of(t, ROW.format(loop="x.shape[1]", terms="x[i, j] * y[j]"))
    assert all(not may for loads, may in many if loads > 16), many


ARGMAX = """
@kernel
def k(x: float32[::1], y: int64[::1]):
    best = x[0]
    at = 0
    for j in range(1, len(x)):
        v = x[j * threadIdx.x]
        if v > best:
            best = v
            at = j
    y[threadIdx.x] = at
"""


def test_unrolled_loops_test_their_counter(t):
    """The assembler unrolls a loop whose test compares what the loop increments."""
    text = body(ptx(t, t.write("k.ck", ARGMAX), "-arch=sm_90"), "k")
    unrolled = [loop for loop in loops(text) if loop.count("ld.global") >= 4]
    assert unrolled, text
    for loop in unrolled:
        tested = re.search(r"setp\.\w+\.\w64 *\t%p\d+, (%rd\d+), .*\n(?:\tadd.*\n)?\t@%p\d+ bra", loop)[1]
        assert re.search(rf"add\.s64 *\t{tested}, {tested}, \d+;", loop), loop


def test_constant_trip_counts_are_unrolled(t):
    """Of 32 iterations; not of 64."""
    text = "@kernel\ndef k(x: int32[::1]):\n    v = x[0]\n    for k in range({}):\n        {}\n    x[0] = v\n"
    step = "v = (v << 4) ^ (v >> 5) + v * int32(k)"
    assert not loops(body(ptx(t, t.write("k.ck", text.format(32, step)), "-arch=sm_90"), "k"))
    long = "; ".join(f"v = (v << {k}) ^ (v >> {k + 1}) + v" for k in range(1, 9))
    assert loops(body(ptx(t, t.write("k.ck", text.format(64, long)), "-arch=sm_90"), "k"))


def test_large_steps_are_not_chained(t):
    text = "@kernel\ndef k(x: int64[::1], m: int64):\n    s = 0\n    for i in range(0, x.size, 100000):\n" \
           "        s += x[i * m] * x[(i + 1) * m]\n    x[0] = s\n"
    before, after = around(t, "stride-pointers", text)
    assert count(after, "walk") == 0 and len(after) < 2 * len(before), len(after)


def test_strides_are_chained(t):
    """Each address of an unrolled loop adds one stride to that before it."""
    text = """@kernel
def k(x: float32[:, ::1], y: float32[:, ::1]):
    j = grid(1)
    s = float32(0)
    for i in range(x.shape[0]):
        s += x[i, j] * x[i, y.shape[0] + j] - y[i, j]
    y[0, j] = s
"""
    before, after = around(t, "stride-pointers", text)
    loop = r"^for\.body:.*?^  br "
    chained = re.search(loop, after, re.M | re.S)[0]
    assert "walk" not in before, before
    addresses = re.findall(r"(%\S+) = getelementptr float, ptr addrspace\(1\) (%\S+), i64 (%\S+)", chained)
    walks = set(re.findall(r"(%walk\S*) = phi", chained))
    assert len(walks) == 3, chained
    reached = set(walks)
    for address, base, _ in addresses:
        if base in reached:
            reached.add(address)
    assert len(reached) == 3 * 5, (reached, chained)
    assert len({stride for _, base, stride in addresses if base in reached}) == 2, addresses


STREAM = """
@kernel
def k(x: float32[:, ::1], y: float32[::1]):
    row = x[blockIdx.x]
    s = float32(0)
    for i in range(threadIdx.x, row.size, {step}):
        s += {term}
    {end}y[grid(1)] = s
"""


def lengths(t, step=256, term="row[i]", end=""):
    """The module's number of versions of its loop by its trip count."""
    before, after = around(t, "version-lengths", STREAM.format(step=step, term=term, end=end))
    before, after = function(before, "k"), function(after, "k")
    assert count(before, "^version:") == 0
    return count(after, "^version:"), after


def test_lengths(t):
    """Long rows have a version with four loads in flight, others sixteen."""
    n, after = lengths(t)
    assert n == 1 and count(after, rf"icmp ult i64 %\d+, {64 * 256}$|icmp ugt i64 %\d+, {64 * 256 - 1}$|"
                            rf"icmp uge i64 %\d+, {64 * 256}$") == 1, after
    text = STREAM.format(step=256, term="row[i]", end="")
    assert sorted(loops_of(t, text)) == [(4, False), (4, True)], loops_of(t, text)


def test_no_lengths(t):
    """Loops that do more than load, rows of one thread, and few blocks have one version."""
    for options in ({"step": 1}, {"step": "blockDim.x"}, {"term": "row[i] * y[i]"}, {"term": "exp(row[i]) + sqrt(row[i]) * i"},
                    {"end": "this_grid().sync()\n    "}):
        n, after = lengths(t, **options)
        assert n == 0, (options, after)
