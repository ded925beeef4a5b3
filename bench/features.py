#!/usr/bin/env python3
"""Tries each feature of cooperative groups with ck and with CUDA C++: see docs/comparison.md.

    bench/features.py [--build DIR | --prefix DIR] [--only WORD...] [--no-run] [--no-cuda]

A line for each feature: what ck and what nvcc with CUDA's own headers make of a kernel that uses
it: `right` or `wrong` for its results on the first CUDA device (ck's on the CPU where there is
none), `compiles` where it was not run, `refused` with what the compiler says, `none` where there is
no way to write it. Then the names that Numba and CuPy have, where they are installed. Needs Python
3.9 and a CUDA toolkit.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from suite import machine  # noqa: E402
from suite.layout import Layout, find_nvcc, find_python_with  # noqa: E402
from suite.measure import Broken  # noqa: E402

THREADS, BLOCKS = 128, 2
VALUES = [i * 7919 % 1000 - 300 for i in range(THREADS * BLOCKS)]

# --- What is tried --------------------------------------------------------------------------------
#
# Each kernel has `v`, thread i's value, and leaves in `r` what `want` says of i.

PLAIN, COOPERATIVE, CLUSTER = 0, 1, 2

CK = """@kernel
def k(x: int32[::1], o: int32[::1]):
    grid = this_grid()
    block = this_thread_block()
    i, t = grid.thread_rank(), block.thread_rank()
    s = shared.array({threads}, int32)
    v = x[i]
    r: int32 = 0
{body}
    o[i] = r

def larger(a, b):
    return a if a > b else b

def first(x):
    return x[0]

def leave(s, v):
    s[0] = v
"""

CUDA = """#include <cooperative_groups.h>
{headers}
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void k(const int *x, int *o)
{{
    auto grid = cg::this_grid();
    auto block = cg::this_thread_block();
    auto i = grid.thread_rank();
    auto t = block.thread_rank();
    __shared__ int s[{threads}];
    int v = x[i], r = 0;
    auto larger = [](int a, int b) {{ return a > b ? a : b; }};
    auto first = [](const int *x) {{ return x[0]; }};
    auto leave = [](int *s, int v) {{ s[0] = v; }};
{body}
    o[i] = r;
}}

int main()
{{
    int *x, *o;
    cudaMallocManaged(&x, 4 * {n});
    cudaMallocManaged(&o, 4 * {n});
    for (int i = 0; i < {n}; i++)
        x[i] = i * 7919 % 1000 - 300;
    cudaLaunchAttribute attribute = {{}};
    attribute.id = {shape} == 1 ? cudaLaunchAttributeCooperative : cudaLaunchAttributeClusterDimension;
    if ({shape} == 1)
        attribute.val.cooperative = 1;
    else
        attribute.val.clusterDim.x = {blocks}, attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {{}};
    config.gridDim = {blocks};
    config.blockDim = {threads};
    config.attrs = &attribute;
    config.numAttrs = {shape} != 0;
    cudaError_t error = cudaLaunchKernelEx(&config, k, (const int *)x, o);
    if (!error)
        error = cudaDeviceSynchronize();
    if (error)
        return puts(cudaGetErrorString(error)), 1;
    for (int i = 0; i < {n}; i++)
        printf("%d ", o[i]);
}}
"""

HEADERS = {"memcpy_async": "cooperative_groups/memcpy_async.h", "reduce": "cooperative_groups/reduce.h",
           "scan": "cooperative_groups/scan.h", "atomic_ref": "cuda/atomic"}


def among(key, function):
    """What `function` makes of the values of thread i's group, in order, and of its rank there."""
    def want(x, i):
        group = [j for j in range(len(x)) if key(x, j) == key(x, i)]
        return function([x[j] for j in group], group.index(i))
    return want


def runs(size):
    return lambda x, j: j // size


def total(values, rank):
    return sum(values)


def before(values, rank):
    return sum(values[:rank])


def upto(values, rank):
    return sum(values[:rank + 1])


def rotated(values, rank):
    return values[(rank + 1) % len(values)]


def highest(values, rank):
    return max(values)


def lowest(values, rank):
    return values[0]


def even(x, j):
    return (j // 32, x[j] % 2)


ALL = runs(THREADS * BLOCKS)
BLOCK, TILE, WIDE = runs(THREADS), runs(8), runs(64)
CK_TILE, CUDA_TILE = "g = tiled_partition(block, 8)", "auto g = cg::tiled_partition<8>(block);"
CK_WIDE, CUDA_WIDE = "g = tiled_partition(block, 64)", "auto g = cg::tiled_partition<64>(block);"
CK_BLOCK, CUDA_BLOCK = "g = block", "auto g = block;"
CK_GRID, CUDA_GRID = "g = grid", "auto g = grid;"
CK_CLUSTER, CUDA_CLUSTER = "g = this_cluster()", "auto g = cg::this_cluster();"


# The converged threads whose values are even; the others leave 0.
def ck_coalesced(*lines):
    return "\n".join(["if v % 2 == 0:", "    g = coalesced_threads()",
                      *(f"    {line}" for line in lines)])


def cuda_coalesced(text):
    return "if (v % 2 == 0) { auto g = cg::coalesced_threads(); " + text + " }"


def if_even(want):
    return lambda x, i: want(x, i) if x[i] % 2 == 0 else 0


GROUPS = {  # name: shape, ck, CUDA, which values are in a group
    "tile of 8": (PLAIN, CK_TILE, CUDA_TILE, TILE),
    "tile of 64": (PLAIN, CK_WIDE, CUDA_WIDE, WIDE),
    "block": (PLAIN, CK_BLOCK, CUDA_BLOCK, BLOCK),
    "cluster": (CLUSTER, CK_CLUSTER, CUDA_CLUSTER, ALL),
    "grid": (COOPERATIVE, CK_GRID, CUDA_GRID, ALL),
}
MEMBERS = {  # name: ck, CUDA, its result
    "reduce": ("r = reduce(g, v, plus())", "r = cg::reduce(g, v, cg::plus<int>());", total),
    "reduce, own function": ("r = reduce(g, v, larger)", "r = cg::reduce(g, v, larger);", highest),
    "inclusive_scan": ("r = inclusive_scan(g, v)", "r = cg::inclusive_scan(g, v);", upto),
    "exclusive_scan": ("r = exclusive_scan(g, v)", "r = cg::exclusive_scan(g, v);", before),
    "shfl": ("r = g.shfl(v, (g.thread_rank() + 1) % g.size())",
             "r = g.shfl(v, (g.thread_rank() + 1) % g.size());", rotated),
    "any, all": ("r = 2 * int32(g.any(v > 690)) + int32(g.all(v > -290))",
                 "r = 2 * (g.any(v > 690) != 0) + (g.all(v > -290) != 0);",
                 lambda a, rank: 2 * any(v > 690 for v in a) + all(v > -290 for v in a)),
    "invoke_one_broadcast": ("r = invoke_one_broadcast(g, first, x)",
                             "r = cg::invoke_one_broadcast(g, first, x);",
                             lambda a, rank: VALUES[0]),
}
PARTITIONS = {  # name: ck, CUDA, which values are in a group
    "stride_partition of a tile": (
        "h = tiled_partition(block, 32)\ng = stride_partition(h, 4)",
        "auto h = cg::tiled_partition<32>(block); auto g = cg::stride_partition(h, 4);",
        lambda x, j: (j // 32, j % 8)),
    "stride_partition of a block": (
        "g = stride_partition(block, 4)", "auto g = cg::stride_partition(block, 4);",
        lambda x, j: (j // 128, j % 32)),
    "labeled_partition of a tile": (
        "h = tiled_partition(block, 32)\ng = labeled_partition(h, v % 3)",
        "auto h = cg::tiled_partition<32>(block); auto g = cg::labeled_partition(h, (v + 300) % 3);",
        lambda x, j: (j // 32, x[j] % 3)),
    "labeled_partition of a block": (
        "g = labeled_partition(block, v % 3)", "auto g = cg::labeled_partition(block, (v + 300) % 3);",
        lambda x, j: (j // 128, x[j] % 3)),
    "binary_partition of a tile": (
        "h = tiled_partition(block, 32)\ng = binary_partition(h, v > 0)",
        "auto h = cg::tiled_partition<32>(block); auto g = cg::binary_partition(h, v > 0);",
        lambda x, j: (j // 32, x[j] > 0)),
    "binary_partition of a block": (
        "g = binary_partition(block, v > 0)", "auto g = cg::binary_partition(block, v > 0);",
        lambda x, j: (j // 128, x[j] > 0)),
    "tiles of a cluster": (
        "c = this_cluster()\ng = tiled_partition(c, 8)",
        "auto c = cg::this_cluster(); auto g = cg::tiled_partition<8>(c);", TILE),
}


def all_features():
    """(name, shape, ck, CUDA, want)"""
    yield ("thread_block", PLAIN,
           "r = t + 1000 * block.num_threads() + block.thread_index().x + block.group_index().x",
           "r = t + 1000 * block.num_threads() + block.thread_index().x + block.group_index().x;",
           lambda x, i: 128000 + i % 128 * 2 + i // 128)
    yield ("grid_group", PLAIN, "r = i + 1000 * grid.num_threads() + grid.block_rank()",
           "r = i + 1000 * grid.num_threads() + grid.block_rank();",
           lambda x, i: i + 256000 + i // 128)
    yield ("cluster_group", CLUSTER,
           CK_CLUSTER + "\nr = g.thread_rank() + 1000 * g.num_threads() + g.block_rank()",
           CUDA_CLUSTER + "r = g.thread_rank() + 1000 * g.num_threads() + g.block_rank();",
           lambda x, i: i + 256000 + i // 128)
    for size in (1, 8, 32, 64, 512):
        yield (f"tile of {size}", PLAIN,
               f"g = tiled_partition(block, {size})\nr = g.thread_rank() + 1000 * g.meta_group_rank()",
               f"auto g = cg::tiled_partition<{size}>(block);"
               "r = g.thread_rank() + 1000 * g.meta_group_rank();",
               lambda x, i, size=size: i % 128 % size + 1000 * (i % 128 // size))
    yield ("this_thread", PLAIN, "r = this_thread().size()", "r = cg::this_thread().size();",
           lambda x, i: 1)
    yield ("coalesced_threads", PLAIN, ck_coalesced("r = reduce(g, v)"),
           cuda_coalesced("r = cg::reduce(g, v, cg::plus<int>());"), if_even(among(even, total)))
    yield ("coalesced_threads: scan", PLAIN, ck_coalesced("r = exclusive_scan(g, v)"),
           cuda_coalesced("r = cg::exclusive_scan(g, v);"), if_even(among(even, before)))
    yield ("coalesced_threads: shfl", PLAIN,
           ck_coalesced("r = g.shfl(v, (g.thread_rank() + 1) % g.size())"),
           cuda_coalesced("r = g.shfl(v, (g.thread_rank() + 1) % g.size());"),
           if_even(among(even, rotated)))
    yield ("tiles of coalesced_threads", PLAIN,
           ck_coalesced("h = tiled_partition(g, 4)", "r = reduce(h, v) * 0 + h.size() * 0 + 1"),
           cuda_coalesced("auto h = cg::tiled_partition(g, 4); r = h.size() * 0 + 1;"),
           if_even(lambda x, i: 1))
    yield ("tile: shfl_up, shfl_down", PLAIN,
           CK_TILE + "\nr = g.shfl_up(v, 1) + 3 * g.shfl_down(v, 2)",
           CUDA_TILE + "r = g.shfl_up(v, 1) + 3 * g.shfl_down(v, 2);",
           lambda x, i: x[i - 1 if i % 8 else i] + 3 * x[i + 2 if i % 8 < 6 else i])
    yield ("tile: shfl_xor", PLAIN, CK_TILE + "\nr = g.shfl_xor(v, 5)",
           CUDA_TILE + "r = g.shfl_xor(v, 5);", lambda x, i: x[i ^ 5])
    yield ("tile of 64: shfl_down", PLAIN, CK_WIDE + "\nr = g.shfl_down(v, 2)",
           CUDA_WIDE + "r = g.shfl_down(v, 2);", lambda x, i: x[i + 2 if i % 64 < 62 else i])
    yield ("tile: ballot", PLAIN, CK_TILE + "\nr = g.ballot(v > 0)", CUDA_TILE + "r = g.ballot(v > 0);",
           among(TILE, lambda a, rank: sum((v > 0) << k for k, v in enumerate(a))))
    yield ("tile: match_any", PLAIN, CK_TILE + "\nr = g.match_any(v & 3)",
           CUDA_TILE + "r = g.match_any(v & 3);",
           among(TILE, lambda a, rank: sum((v & 3 == a[rank] & 3) << k for k, v in enumerate(a))))
    for name, (ck, cuda, key) in PARTITIONS.items():
        shape = CLUSTER if "cluster" in name else PLAIN
        yield (name, shape, ck + "\nr = reduce(g, v)",
               cuda + "r = cg::reduce(g, v, cg::plus<int>());", among(key, total))
    for group, (shape, ck, cuda, key) in GROUPS.items():
        for member, (ck_text, cuda_text, function) in MEMBERS.items():
            yield (f"{group}: {member}", shape, ck + "\n" + ck_text, cuda + cuda_text,
                   among(key, function))
    for group, (shape, ck, cuda, key) in GROUPS.items():
        # Some thread leaves the block's value in shared memory.
        yield (f"{group}: invoke_one", shape,
               ck + "\ninvoke_one(g, leave, s, 7)\nblock.sync()\nr = s[0] if i < 128 else 7",
               cuda + "cg::invoke_one(g, leave, s, 7); block.sync(); r = i < 128 ? s[0] : 7;",
               None if group in ("cluster", "grid") else lambda x, i: 7)
    for group, (shape, ck, cuda, key) in GROUPS.items():
        index = {"tile of 8": "t // 8 * 8 + (t + 1) % 8", "tile of 64": "t // 64 * 64 + (t + 1) % 64"}
        at = index.get(group, "(t + 1) % 128")
        size = {"tile of 8": 8, "tile of 64": 64}.get(group, 128)
        yield (f"{group}: sync", shape, ck + f"\ns[t] = v\ng.sync()\nr = s[{at}]",
               cuda + f"s[t] = v; g.sync(); r = s[{at.replace('//', '/')}];",
               among(runs(size), rotated))
        yield (f"{group}: barrier_arrive, barrier_wait", shape,
               ck + "\ns[t] = v\ntoken = g.barrier_arrive()\nw = v * 2\ng.barrier_wait(token)\n"
               f"r = s[{at}] + w",
               cuda + "s[t] = v; auto token = g.barrier_arrive(); int w = v * 2;"
               f"g.barrier_wait(std::move(token)); r = s[{at.replace('//', '/')}] + w;",
               lambda x, i, size=size: among(runs(size), rotated)(x, i) + 2 * x[i])
    for group in ("tile of 8", "tile of 64", "block"):
        shape, ck, cuda, key = GROUPS[group]
        size = {"tile of 8": 8, "tile of 64": 64, "block": 128}[group]
        yield (f"{group}: memcpy_async, wait", shape,
               ck + f"\na, b = t - t % {size}, i - t % {size}\n"
               f"memcpy_async(g, s[a:a + {size}], x[b:b + {size}])\nwait(g)\n"
               f"r = s[a + (t + 1) % {size}]",
               cuda + f"auto a = t - t % {size}; auto b = i - t % {size};"
               f"cg::memcpy_async(g, s + a, x + b, {size} * sizeof(int)); cg::wait(g);"
               f"r = s[a + (t + 1) % {size}];", among(key, rotated))
    yield ("block: wait_prior", PLAIN,
           "memcpy_async(block, s[:64], x[i - t:])\nmemcpy_async(block, s[64:], x[i - t + 64:])\n"
           "block.wait_prior(1)\nr = s[t % 64]\nblock.wait()\nr += s[127 - t]",
           "cg::memcpy_async(block, s, x + i - t, 256); cg::memcpy_async(block, s + 64, x + i - t + 64, 256);"
           "cg::wait_prior<1>(block); r = s[t % 64]; cg::wait(block); r += s[127 - t];",
           among(BLOCK, lambda a, rank: a[rank % 64] + a[127 - rank]))
    yield ("block: copy with steps", PLAIN,
           "memcpy_async(block, s[::2], x[i - t:i - t + 64])\nblock.wait()\n"
           "r = s[t // 2 * 2]", None, among(BLOCK, lambda a, rank: a[rank // 2]))
    yield ("cluster: map_shared_rank", CLUSTER,
           CK_CLUSTER + "\ns[t] = v\ng.sync()\nr = g.map_shared_rank(s, 1 - g.block_rank())[t]\ng.sync()",
           CUDA_CLUSTER + "s[t] = v; g.sync(); r = g.map_shared_rank(s, 1 - g.block_rank())[t]; g.sync();",
           lambda x, i: x[(i + 128) % 256])
    yield ("cluster: query_shared_rank", CLUSTER,
           CK_CLUSTER + "\nr = g.query_shared_rank(g.map_shared_rank(s, 1 - g.block_rank()))",
           CUDA_CLUSTER + "r = g.query_shared_rank(g.map_shared_rank(s, 1 - g.block_rank()));",
           lambda x, i: 1 - i // 128)
    yield ("tile: reduce_update_async", PLAIN, None,
           CUDA_TILE + "cuda::atomic_ref<int, cuda::thread_scope_block> a(s[t / 8]); s[t / 8] = 1; g.sync();"
           "cg::reduce_update_async(g, a, v, cg::plus<int>()); block.sync(); r = s[t / 8];",
           among(TILE, lambda a, rank: 1 + sum(a)))
    yield ("tile: inclusive_scan_update", PLAIN, None,
           CUDA_TILE + "cuda::atomic_ref<int, cuda::thread_scope_block> a(s[t / 8]); s[t / 8] = 1; g.sync();"
           "r = cg::inclusive_scan_update(g, a, v, cg::plus<int>());",
           among(TILE, lambda a, rank: 1 + sum(a[:rank + 1])))


# --- Trying ---------------------------------------------------------------------------------------


class Trial:
    def __init__(self, layout, nvcc, device, runs, tmp):
        self.layout, self.nvcc, self.device, self.tmp = layout, nvcc, device, Path(tmp)
        self.runs = runs
        self.arch = f"sm_{device['capability'] if device else 90}"

    def command(self, argv):
        """Whether it succeeded, and what it said."""
        try:
            done = subprocess.run([str(word) for word in argv], stdin=subprocess.DEVNULL, timeout=120,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        except subprocess.TimeoutExpired:
            return False, "it took more than two minutes"
        return done.returncode == 0, done.stdout

    def ck(self, name, shape, body, want):
        if body is None:
            return "none"
        source = self.tmp / f"{name}.ck"
        body = "\n".join("    " + line for line in body.split("\n"))
        source.write_text(CK.format(threads=THREADS, body=body))
        done, text = self.command([self.layout.ckc, "--check", f"-arch={self.arch}", source])
        if not done:
            return "refused: " + re.sub(r"^\S+ ", "", text.split("\n")[0])
        if not self.runs or want is None:
            return "compiles"
        cluster = ", 0, 0, 2" if shape == CLUSTER else ""
        done, text = self.command([
            self.layout.tools / "ckrun", source, f"k[{BLOCKS}, {THREADS}{cluster}](x, o)",
            f"x=array([{', '.join(map(str, VALUES))}], int32)", f"o=zeros({len(VALUES)}, int32)",
            "--save", f"o={self.tmp}/{name}.npy"])
        if not done:
            return "fails: " + text.split("\n")[0]
        data = (self.tmp / f"{name}.npy").read_bytes()[-4 * len(VALUES):]
        have = [int.from_bytes(data[i:i + 4], "little", signed=True) for i in range(0, len(data), 4)]
        return verdict(have, want)

    def cuda(self, name, shape, body, want):
        if body is None:
            return "none"
        source, program = self.tmp / f"{name}.cu", self.tmp / name
        headers = [f"#include <{header}>" for word, header in HEADERS.items() if word in body]
        source.write_text(CUDA.format(threads=THREADS, blocks=BLOCKS, n=len(VALUES), shape=shape,
                                      headers="\n".join(headers), body=body))
        done, text = self.command([self.nvcc, "-std=c++17", f"-arch={self.arch}", "-o", program, source])
        if not done:
            said = re.search(r"(?:error\b.*?: |error: )(.*)", text)
            return "refused: " + (said[1] if said else text.strip().split("\n")[0])
        if not self.device or want is None:
            return "compiles"
        done, text = self.command([program])
        return verdict([int(word) for word in text.split()], want) if done else f"fails: {text.strip()}"


def verdict(have, want):
    wrong = [i for i, value in enumerate(have) if value != want(VALUES, i)]
    return f"wrong: thread {wrong[0]}" if wrong else "right"


PEERS = """
from numba.cuda import cg
import numba_cuda
print("Numba", numba_cuda.__version__, "cuda.cg:", *[n for n in ("this_grid", "GridGroup") if hasattr(cg, n)])
print("   of a grid:", *sorted(n for n in vars(cg.GridGroup) if n[0] != "_"))
""", """
import cupy
from cupyx.jit import cg
print("CuPy", cupy.__version__, "jit.cg:", *cg.__all__)
print("   of a grid:", *sorted(n for n in vars(cg._GridGroup) if n[0] != "_"))
print("   of a block:", *sorted(n for n in vars(cg._ThreadBlockGroup) if n[0] != "_"))
"""


def print_peers():
    for module, program in zip(("numba_cuda", "cupy"), PEERS):
        python = find_python_with(module)
        if not python:
            print(f"{module} is not installed")
            continue
        done = subprocess.run([python, "-c", program], stdin=subprocess.DEVNULL, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(done.stdout.strip())


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--build", type=Path, metavar="DIR", help="try a build folder")
    where.add_argument("--prefix", type=Path, metavar="DIR", help="try a release")
    parser.add_argument("--only", nargs="+", default=[""], metavar="WORD",
                        help="features that have one of these in their names")
    parser.add_argument("--no-run", action="store_true", help="compile only")
    parser.add_argument("--no-cuda", action="store_true", help="leave out nvcc")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    try:
        layout = Layout(Path(__file__).resolve().parent, arguments.build, arguments.prefix)
    except FileNotFoundError as error:
        sys.exit(f"features.py: {error}")
    nvcc = None if arguments.no_cuda else find_nvcc()
    try:
        device = None if arguments.no_run else machine.gpu(layout)
    except (machine.NoDevice, Broken) as why:
        print(f"features.py: {why}", file=sys.stderr)
        device = None
    features = [feature for feature in all_features() if any(word in feature[0] for word in arguments.only)]
    with tempfile.TemporaryDirectory(prefix="ck-features-") as tmp, \
            concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        trial = Trial(layout, nvcc, device, not arguments.no_run, tmp)
        jobs = []
        for number, (name, shape, ck, cuda, want) in enumerate(features):
            jobs.append((name, pool.submit(trial.ck, f"f{number}", shape, ck, want),
                         pool.submit(trial.cuda, f"g{number}", shape, cuda, want) if nvcc else None))
        for name, ck, cuda in jobs:
            print(f"{name:40} {ck.result():39} {cuda.result() if cuda else ''}".rstrip(), flush=True)
    if arguments.only == [""]:
        print_peers()
    return 0


if __name__ == "__main__":
    sys.exit(main())
