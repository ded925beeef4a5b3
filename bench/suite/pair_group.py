"""A group of kernels in ck and in CUDA C++ (pair.py), each as codes of several variants that are
measured in turn by one process, on the same data."""

import dataclasses
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import report, sass
from .gpu import compile_ptx
from .measure import Absent, Broken, Server, in_turn
from .peers import CUDA, LIMIT, with_peers


@dataclasses.dataclass
class Variant:
    """ck's code and nvcc's that are compared."""

    name: str
    ckc: tuple     # options for the figures of ck's code
    launched: str  # by `ck` or by the driver
    nvcc: tuple
    least: float       # nvcc's time over ck's, of a row
    least_mean: float  # of the geometric mean


@dataclasses.dataclass
class PairGroup:
    """`name` begins the names of images. `headers` maps a file to the header of CUDA's libraries
    that its CUDA C++ needs."""

    name: str
    pairs: list
    variants: list
    headers: dict = dataclasses.field(default_factory=dict)

    def image_name(self, file, variant):
        return f"{self.name}_{file}{'_restrict' if variant.nvcc else ''}"

    def selected(self, bench):
        return [pair for pair in self.pairs if bench.only in pair.name]

    def lacks(self, peers, file):
        """The header that nvcc does not find, or None."""
        header = self.headers.get(file) if peers.nvcc else None
        return header if header and not peers.has_header(header) else None

    def prepare(self, bench, peers):
        for file in files_of(self.selected(bench)):
            source = next(pair for pair in self.pairs if pair.file == file).source(".cu")
            for variant in self.variants:
                if not self.lacks(peers, file):
                    peers.start_nvcc(self.image_name(file, variant), source, ("-cubin", *variant.nvcc))

    def run(self, bench):
        with_peers(bench, lambda bench, peers: add_all(bench, peers, self))


def files_of(pairs):
    return sorted({pair.file for pair in pairs})


# --- What is measured ----------------------------------------------------------------------------


def compile_files(bench, peers, group, pairs):
    """ck's image of each file and variant: {(file, variant's name): a path, a cubin if there is a
    ptxas and else PTX, or Absent}."""
    def compile_one(key):
        file, variant = key
        of_file = [pair for pair in group.pairs if pair.file == file]
        options = [option for pair in of_file if pair.is_generic()
                   for option in ("--sig", pair.signature())]
        stem = f"{peers.tmp}/ck_{group.image_name(file, variant)}"
        why = compile_ptx(bench.layout.ckc, of_file[0].source(".ck"), f"{stem}.ptx", peers.arch, *variant.ckc,
                          *options)
        if why:
            return Absent(why, skipped=False)
        made = sass.assemble(f"{stem}.ptx", f"{stem}.cubin", peers.arch, peers.nvcc)
        return f"{stem}.cubin" if made else f"{stem}.ptx"

    keys = [(file, variant) for file in files_of(pairs) for variant in group.variants]
    with ThreadPoolExecutor() as pool:
        return {(file, variant.name): image
                for (file, variant), image in zip(keys, pool.map(compile_one, keys))}


def read_figures(peers, group, pairs, compiled):
    """{image: {kernel: figures}} of all cubins that there are."""
    images = [image for image in compiled.values() if not isinstance(image, Absent)]
    images += [peers.image(group.image_name(file, variant)) for file in files_of(pairs)
               for variant in group.variants]
    with ThreadPoolExecutor() as pool:
        found = pool.map(lambda image: sass.read(image, peers.nvcc), images)
    return dict(zip(images, found))


# --- One kernel ----------------------------------------------------------------------------------


def dims(shape):
    return "x".join(map(str, shape))


def array_requests(pair):
    for array in pair.data(pair.sizes).values():
        yield ("array", array.use, array.dtype, dims(array.shape), *array.fill)


def argument_words(pair, text, array_letter, int_letter):
    names = list(pair.arrays)
    letters = {"array": array_letter, "vectors": "v", "float": "f", "int32": "j", "int": int_letter}
    return [letters[kind] + str(names.index(value) if value in names else value)
            for kind, value in pair.arguments(text, pair.sizes)]


@dataclasses.dataclass
class Code:
    """One of the codes of a kernel: `load` is what follows the code's number in the request, or
    Absent; `image` is where its figures are from."""

    variant: Variant
    who: str
    load: object
    image: str


def load_of_cuda(peers, group, pair, variant, by_driver):
    header = group.lacks(peers, pair.file)
    if header:
        return Absent(f"nvcc finds no {header}", skipped=True)
    return peers.cuda(group.image_name(pair.file, variant), pair.name, by_driver)


def codes_of(peers, group, pair, compiled):
    shape = [dims(part) for part in pair.launch_shape(pair.sizes)]
    by_driver = "cooperative" if pair.cooperative else "plain"
    codes = []
    for variant in group.variants:
        image = compiled[pair.file, variant.name]
        words = (pair.name, *shape, *argument_words(pair, pair.ck, "a", "i"))
        if variant.launched == "ck":
            load = ("ck", pair.source(".ck"), *words)
        else:
            load = image if isinstance(image, Absent) else (by_driver, image, *words)
        codes.append(Code(variant, "ck", load, image))
        load = load_of_cuda(peers, group, pair, variant, by_driver)
        image = peers.image(group.image_name(pair.file, variant))
        if not isinstance(load, Absent):
            load = (by_driver, image, pair.name, *shape, *argument_words(pair, pair.cuda, "p", "j"))
        codes.append(Code(variant, CUDA, load, image))
    return codes


def loaded(server, pair, code, load):
    """None, or why this code cannot be measured."""
    if isinstance(load, Absent):
        return load
    try:
        server.ask("load", code, *load)
        server.ask("check", code, pair.rtol, pair.atol)
    except Broken as error:
        return error
    return None


def registers(server, code):
    try:
        return int(server.ask("registers", code)[0])
    except Broken:
        return None


def measure(bench, server, pair, codes):
    """For each code its samples, or why there are none."""
    server.ask("forget")
    for request in array_requests(pair):
        server.ask(*request)
    why = [loaded(server, pair, number, code.load) for number, code in enumerate(codes)]
    samplers = {number: lambda number=number: server.ask("time", number, bench.often(7, 2))
                for number in range(len(codes)) if why[number] is None}
    measured = in_turn(samplers, bench.often(5, 1))
    return [measured.get(number, why[number]) for number in range(len(codes))]


def add_pair(bench, server, group, pair, codes, figures):
    rows = []
    for number, (code, result) in enumerate(zip(codes, measure(bench, server, pair, codes))):
        row = report.of_result(f"{pair.name}, {code.variant.name}", code.who, "us", result)
        if row.status == "ok":
            row.figures = {"registers": registers(server, number),
                           **figures.get(code.image, {}).get(pair.name, {})}
        rows.append(row)
    for index, variant in enumerate(group.variants):
        cuda = report.compare(rows[2 * index:2 * index + 2])[1]
        if cuda.ratio is not None and pair.same:
            cuda.ratio_at_least(variant.least)
    bench.add(*rows)


# --- All -----------------------------------------------------------------------------------------


def mean_rows(variant, rows):
    """The geometric means of the kernels with a limit of which both codes were measured."""
    pairs = [(ck, cuda) for ck, cuda in zip(rows, rows[1:])
             if cuda.who == CUDA and cuda.limits and cuda.name.endswith(variant.name)]
    if not pairs:
        return []
    means = [report.Row(f"geometric mean, {variant.name}", who, "us",
                        [math.exp(sum(math.log(row.median()) for row in column) / len(column))])
             for who, column in zip(("ck", CUDA), zip(*pairs))]
    report.compare(means)[1].ratio_at_least(variant.least_mean)
    means[1].note = f"of {len(pairs)} kernels"
    return means


def start_server(bench, peers):
    """With CUDA's math functions where they are found, which nvcc uses, for libck too."""
    found = Path(peers.nvcc).resolve().parent.parent / "nvvm/libdevice/libdevice.10.bc" if peers.nvcc else None
    given = [str(found)] if found and found.exists() else []
    return Server([bench.layout.program("pair_bench"), *given], LIMIT)


def add_all(bench, peers, group):
    pairs = group.selected(bench)
    before = len(bench.rows)
    compiled = compile_files(bench, peers, group, pairs)
    figures = read_figures(peers, group, pairs, compiled)
    server = start_server(bench, peers)
    try:
        for pair in pairs:
            try:
                add_pair(bench, server, group, pair, codes_of(peers, group, pair, compiled), figures)
            except Broken as error:
                bench.add(report.failed(pair.name, "ck", str(error)))
                server.close()
                server = start_server(bench, peers)
    finally:
        server.close()
    for variant in group.variants:
        bench.add(*mean_rows(variant, bench.rows[before:]))


# --- The table -----------------------------------------------------------------------------------

COLUMNS = ["kernel", "ck us", "nvcc us", "to ck", "limit", "registers", "loop", "loads", "bytes a load", ""]


def both(rows, key, form="{}"):
    """ck's figure and nvcc's."""
    texts = [form.format(row.figures[key]) if (row.figures or {}).get(key) is not None else "-"
             for row in rows]
    return " ".join(texts) if set(texts) != {"-"} else ""


def line_of(rows):
    times = [row.shown(row.median()) if row.status == "ok" else row.status for row in rows]
    ratio = next((f"{row.ratio:.3f}" for row in rows if row.ratio is not None), "")
    notes = "; ".join(f"{row.who}: {row.note}" if row.status != "ok" else row.note
                      for row in rows if row.note)
    return [rows[0].name, *(times + [""])[:2], ratio, report.limit_text(rows[-1]),
            both(rows, "registers"), both(rows, "loop"), both(rows, "loads"),
            both(rows, "load_bytes", "{:.1f}"), notes]


def table(title, rows):
    """A line for each kernel and variant."""
    names = list(dict.fromkeys(row.name for row in rows))
    lines = [COLUMNS] + [line_of([row for row in rows if row.name == name]) for name in names]
    return report.aligned(title, lines, set(COLUMNS[1:4]))
