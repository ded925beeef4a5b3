"""NVIDIA's assembler spills nothing of any collective operation and puts nothing in local
memory."""

import re

ARCHS = ["sm_75", "sm_80", "sm_90", "sm_100"]
HEAD = """
def later(a, b):
    return b if b > 0 else a

def double(v):
    return v + v
"""
KERNEL = """
@kernel
def {name}(x: {dtype}[::1], o: {dtype}[::1], n: int32):
    i = grid(1)
    v = x[i]
    for _trip in range(n):
        {make}
        v = {dtype}({step})
        g.sync()
    o[i] = v
"""
VALUES = ["g.reduce(v)", "g.reduce(v, greater)", "g.reduce(v, later)", "g.inclusive_scan(v)",
          "g.exclusive_scan(v, less)", "g.inclusive_scan(v, later)", "g.shfl(v, 1)", "g.invoke_one_broadcast(double, v)"]
BITS = ["g.reduce(v, bit_and)", "g.exclusive_scan(v, bit_xor)"]
VOTES = ["g.any(v > 0)", "g.all(v > 0)"]
NEAR = ["g.shfl_up(v, n)", "g.shfl_down(v, n)"]
CROSS = ["g.shfl_xor(v, n)"]
LANES = ["g.ballot(v > 0)", "g.match_any(v)", "g.match_all(v)[0]"]
TILE = "g = tiled_partition(this_thread_block(), {})"
GROUPS = {
    **{f"tile{n}": (TILE.format(n), VALUES + VOTES + NEAR + CROSS + LANES) for n in (4, 16, 32)},
    **{f"tile{n}": (TILE.format(n), VALUES + VOTES + NEAR + CROSS) for n in (64, 256)},
    "coalesced": ("g = binary_partition(tiled_partition(this_thread_block(), 32), v > 0)", VALUES + VOTES + NEAR + LANES),
    "block": ("g = this_thread_block()", VALUES + VOTES),
    "cluster": ("g = this_cluster()", [step for step in VALUES if not re.search("scan|shfl", step)]),
    "grid": ("g = this_grid()", [step for step in VALUES if "shfl" not in step]),
}
COPY = """
@kernel
def copy(x: float32[:, ::1], o: float32[::1], n: int32):
    b = this_thread_block()
    t = tiled_partition(b, 32)
    s, u = shared.array((16, 64), float32), shared.array((32, 40), float32)
    for k in range(n):
        b.memcpy_async(s, x[k:k + 16, :64])
        t.memcpy_async(u[t.meta_group_rank()], x[k, 3:43])
        b.wait()
        t.wait_prior(0)
        o[threadIdx.x] += s[threadIdx.x % 16, k % 64] + u[threadIdx.x % 32, k % 40]
        b.sync()
"""
SPLIT = """
@kernel
def split{number}(x: float32[::1], n: int32):
    g = {group}
    for _trip in range(n):
        token = g.barrier_arrive()
        x[grid(1)] += 1
        g.barrier_wait(token)
"""


def kernels(arch, dtypes):
    """The text with them, and how many they are."""
    text, n = HEAD + COPY, 1
    old = int(arch[3:]) < 90  # clusters are of 9.0 and later
    for group, (make, steps) in GROUPS.items():
        if old and group == "cluster":
            continue
        for dtype in dtypes:
            for step in steps + (BITS if dtype == "int32" and group != "cluster" else []):
                text += KERNEL.format(name=f"{group}_{n}", dtype=dtype, make=make, step=step)
                n += 1
    for number, group in enumerate(("this_thread_block()", "this_grid()", "this_cluster()")):
        if not (old and "cluster" in group):
            text += SPLIT.format(number=number, group=group)
            n += 1
    return text, n


def check(t, arch):
    ptxas = t.need("ptxas")
    text, n = kernels(arch, t.part(["int32", "float64"], ARCHS.index(arch)))
    t.ok([t.ckc, f"-arch={arch}", "-o", "k.ptx", t.write("k.ck", text)])
    said = t.ok([ptxas, "-v", f"-arch={arch}", "-o", t.tmp / "k.cubin", t.tmp / "k.ptx"], timeout=240).err
    each = re.findall(r"Function properties for (\S+)\s+(\d+) bytes stack frame, (\d+) bytes spill stores, "
                      r"(\d+) bytes spill loads", said)
    # The others are functions of theirs.
    entries = [name for name, *_ in each if name.isidentifier()]
    assert len(entries) == n, (len(entries), n, said[-2000:])
    assert not [properties for properties in each if properties[1:] != ("0", "0", "0")], each


def make_test(arch):
    return lambda t: check(t, arch)


for each_arch in ARCHS:
    globals()[f"test_{each_arch}"] = make_test(each_arch)
