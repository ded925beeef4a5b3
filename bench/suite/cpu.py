"""The CPU device: what a barrier costs a thread, what a waiting thread takes, saxpy's bandwidth
beside a loop of the C compiler's; saxpy, a tiled matrix product and a block's reduction beside
PoCL."""

from . import machine, report
from .measure import Broken, Server, Servers

ROWS = 1024
GRID, BLOCK = 32, 32
ELEMENTS = 10_000_000
BYTES_AN_ELEMENT = 12  # x and y read, y written
ALL = "cpu"
POCL = "PoCL"
# row, folder, file, kernel, size, size if quick (see cpu_work.h)
BESIDE_POCL = [
    ("saxpy, 10^7 float32, all cores", "kernel", "saxpy", "saxpy", 10_000_000, 100_000),
    ("matrix product 512, tiles of 16, all cores", "kernel", "matmul", "matmul16", 512, 64),
    ("block reduction, 16384 x 1024 float32, all cores", "example", "reductions", "batched_v1", 16384,
     64),
]


def program(bench, device, kernel):
    return [bench.layout.program("cpu_bench"), device, bench.layout.example(kernel), kernel]


def add_barriers(bench):
    """On one core, and on all, where a grid barrier is one between host threads too."""
    name = "sequential_rows 1024x1024, 32x32, a thread and barrier"
    request = ("rows", GRID, BLOCK, ROWS, bench.often(8, 3))
    with Servers() as servers:
        for device in ("cpu:1", ALL):
            servers.add(device, program(bench, device, "sequential_rows"))
        results = servers.ask_in_turn({device: request for device in ("cpu:1", ALL)},
                                      bench.often(5, 1))
    for device, result in results.items():
        if isinstance(result, list):
            result = [seconds / (GRID * BLOCK * (ROWS - 1)) for seconds in result]
        row = report.of_result(name, f"ck, {device}", "ns", result)
        if device == "cpu:1" and row.status == "ok":
            row.at_most(10)
        bench.add(row)


def add_memory(bench):
    name = "a suspended thread of sequential_rows, blocks of 32"
    samples = []
    try:
        for _ in range(bench.often(3, 1)):
            with Server(program(bench, "cpu:1", "sequential_rows")) as server:
                samples += server.ask("memory", 512, 8192, BLOCK, 8)
    except (Broken, OSError) as error:
        bench.add(report.failed(name, "ck, cpu:1", str(error)))
        return
    row = report.Row(name, "ck, cpu:1", "B", samples)
    row.at_most(256)
    bench.add(row)


def bandwidth(result):
    if not isinstance(result, list):
        return result
    return [BYTES_AN_ELEMENT * ELEMENTS / seconds for seconds in result]


def add_saxpy(bench):
    name = "saxpy, 10^7 float32"
    saxpy, loop = [(what, ELEMENTS, bench.often(5, 2)) for what in ("saxpy", "loop")]
    requests = {"cpu:1": saxpy, ALL: saxpy, "loop": loop}
    with Servers() as servers:
        for device in ("cpu:1", ALL):
            servers.add(device, program(bench, device, "saxpy"))
        if bench.peers:
            servers.add("loop", program(bench, "cpu:1", "saxpy"))
        else:
            servers.absent("loop", "--no-peers", skipped=True)
        results = servers.ask_in_turn(requests, bench.often(5, 1))
    names = {"cpu:1": "ck, cpu:1", ALL: f"ck, {ALL}", "loop": "C loop, 1 core"}
    bench.add(*report.compare([report.of_result(name, names[who], "GB/s", bandwidth(result))
                               for who, result in results.items()]))


def add_pocl(bench, servers, version, kernel):
    if not bench.peers:
        servers.absent(POCL, "--no-peers", skipped=True)
    elif not version:
        servers.absent(POCL, "no PoCL", skipped=True)
    else:
        servers.add(POCL, [bench.layout.program("opencl_bench"), bench.layout.peer("cpu.cl"), kernel])


def add_beside_pocl(bench):
    """In turn, as both keep all cores busy."""
    version = machine.pocl_version(bench.layout) if bench.peers else None
    for name, folder, file, kernel, usual, quick in BESIDE_POCL:
        request = (kernel, bench.often(usual, quick), bench.often(5, 2))
        source = getattr(bench.layout, folder)(file)
        with Servers() as servers:
            servers.add("ck", [bench.layout.program("cpu_bench"), ALL, source, kernel])
            add_pocl(bench, servers, version, kernel)
            results = servers.ask_in_turn({"ck": request, POCL: request}, bench.often(5, 1))
        rows = report.compare([report.of_result(name, who, "ms", results[who])
                               for who in ("ck", POCL)])
        if rows[1].ratio is not None:
            rows[1].ratio_at_least(1)
        bench.add(*rows)


def run(bench):
    add_barriers(bench)
    add_memory(bench)
    add_saxpy(bench)
    add_beside_pocl(bench)
