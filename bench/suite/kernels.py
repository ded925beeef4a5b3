"""The first CUDA device: saxpy, a tiled matrix product, a stencil and a histogram beside the same
algorithms in CUDA C++. Skipped where there is no CUDA device."""

from concurrent.futures import ThreadPoolExecutor

from .gpu import add_ck, rows_of
from .measure import Broken, Servers
from .peers import CUDA, with_peers

# row, file, kernel, grid, block, arguments (see gpu_bench.c)
KERNELS = [
    ("saxpy, 2^26 float32", "saxpy", "saxpy", 262144, 256, ("f2.5", "x67108864", "x67108864")),
    ("matrix product 2048, tiles of 16", "matmul", "matmul16", "128x128", "16x16",
     ("x2048x2048", "x2048x2048", "p2048x2048")),
    ("matrix product 2048, tiles of 32", "matmul", "matmul32", "64x64", "32x32",
     ("x2048x2048", "x2048x2048", "p2048x2048")),
    ("stencil of 5 points, 8192x8192 float32", "stencil", "stencil", "256x1024", "32x8",
     ("x8192x8192", "p8192x8192")),
    ("histogram, 2^26 uint8 in 256 bins", "histogram", "histogram", 1056, 256,
     ("b67108864", "z256")),
]
LEAST = 0.98  # nvcc's time over ck's


def check(servers, launches):
    """Those whose result is wrong, or who could not be asked; all are asked at once. `launches`:
    the kernel, grid, block and arguments of each."""
    def ask(who):
        try:
            servers.servers[who].ask("check", *launches[who])
        except Broken as error:
            return error
        return None

    running = [who for who in servers.running() if who in launches]
    with ThreadPoolExecutor(max(1, len(running))) as pool:
        return {who: error for who, error in zip(running, pool.map(ask, running)) if error}


def add_kernel(bench, peers, row, file, kernel, grid, block, arguments):
    with Servers() as servers:
        add_ck(bench, servers, bench.layout.kernel(file), kernel)
        peers.add_cuda(servers, file, kernel, "plain")
        wrong = check(servers, dict.fromkeys(servers.running(), (kernel, grid, block, *arguments)))
        request = ("again", grid, block, bench.often(10, 2))
        results = servers.ask_in_turn({who: request for who in servers.servers
                                       if who not in wrong}, bench.often(7, 1))
        results.update(wrong)
    rows = rows_of(row, "us", results)
    for peer in rows[1:]:
        if peer.who == CUDA and peer.ratio is not None:
            peer.ratio_at_least(LEAST)
    bench.add(*rows)


def add_all(bench, peers):
    for kernel in KERNELS:
        add_kernel(bench, peers, *kernel)


def prepare(bench, peers):
    for name in sorted({kernel[1] for kernel in KERNELS}):
        peers.start_nvcc(name)


def run(bench):
    with_peers(bench, add_all)
