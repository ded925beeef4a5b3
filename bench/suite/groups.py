"""The first CUDA device: reductions, scans, shuffles, votes, barriers and copies of tiles,
coalesced groups, blocks and clusters beside the same in CUDA C++. Skipped where there is no CUDA
device."""

import textwrap
from pathlib import Path

from .gpu import OneProcess, loads_of, ptx_of, rows_of
from .peers import CUDA, with_peers

LEAST = 1 / 1.05  # nvcc's time over ck's
THREADS = 1056 * 256  # of every grid
TIMES = 64  # iterations, of four operations each

# What each kernel does with `v`, a thread's value, in both languages. `j` counts the operations.
CK = """
@kernel({options})
def {name}(x: float32[::1], o: float32[::1], n: int64):
    i = grid(1)
    {prepare}
    v = {begin}
    for iteration in range(n):
        for part in range(4):
            j = 4 * iteration + part
            {step}
    {finish}
    o[i] = v
"""
CUDA_CPP = """
extern "C" __global__ void {options}
{name}(const float *__restrict__ x, long long nx, float *__restrict__ o, long long no, long long n)
{{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    cg::thread_block b = cg::this_thread_block();
    {prepare}
    auto v = {begin};
    for (long long iteration = 0; iteration < n; iteration++) {{
        for (int part = 0; part < 4; part++) {{
            long long j = 4 * iteration + part;
            {step}
        }}
    }}
    {finish}
    o[i] = (float)v;
}}
"""
CK_HEAD = """
def double(v):
    return v + v

def composed(a, b):
    return a + b * 0.5
"""
CUDA_HEAD = """
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

/* Of a block, which may ask for another right after: its warps' values in shared memory. */
template <typename T, typename Op>
__device__ T block_reduce(T v, Op op)
{
    __shared__ T left[32];
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    v = cg::reduce(warp, v, op);
    if (warp.thread_rank() == 0)
        left[warp.meta_group_rank()] = v;
    block.sync();
    T other = 0;
    if (warp.thread_rank() < warp.meta_group_size())
        other = left[warp.thread_rank()];
    block.sync();
    return cg::reduce(warp, other, op);
}

/* The same for blocks whose last warp lacks lanes, which cg::reduce does not know of. */
template <typename T, typename Op>
__device__ T lanes_reduce(T v, Op op, unsigned lanes)
{
    unsigned mask = 0xffffffffu >> (32 - lanes);
    for (unsigned d = 16; d > 0; d /= 2) {
        T other = __shfl_down_sync(mask, v, d);
        if (threadIdx.x % 32 + d < lanes)
            v = op(v, other);
    }
    return v;
}

template <typename T, typename Op>
__device__ T part_block_reduce(T v, Op op)
{
    __shared__ T left[32], all;
    unsigned warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32;
    v = lanes_reduce(v, op, min(32, blockDim.x - warp * 32));
    if (threadIdx.x % 32 == 0)
        left[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = lanes_reduce(left[min(threadIdx.x, warps - 1)], op, warps);
        if (threadIdx.x == 0)
            all = v;
    }
    __syncthreads();
    return all;
}
"""


class Row:
    """A kernel in both languages. `ck` and `cuda` are what is before the loop, in it and after."""

    def __init__(self, title, dtype, ck, cuda, block=256, cluster=0):
        self.title = title
        self.dtype = dtype
        self.ck = ck
        self.cuda = cuda
        self.block = block
        self.cluster = cluster

    def name(self, number):
        return f"k{number}"

    def sources(self, number):
        is_float = self.dtype == "float32"
        ck, cuda = (("x[i]", "x[i]") if is_float else
                    ("int32(x[i] * float32(1000))", "(int)(x[i] * 1000.0f)"))
        cluster = self.cluster
        return (self.fill(CK, number, self.ck, ck, f"cluster={cluster}" if cluster else ""),
                self.fill(CUDA_CPP, number, self.cuda, cuda,
                          f"__cluster_dims__({cluster})" if cluster else ""))

    def fill(self, text, number, code, begin, options):
        prepare, step, finish = (
            textwrap.indent(textwrap.dedent(part).strip(), " " * indent).strip()
            for part, indent in zip((*code, "")[:3], (4, 12, 4)))
        nothing = "pass" if text is CK else ""
        return text.format(name=self.name(number), prepare=prepare or nothing, step=step,
                           finish=finish or nothing, begin=begin, options=options)


def tile(n):
    return (f"t = tiled_partition(this_thread_block(), {n})",
            f"auto t = cg::tiled_partition<{n}>(b);")


def of_tile(n, title, dtype, ck, cuda):
    ck_tile, cuda_tile = tile(n)
    return Row(f"tile of {n}: {title}", dtype, (ck_tile, ck), (cuda_tile, cuda))


def tile_rows():
    for n in (32, 16, 4):
        yield of_tile(n, "sum of int32", "int32", "v = t.reduce(v) ^ int32(j)",
                      "v = cg::reduce(t, v, cg::plus<int>()) ^ (int)j;")
        yield of_tile(n, "sum of float32", "float32", f"v = t.reduce(v) * float32({1 / n})",
                      f"v = cg::reduce(t, v, cg::plus<float>()) * {1 / n}f;")
        yield of_tile(n, "greatest int32", "int32", "v = t.reduce(v + int32(i) % 7, greater) ^ int32(j)",
                      "v = cg::reduce(t, v + (int)i % 7, cg::greater<int>()) ^ (int)j;")
    for n in (32, 8):
        for scan in ("inclusive_scan", "exclusive_scan"):
            what = scan.replace("_", " ")
            yield of_tile(n, f"{what} of int32", "int32", f"v = t.{scan}(v) ^ int32(j)",
                          f"v = cg::{scan}(t, v) ^ (int)j;")
            yield of_tile(n, f"{what} of float32", "float32",
                          f"v = t.{scan}(v) * float32({1 / n}) + x[0]",
                          f"v = cg::{scan}(t, v) * {1 / n}f + x[0];")
        yield of_tile(n, "shfl", "int32", f"v = t.shfl(v, (v + int32(j)) & {n - 1}) + 1",
                      f"v = t.shfl(v, (v + (int)j) & {n - 1}) + 1;")
        yield of_tile(n, "shfl_down", "float32", "v = t.shfl_down(v, 1) + float32(1)",
                      "v = t.shfl_down(v, 1) + 1.0f;")
        yield of_tile(n, "shfl_xor", "float32", f"v = t.shfl_xor(v, {n // 2}) + float32(1)",
                      f"v = t.shfl_xor(v, {n // 2}) + 1.0f;")
        yield of_tile(n, "ballot", "int32", "v += int32(t.ballot((v + int32(j)) & 1 == 0) & 15)",
                      "v += (int)(t.ballot(((v + (int)j) & 1) == 0) & 15);")
        yield of_tile(n, "match_any", "int32", "v += int32(t.match_any(v & 1) & 15)",
                      "v += (int)(t.match_any(v & 1) & 15);")
        yield of_tile(n, "sync", "float32", "t.sync()\nv += float32(1)", "t.sync();\nv += 1.0f;")
        yield of_tile(n, "invoke_one_broadcast", "float32",
                      "v = v * float32(0.25) + t.invoke_one_broadcast(double, v) * float32(0.25)",
                      "v = v * 0.25f + cg::invoke_one_broadcast(t, [](float w) { return w + w; }, v) "
                      "* 0.25f;")


TWO_OF_THREE = """
if i % 3 == 0:
    o[i] = x[i]
    return
g = coalesced_threads()
"""
CUDA_TWO_OF_THREE = """
if ((unsigned)i % 3 == 0) {
    o[i] = x[i];
    return;
}
auto g = cg::coalesced_threads();
"""


def coalesced_row(title, dtype, ck, cuda):
    """Of two of three lanes."""
    return Row(f"two of three lanes: {title}", dtype, (TWO_OF_THREE, ck), (CUDA_TWO_OF_THREE, cuda))


def coalesced_rows():
    yield coalesced_row("sum of int32", "int32", "v = g.reduce(v) ^ int32(j)",
                        "v = cg::reduce(g, v, cg::plus<int>()) ^ (int)j;")
    yield coalesced_row("sum of float32", "float32", "v = g.reduce(v) * float32(0.04)",
                        "v = cg::reduce(g, v, cg::plus<float>()) * 0.04f;")
    yield coalesced_row("inclusive scan of int32", "int32", "v = g.inclusive_scan(v) ^ int32(j)",
                        "v = cg::inclusive_scan(g, v) ^ (int)j;")
    yield coalesced_row("shfl from the next", "int32",
                        "v = g.shfl(v, g.thread_rank() + 1) + int32(j)",
                        "v = g.shfl(v, (g.thread_rank() + 1) % g.num_threads()) + (int)j;")
    yield coalesced_row("rank and size", "int32", "v ^= int32(g.thread_rank() + g.num_threads() + v)",
                        "v ^= (int)(g.thread_rank() + g.num_threads() + v);")
    yield coalesced_row("one adds for all", "int32",
                        "v ^= g.shfl(v + int32(g.num_threads()), 0) + int32(g.thread_rank())",
                        "v ^= g.shfl(v + (int)g.num_threads(), 0) + (int)g.thread_rank();")


# CUDA's tiles of several warps and its memory for them
WIDE = """
__shared__ cg::block_tile_memory<1024> memory;
auto t = cg::tiled_partition<{n}>(cg::this_thread_block(memory));
"""


def wide_rows():
    for n in (64, 128, 256):
        def row(title, dtype, ck, cuda, n=n):
            return Row(f"tile of {n}: {title}", dtype, (tile(n)[0], ck),
                       (WIDE.format(n=n), cuda))

        yield row("sum of int32", "int32", "v = t.reduce(v) ^ int32(j)",
                  "v = cg::reduce(t, v, cg::plus<int>()) ^ (int)j;")
        yield row("sum of float32", "float32", f"v = t.reduce(v) * float32({1 / n})",
                  f"v = cg::reduce(t, v, cg::plus<float>()) * {1 / n}f;")
        yield row("sync", "float32", "t.sync()\nv += float32(1)", "t.sync();\nv += 1.0f;")
        yield row("inclusive scan of int32", "int32", "v = t.inclusive_scan(v) ^ int32(j)",
                  "v = cg::inclusive_scan(t, v) ^ (int)j;")
        yield row("shfl", "int32", f"v = t.shfl(v, (j * 33) & {n - 1}) + 1",
                  f"v = t.shfl(v, (j * 33) & {n - 1}) + 1;")


BLOCK = "b = this_thread_block()"


def block_rows():
    for block in (64, 256, 1024):
        yield Row(f"block of {block}: sum of int32", "int32", (BLOCK, "v = b.reduce(v) ^ int32(j)"),
                  ("", "v = block_reduce(v, cg::plus<int>()) ^ (int)j;"), block)
        yield Row(f"block of {block}: sum of float32", "float32",
                  (BLOCK, f"v = b.reduce(v) * float32({1 / block})"),
                  ("", f"v = block_reduce(v, cg::plus<float>()) * {1 / block}f;"), block)
        yield Row(f"block of {block}: sync", "float32", (BLOCK, "b.sync()\nv += float32(1)"),
                  ("", "b.sync();\nv += 1.0f;"), block)
        yield Row(f"block of {block}: arrive, wait", "float32",
                  (BLOCK, "k = b.barrier_arrive()\nv += float32(1)\nb.barrier_wait(k)"),
                  ("", "auto k = b.barrier_arrive();\nv += 1.0f;\nb.barrier_wait(std::move(k));"),
                  block)
    # The last warp has eight lanes.
    yield Row("block of 264: sum of int32", "int32", (BLOCK, "v = b.reduce(v) ^ int32(j)"),
              ("", "v = part_block_reduce(v, cg::plus<int>()) ^ (int)j;"), 264)
    yield Row("block of 264: sum of float32", "float32",
              (BLOCK, f"v = b.reduce(v) * float32({1 / 264})"),
              ("", f"v = part_block_reduce(v, cg::plus<float>()) * {1 / 264}f;"), 264)
    # One warp after the other has much to do between its arrival and its wait.
    yield Row("block of 256: arrive, uneven work, wait", "float32", (BLOCK, """
        k = b.barrier_arrive()
        if (threadIdx.x // 32 + j) % 8 == 0:
            for _m in range(200):
                v = v * float32(0.5) + float32(1)
        b.barrier_wait(k)
        """), ("", """
        auto k = b.barrier_arrive();
        if ((threadIdx.x / 32 + (unsigned)j) % 8 == 0)
            for (int m = 0; m < 200; m++)
                v = v * 0.5f + 1.0f;
        b.barrier_wait(std::move(k));
        """))


def cluster_rows():
    def row(title, dtype, ck, cuda, prepare=("", "")):
        return Row(f"cluster of 4 blocks: {title}", dtype,
                   ("c = this_cluster()\n" + prepare[0], ck, "c.sync()"),
                   ("cg::cluster_group c = cg::this_cluster();\n" + prepare[1], cuda, "c.sync();"),
                   cluster=4)

    yield row("sync", "float32", "c.sync()\nv += float32(1)", "c.sync();\nv += 1.0f;")
    yield row("arrive, wait", "float32",
              "k = c.barrier_arrive()\nv += float32(1)\nc.barrier_wait(k)",
              "auto k = c.barrier_arrive();\nv += 1.0f;\nc.barrier_wait(std::move(k));")
    for dtype, c_type, ck_end, cuda_end in (
            ("int32", "int", "^ int32(j)", "^ (int)j"),
            ("float32", "float", f"* float32({1 / 1024})", f"* {1 / 1024}f")):
        yield row(f"sum of {dtype}", dtype, f"v = c.reduce(v) {ck_end}", f"""
            {c_type} mine = block_reduce(v, cg::plus<{c_type}>());
            if (threadIdx.x == 0)
                left[j & 1] = mine;
            c.sync();
            {c_type} all = *c.map_shared_rank(&left[j & 1], 0);
            for (int r = 1; r < 4; r++)
                all += *c.map_shared_rank(&left[j & 1], r);
            v = all {cuda_end};
            """, ("", f"__shared__ {c_type} left[2];"))
    yield row("what the next block has", "float32", """
        c.sync()
        v = v * float32(0.5) + c.map_shared_rank(s, (c.block_rank() + 1) % 4)[threadIdx.x]
        """, """
        c.sync();
        v = v * 0.5f + c.map_shared_rank(s, (c.block_rank() + 1) % 4)[threadIdx.x];
        """, ("s = shared.array(256, float32)\ns[threadIdx.x] = x[i]",
              "__shared__ float s[256];\ns[threadIdx.x] = x[i];"))


def copy_rows():
    """Of 4 KiB from what the caches hold."""
    yield Row("block of 256: memcpy_async of 1024 float32", "float32",
              (BLOCK + "\ns = shared.array(1024, float32)", """
               at = (j + blockIdx.x) % 256 * 1024
               b.memcpy_async(s, x[at:at + 1024])
               b.wait()
               v += s[threadIdx.x] + s[1023 - threadIdx.x]
               b.sync()
               """),
              ("__shared__ __align__(16) float s[1024];", """
               long long at = (j + blockIdx.x) % 256 * 1024;
               cg::memcpy_async(b, (float4 *)s, (const float4 *)(x + at), 4096);
               cg::wait(b);
               v += s[threadIdx.x] + s[1023 - threadIdx.x];
               b.sync();
               """))
    yield Row("warps' tiles: memcpy_async of 128 float32", "float32",
              (tile(32)[0] + "\ns = shared.array((8, 128), float32)", """
               w = t.meta_group_rank()
               at = (j + blockIdx.x) % 256 * 1024 + w * 128
               t.memcpy_async(s[w], x[at:at + 128])
               t.wait()
               v += s[w, threadIdx.x & 31] + s[w, 127 - (threadIdx.x & 31)]
               t.sync()
               """),
              ("auto t = cg::tiled_partition<32>(b);\n__shared__ __align__(16) float s[8][128];", """
               int w = t.meta_group_rank();
               long long at = (j + blockIdx.x) % 256 * 1024 + w * 128;
               cg::memcpy_async(t, (float4 *)s[w], (const float4 *)(x + at), 512);
               cg::wait(t);
               v += s[w][threadIdx.x & 31] + s[w][127 - (threadIdx.x & 31)];
               t.sync();
               """))


# --- Measuring -----------------------------------------------------------------------------------


def families(arch):
    """Kernels that are compiled together."""
    yield "tiles", list(tile_rows())
    yield "coalesced", list(coalesced_rows())
    yield "blocks", [*block_rows(), *copy_rows()]
    yield "wide", list(wide_rows())
    if int(arch[3:]) >= 90:
        yield "clusters", list(cluster_rows())


def write(folder, family, rows):
    texts = [CK_HEAD, CUDA_HEAD]
    for number, row in enumerate(rows):
        for which, text in enumerate(row.sources(number)):
            texts[which] += text
    for text, ending in zip(texts, ("ck", "cu")):
        (folder / f"{family}.{ending}").write_text(text)


def launch_of(row):
    """Grid, block and arguments."""
    return THREADS // row.block, row.block, f"u{THREADS}", f"p{THREADS}", f"i{TIMES}"


def images_of(bench, peers, family):
    """The image of a family's kernels by ck and by CUDA C++, or why there is none."""
    return {"ck": ptx_of(bench.layout.ckc, f"{peers.tmp}/{family}.ck", f"{peers.tmp}/{family}.ptx",
                         peers.arch, "-restrict", "-aligned", "-Wno-unused-name"),
            CUDA: peers.cuda_image(family)}


def add_rows(bench, process, rows, images):
    for number, row in enumerate(rows):
        loads = loads_of(images, row.name(number))
        results = process.measure(loads, dict.fromkeys(loads, ("mean", *launch_of(row))),
                                  bench.often(20, 1), bench.often(7, 1))
        found = rows_of(row.title, "us", results)
        if found[1].ratio is not None:
            found[1].ratio_at_least(round(LEAST, 3))
        bench.add(*found)


def chosen(bench, peers):
    for family, rows in families(peers.arch):
        rows = [row for row in rows if bench.only in row.title]
        if rows:
            yield family, rows


def prepare(bench, peers):
    folder = Path(peers.tmp)
    for family, rows in chosen(bench, peers):
        write(folder, family, rows)
        peers.start_nvcc(family, folder / f"{family}.cu")


def add_all(bench, peers):
    with OneProcess(bench) as process:
        for family, rows in chosen(bench, peers):
            add_rows(bench, process, rows, images_of(bench, peers, family))


def run(bench):
    with_peers(bench, add_all)
