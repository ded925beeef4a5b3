"""The order of memory around barriers and around messages between the blocks of a grid: which
instructions release and acquire, and in which scope (docs/adr/010-memory-of-the-grid.md)."""

import re

from ptx.content import body, count, ptx
from ptx.ptxas import ARCHS

KERNELS = """
@kernel
def reduces(x: int64[::1]):
    g = this_grid()
    x[g.thread_rank()] = g.reduce(x[g.thread_rank()])

@kernel
def splits(x: int64[::1]):
    g = this_grid()
    x[g.thread_rank()] = 1
    token = g.barrier_arrive()
    g.barrier_wait(token)
    x[0] = x[g.num_threads() - 1]

@kernel
def block_splits(x: int64[::1], n: int64):
    g = this_thread_block()
    x[g.thread_rank()] = 1
    token = g.barrier_arrive()
    while n % 7 != 0:
        n = n * 3 + 1
    g.barrier_wait(token)
    x[g.thread_rank()] += x[g.num_threads() - 1 - g.thread_rank()]

@kernel
def tile(x: int64[::1]):
    g = tiled_partition(this_thread_block(), 64)
    x[threadIdx.x] = 1
    g.sync()
    x[threadIdx.x] += x[threadIdx.x ^ 63]

@kernel
def counts(x: int64[::1], n: int32[::1]):
    x[grid(1)] = 1
    threadfence()
    atomic.add(n, 0, 1)
    threadfence_block()
    atomic.cas(n, 1, 2, 3)
    threadfence_system()
    atomic.exch(n, 2, 3)
"""

CLUSTERS = """
@kernel(cluster=2)
def whole(x: int64[::1]):
    this_cluster().sync()

@kernel(cluster=2)
def arrive_and_wait(x: int64[::1]):
    c = this_cluster()
    token = c.barrier_arrive()
    x[grid(1)] = 1
    c.barrier_wait(token)
"""

# In a kernel each operation waits once and uses one of two buffers in turn; at the end the kernel
# waits. Functions that are not inlined wait a second time.
IN_LOOPS = """
@kernel(cluster=2)
def none(x: int64[::1]):
    this_cluster().sync()

@kernel(cluster=2)
def three(x: int64[::1]):
    c = this_cluster()
    x[grid(1)] = c.reduce(x[grid(1)], f) + c.inclusive_scan(1, f) + c.invoke_one_broadcast(f, 1, 2)

def inner(v):
    return this_cluster().reduce(v, f)

@kernel(cluster=2)
def outer(x: int64[::1]):
    x[grid(1)] = inner(x[grid(1)])

def f(a, b):
    return b
"""


def code_of(text, kernel):
    """The kernel and the functions that it may call: unoptimised, there are some."""
    functions = re.findall(r"^\.func .*?^}", text, re.M | re.S)
    return re.sub(r"//.*", "", "\n".join([*functions, body(text, kernel)]))


def in_order(code, *instructions):
    places = [code.find(instruction) for instruction in instructions]
    assert -1 not in places and places == sorted(places), (instructions, places, code)


def synchronising(code):
    """Every instruction with an order or a scope, but relaxed ones."""
    return set(re.findall(r"\b\w+(?:\.\w+)*\.(?:release|acquire|acq_rel|sc)(?:\.\w+)*", code))


def test_reductions_of_the_grid(t):
    """Claim: acquire. Arrive: release. Wait: acquire. Leave: both; the last block releases the
    entry."""
    source = t.write("k.ck", KERNELS)
    for arch in ARCHS:
        for level in "-O0", "-O1", "-O3":
            code = code_of(t.ok([t.ckc, f"-arch={arch}", level, "-o", "-", source]).out, "reduces")
            for instruction in ("atom.acquire.gpu.global.cas.b64", "atom.add.release.gpu.global.u32",
                                "ld.acquire.gpu.global.u32", "atom.acq_rel.gpu.global.inc.u32",
                                "st.release.gpu.global.u64"):
                assert instruction in code, (arch, level, instruction, code)
            if level != "-O0":
                in_order(code, "atom.acquire.gpu.global.cas.b64", "atom.add.release.gpu.global.u32",
                         "ld.acquire.gpu.global.u32", "atom.acq_rel.gpu.global.inc.u32",
                         "st.release.gpu.global.u64")
            others = {i for i in synchronising(code) if ".gpu." not in i and ".cta." not in i}
            assert not others, others


def test_split_phase_barrier_of_the_grid(t):
    """All threads of a block arrive before one of them releases, and wait for the one that
    acquires."""
    source = t.write("k.ck", KERNELS)
    for arch in ARCHS:
        code = body(t.ok([t.ckc, f"-arch={arch}", "-o", "-", source]).out, "splits")
        in_order(code, "st.global", "bar.sync", "atom.add.release.gpu.global.u32", "ld.acquire.gpu.global.u32")
        assert code.rfind("bar.sync") > code.find("ld.acquire.gpu"), code
        assert code.rfind("bar.sync") < code.rfind("ld.global"), code


def test_of_a_block(t):
    """An mbarrier's arrival releases and its test acquires, for the block, by themselves."""
    source = t.write("k.ck", KERNELS)
    for arch in ARCHS:
        text = t.ok([t.ckc, f"-arch={arch}", "-o", "-", source]).out
        for kernel in "block_splits", "tile":
            code = code_of(text, kernel)
            if arch == "sm_75":
                in_order(code, "st.global", "atom.add.release.cta.shared.u32", "ld.acquire.cta.shared.u32")
            else:
                in_order(code, "st.global", "mbarrier.arrive.shared.b64", "_wait.shared.b64")
                assert not re.search(r"mbarrier\.\w+\.(relaxed|noComplete)", code), code
            assert code.rfind("_wait.shared" if arch != "sm_75" else "ld.acquire") < code.rfind("ld.global"), code


def test_clusters(t):
    """Without a word a cluster's arrival releases and its wait acquires."""
    source = t.write("k.ck", CLUSTERS)
    for arch in ARCHS:
        if int(arch[3:]) < 90:
            continue
        text = t.ok([t.ckc, f"-arch={arch}", "-o", "-", source]).out
        for kernel in "whole", "arrive_and_wait":
            code = code_of(text, kernel)
            in_order(code, "barrier.cluster.arrive", "barrier.cluster.wait")
            assert "relaxed" not in code, code
        in_order(code, "barrier.cluster.arrive", "st.global", "barrier.cluster.wait")


def test_clusters_in_loops(t):
    source = t.write("k.ck", IN_LOOPS)
    for arch in ARCHS:
        if int(arch[3:]) < 90:
            continue
        text = t.ok([t.ckc, f"-arch={arch}", "-o", "-", source]).out
        waits = {name: count(body(text, name), "barrier.cluster.wait") for name in ("none", "three", "outer")}
        assert waits == {"none": 1, "three": 4, "outer": 2}, (arch, text)


def test_atomics_and_fences(t):
    """Atomics order nothing but themselves; a fence stands where it is written, with its scope."""
    source = t.write("k.ck", KERNELS)
    for arch in ARCHS:
        code = code_of(t.ok([t.ckc, f"-arch={arch}", "-o", "-", source]).out, "counts")
        assert not re.search(r"\b(atom|red)\.[\w.]*(acquire|release|acq_rel|sc)\b", code), code
        fences = re.findall(r"\b(?:membar|fence)\.[\w.]+", code)
        scopes = [re.search(r"\b(gl|gpu|cta|sys)$", fence)[1] for fence in fences]
        assert [{"gl": "gpu"}.get(s, s) for s in scopes] == ["gpu", "cta", "sys"], fences
        updates = [m.start() for m in re.finditer(r"\b(?:atom|red)\.", code)]
        places = [m.start() for m in re.finditer(r"\b(?:membar|fence)\.", code)]
        assert len(updates) == 3 and all(f < a for f, a in zip(places, updates)), code
        assert updates[0] < places[1] and updates[1] < places[2], code


SCOPES = {"block": "cta", "cluster": "cluster", "device": "gpu", "system": "sys"}


def kernel_of(name, statement, dtype):
    return (f"@kernel\ndef {name}(x: {dtype}[::1], y: {dtype}[::1]):\n    s = shared.array(2, {dtype})\n"
            f"    s[0] = y[1]\n    {statement}\n    syncthreads()\n    y[0] = s[0]\n")


def scope_at(scope, arch):
    return "gpu" if scope == "cluster" and arch in ("sm_75", "sm_80") else SCOPES[scope]


def test_orders_and_scopes(t):
    """Every order and scope of loads, stores and compare-and-swap, of every width, for each
    generation."""
    cases = [(kind, order, scope, dtype, array)
             for kind, orders in (("load", ("relaxed", "acquire", "seq_cst")), ("store", ("relaxed", "release", "seq_cst")),
                                  ("cas", ("relaxed", "acquire", "release", "acq_rel", "seq_cst")))
             for order in orders for scope in SCOPES
             for dtype in (("int32", "float64") if kind == "cas" else ("bool", "int16", "float16", "uint32", "float64"))
             for array in "xs"]
    texts = {"load": "y[1] = atomic.load({0}, 0, {1})", "store": "atomic.store({0}, 0, y[0], {1})",
             "cas": "y[1] = atomic.cas({0}, 0, y[0], y[1], {1})"}
    source = t.write("orders.ck", "\n".join(
        kernel_of("_".join(case), texts[case[0]].format(case[4], f"memory_order_{case[1]}, thread_scope_{case[2]}"), case[3])
        for case in cases))
    for arch in ("sm_75", "sm_80", "sm_90", "sm_100"):
        text = ptx(t, source, f"-arch={arch}")
        for case in cases:
            kind, order, scope = case[:3]
            code, where = body(text, "_".join(case)), scope_at(scope, arch)
            if order == "seq_cst":
                assert f"fence.sc.{where};" in code, code
                order = "release" if kind == "store" else "acquire"
            name = {"load": "ld", "store": "st", "cas": "atom"}[kind]
            assert f"{name}.{order}.{where}." in code, (case, code)


def test_updates_with_an_order(t):
    """LLVM drops the order of these: fences stand before and after."""
    for operation, dtype in (("exch", "int32"), ("add", "float32"), ("sub", "uint64"), ("inc", "uint32")):
        for arch in ("sm_75", "sm_90"):
            for order, before, after in (("relaxed", False, False), ("acquire", False, True), ("release", True, False),
                                         ("acq_rel", True, True), ("seq_cst", True, True)):
                statement = f"y[1] = atomic.{operation}(x, 0, y[0], memory_order_{order}, thread_scope_device)"
                code = body(ptx(t, t.write("u.ck", kernel_of("k", statement, dtype)), f"-arch={arch}"), "k")
                first, last = code.split("atom.")
                assert ("fence." in first, "fence." in last) == (before, after), (order, code)
