"""The first CUDA device: asynchronous copies to shared memory by warps and blocks, one after the
other and with the next in flight, beside the same in CUDA C++ and beside bulk copies. Skipped where
there is no CUDA device."""

from pathlib import Path

from .gpu import OneProcess, loads_of, ptx_of, rows_of
from .groups import LEAST
from .peers import CUDA, with_peers

BULK, FENCED = "bulk copies", "bulk copies, fenced"
THREADS = 1056 * 256  # of every grid
TIMES = 48  # copies by each group
SOURCES = (("L2", 1 << 18), ("memory", 1 << 28))  # what is copied is in it; float32

# `at` counts the elements that all groups together copy at a time; x.size is a power of two.
CK = """
@kernel
def {name}(x: float32[::1], o: float32[::1], n: int64):
    g = {ck_group}
    s = shared.array(({groups}, {buffers}, {size}), float32)
    w = {rank}
    r = g.thread_rank()
    at = (int64(blockIdx.x) * {groups} + w) * {size}
    step = int64(gridDim.x) * {groups} * {size}
    v = float32(0)
    for i in range({buffers} - 1):
        begin = at & (x.size - 1)
        g.memcpy_async(s[w, i], x[begin:begin + {size}])
        at += step
    for iteration in range(n):
        begin = at & (x.size - 1)
        g.memcpy_async(s[w, (iteration + {buffers} - 1) % {buffers}], x[begin:begin + {size}])
        at += step
        g.wait_prior({buffers} - 1)
        v += s[w, iteration % {buffers}, r] + s[w, iteration % {buffers}, {size} - 1 - r]
        g.sync()
    g.wait()
    o[grid(1)] = v
"""
# The copies of the last two are known to be long and aligned enough. Those that are fenced see what
# the kernel itself has written to x, as cp.async does; the others what was there before it.
CUDA_CPP = """
extern "C" __global__ void
{name}(const float *__restrict__ x, long long nx, float *__restrict__ o, long long no, long long n)
{{
    constexpr int GROUPS = {groups}, BUFFERS = {buffers}, SIZE = {size};
    __shared__ __align__(128) float s[GROUPS][BUFFERS][SIZE];
    auto g = {cuda_group};
    const int w = {rank}, r = g.thread_rank();
    long long at = ((long long)blockIdx.x * GROUPS + w) * SIZE;
    const long long step = (long long)gridDim.x * GROUPS * SIZE;
    float v = 0;
    {begin}
    for (int i = 0; i < BUFFERS - 1; i++, at += step)
        copy(s[w][i], x + (at & (nx - 1)), i);
    for (long long iteration = 0; iteration < n; iteration++, at += step) {{
        copy(s[w][(iteration + BUFFERS - 1) % BUFFERS], x + (at & (nx - 1)), iteration + BUFFERS - 1);
        wait(iteration);
        v += s[w][iteration % BUFFERS][r] + s[w][iteration % BUFFERS][SIZE - 1 - r];
        g.sync();
    }}
    {end}
    o[(long long)blockIdx.x * blockDim.x + threadIdx.x] = v;
}}
"""
HEAD = """
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;
"""
COPIES = {
    CUDA: {"end": "cg::wait(g);", "begin": """
    auto copy = [&](float *to, const float *from, long long) {
        cg::memcpy_async(g, (float4 *)to, (const float4 *)from, 4 * SIZE);
    };
    auto wait = [&](long long) { cg::wait_prior<BUFFERS - 1>(g); };
"""},
}
IN_BULK = {"end": """
    for (int i = 0; i < BUFFERS - 1; i++)
        wait(n + i);
""", "begin": """
    __shared__ unsigned long long barriers[GROUPS][BUFFERS];
    const unsigned barrier = (unsigned)__cvta_generic_to_shared(barriers[w]);
    if (g.thread_rank() == 0)
        for (int i = 0; i < BUFFERS; i++)
            asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier + 8 * i) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    g.sync();
    auto copy = [&](float *to, const float *from, long long number) {
        if (g.thread_rank() != 0)
            return;
        const unsigned own = barrier + 8 * (unsigned)(number % BUFFERS);
        asm volatile("FENCE;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(own), "n"(4 * SIZE)
                     : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"((unsigned)__cvta_generic_to_shared(to)),
                     "l"(from), "n"(4 * SIZE), "r"(own) : "memory");
    };
    auto wait = [&](long long number) {
        asm volatile("{\\n.reg .pred done;\\nAGAIN:\\n"
                     "mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\\n"
                     "@!done bra AGAIN;\\n}" ::"r"(barrier + 8 * (unsigned)(number % BUFFERS)),
                     "r"((unsigned)(number / BUFFERS) & 1) : "memory");
        g.sync();
    };
"""}
for who, fence in ((BULK, "fence.proxy.async.shared::cta"), (FENCED, "fence.proxy.async")):
    COPIES[who] = {**IN_BULK, "begin": IN_BULK["begin"].replace("FENCE", fence)}


class Copy:
    """A kernel whose groups of so many threads, of blocks of so many, copy so many bytes."""

    def __init__(self, block, threads, size, buffers):
        self.block = block
        self.name = f"copy_{block}_{threads}_{size}_{buffers}"
        who = f"blocks of {block}" if block == threads else "warps"
        self.title = f"{size} bytes, {who}, {'one buffer' if buffers == 1 else 'two buffers'}"
        self.fields = {"name": self.name, "groups": block // threads, "buffers": buffers,
                       "size": size // 4}
        if block == threads:
            self.fields.update(rank="0", ck_group="this_thread_block()",
                               cuda_group="cg::this_thread_block()")
        else:
            self.fields.update(rank="g.meta_group_rank()",
                               ck_group=f"tiled_partition(this_thread_block(), {threads})",
                               cuda_group=f"cg::tiled_partition<{threads}>(cg::this_thread_block())")

    def ck(self):
        return CK.format(**self.fields)

    def cuda(self, who):
        return CUDA_CPP.format(**self.fields, **COPIES[who])


def copies():
    """Up to 32 KiB of shared memory, which all of CUDA's GPUs have."""
    for block, threads, sizes in ((256, 32, (512, 1024, 2048, 4096)),
                                  (256, 256, (4096, 8192, 16384, 32768)),
                                  (1024, 1024, (16384, 32768))):
        for size in sizes:
            for buffers in (1, 2):
                if size * buffers * (block // threads) <= 32768:
                    yield Copy(block, threads, size, buffers)


def names(arch):
    """Whose kernels there are, and what their files are called."""
    bulk = {BULK: "bulk_copies", FENCED: "fenced_copies"}
    return {CUDA: "copies", **(bulk if int(arch[3:]) >= 90 else {})}


def prepare(bench, peers):
    folder = Path(peers.tmp)
    (folder / "copies.ck").write_text("".join(copy.ck() for copy in copies()))
    for who, name in names(peers.arch).items():
        text = HEAD + "".join(copy.cuda(who) for copy in copies())
        (folder / f"{name}.cu").write_text(text)
        peers.start_nvcc(name, folder / f"{name}.cu")


def launch_of(copy, size):
    """Grid, block and arguments, for a source of so many elements."""
    return THREADS // copy.block, copy.block, f"r{size}", f"p{THREADS}", f"i{TIMES}"


def add_copy(bench, process, copy, source, images):
    title, size = source
    loads = loads_of(images, copy.name)
    results = process.measure(loads, dict.fromkeys(loads, ("mean", *launch_of(copy, size))),
                              bench.often(8, 1), bench.often(6, 1))
    rows = rows_of(f"copies of {copy.title}, from {title}", "us", results)
    for row in rows[1:]:
        if row.who == CUDA and row.ratio is not None:
            row.ratio_at_least(round(LEAST, 3))
    bench.add(*rows)


def add_all(bench, peers):
    images = {"ck": ptx_of(bench.layout.ckc, f"{peers.tmp}/copies.ck", f"{peers.tmp}/copies.ptx",
                           peers.arch, "-restrict", "-aligned", "-Wno-zero-trip-loop")}
    for who, name in names(peers.arch).items():
        images[who] = peers.cuda_image(name)
    with OneProcess(bench) as process:
        for source in SOURCES:
            for copy in copies():
                if bench.only in f"copies of {copy.title}, from {source[0]}":
                    add_copy(bench, process, copy, source, images)


def run(bench):
    with_peers(bench, add_all)
