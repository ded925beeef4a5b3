"""The first CUDA device: kernels of groups, copies, kernels, reductions and gpu by this version of
ck beside another version (--beside DIR), with the same options, by one process on the same data.
Skipped where there is no CUDA device, and without --beside."""

import dataclasses
from pathlib import Path

from . import copies, gpu, groups, kernels, reductions, report
from .gpu import OneProcess, loads_of, ptx_of, rows_of
from .peers import with_peers

OTHER = "other version"
LEAST = 0.99  # its time over this one's
OPTIONS = ("-restrict", "-aligned", "-Wno-unused-name", "-Wno-zero-trip-loop")
ELEMENTS = (2**18, 2**24 + 3, 2**28)  # of sums: as long as a launch, from L2, from memory


@dataclasses.dataclass
class Program:
    """A kernel and its launch. `check` is what OneProcess.measure checks."""

    title: str
    source: Path
    kernel: str
    launch: tuple  # grid, block, arguments
    mode: str = "plain"
    check: str = "mean"
    divisor: int = 1


# --- What is measured ----------------------------------------------------------------------------


def of_groups(peers):
    for family, rows in groups.families(peers.arch):
        groups.write(Path(peers.tmp), family, rows)
        for number, row in enumerate(rows):
            yield Program(f"groups, {row.title}", Path(peers.tmp) / f"{family}.ck",
                          row.name(number), groups.launch_of(row))


def of_copies(peers):
    source = Path(peers.tmp) / "copies.ck"
    source.write_text("".join(copy.ck() for copy in copies.copies()))
    for name, elements in copies.SOURCES:
        for copy in copies.copies():
            yield Program(f"copies of {copy.title}, from {name}", source, copy.name,
                          copies.launch_of(copy, elements))


def of_kernels(bench):
    for title, file, kernel, grid, block, arguments in kernels.KERNELS:
        yield Program(title, bench.layout.kernel(file), kernel, (grid, block, *arguments),
                      check=kernel)


def of_sums(bench, peers):
    most = peers.device["multiprocessors"]
    for elements in ELEMENTS:
        for kernel, mode, more in (("sum_of", "plain", ("p1", "l8192", "w1")),
                                   ("sum_for_all", "cooperative", ("p1",))):
            launch = (reductions.blocks_of(elements, most), reductions.THREADS, f"r{elements}", *more)
            yield Program(f"{kernel}, {elements} float32", bench.layout.example("sum"), kernel,
                          launch, mode, kernel)


def of_barriers(bench):
    source, count = bench.layout.kernel("grid_barrier"), gpu.BARRIERS
    for blocks, threads in ((2, 256), (132, 32), (132, 1024), (264, 256), (528, 256), (1056, 256)):
        for kernel, more in (("grid_barrier", ()), ("grid_barrier_stores", (f"c2x{blocks * threads}",))):
            yield Program(f"{kernel}, {blocks} x {threads}", source, kernel,
                          (blocks, threads, f"i{count}", *more), "cooperative", "", count)


def selected(bench, peers):
    found = [*of_groups(peers), *of_copies(peers), *of_kernels(bench), *of_sums(bench, peers),
             *of_barriers(bench)]
    return [program for program in found if bench.only in program.title]


# --- Measuring -----------------------------------------------------------------------------------


def compile_all(bench, peers, programs):
    """The image of each source by each version: a path, or Broken."""
    images = {}
    for who, layout in (("ck", bench.layout), (OTHER, bench.beside)):
        for source in sorted({program.source for program in programs}):
            image = f"{peers.tmp}/{who.replace(' ', '_')}_{source.stem}.ptx"
            images[who, source] = ptx_of(layout.ckc, source, image, peers.arch, *OPTIONS)
    return images


def add_program(bench, process, program, images):
    loads = loads_of({who: images[who, program.source] for who in ("ck", OTHER)}, program.kernel,
                     program.mode)
    results = process.measure(loads, dict.fromkeys(loads, (program.check, *program.launch)),
                              bench.often(96, 1), bench.often(12, 1))
    rows = rows_of(program.title, "us", results, divisor=program.divisor)
    if rows[1].ratio is not None:
        rows[1].ratio_at_least(LEAST)
    bench.add(*rows)


def add_all(bench, peers):
    programs = selected(bench, peers)
    images = compile_all(bench, peers, programs)
    with OneProcess(bench) as process:
        for program in programs:
            add_program(bench, process, program, images)


def run(bench):
    if bench.beside:
        with_peers(bench, add_all)
    else:
        bench.add(report.skipped("all", "ck", "no --beside DIR"))
