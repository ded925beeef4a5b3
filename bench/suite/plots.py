"""The plots of a run, from the rows of its JSON file."""

import re

from . import svg


def series_of(rows, group, pattern, x_of, y_of, names=None):
    """Points by who, ordered by x. `pattern` has to match a row's name; `x_of` gets the match and
    `y_of` the row. `names`: which of them, and what each is called."""
    lines = {}
    for row in rows:
        found = re.fullmatch(pattern, row["name"])
        if row["group"] != group or not found or row["status"] != "ok":
            continue
        who = row["who"]
        if names is None or who in names:
            lines.setdefault(names[who] if names else who, {})[x_of(found)] = y_of(row)
    return {who: sorted(points.items()) for who, points in lines.items()}


def median(row):
    return row["median"]


def barriers(rows):
    """At each number of blocks the size that is nearest to 256 threads."""
    shapes = {}
    for row in rows:
        found = re.fullmatch(r"grid barrier, (\d+) x (\d+)", row["name"])
        if found:
            blocks, threads = int(found[1]), int(found[2])
            best = shapes.get(blocks, threads)
            shapes[blocks] = min(best, threads, key=lambda n: abs(n - 256))
    chosen = "|".join(f"{blocks} x {threads}" for blocks, threads in shapes.items()) or "none"
    lines, dashed = {}, {}
    for name, more in (("grid barrier", ""), ("grid barrier, 16 bytes stored and loaded", ", 16 B")):
        found = series_of(rows, "gpu", rf"{name}, ({chosen})",
                          lambda match: int(match[1].split()[0]), median)
        for who, points in found.items():
            lines[who + more] = points
            if more:
                dashed[who + more] = who
    return lines and svg.chart("A barrier of the grid", "blocks", "microseconds", lines,
                               dashed=dashed)


def bandwidth(rows):
    names = {"ck": "ck", "CUB": "CUB", "PyTorch": "PyTorch", "CuPy": "CuPy"}
    lines = {}
    for who, points in series_of(rows, "reductions", r"sum of (\d+) float32",
                                 lambda match: int(match[1]), median, names).items():
        lines[who] = [(n, 4e-3 * n / us) for n, us in points]
    return lines and svg.chart("The sum of an array in one call", "float32 elements", "GB/s", lines,
                               base=2)


def compile_time(rows):
    lines = series_of(rows, "lengths", r"(\d+) lines to PTX.*", lambda match: int(match[1]), median)
    return lines and svg.chart("Compiling to PTX", "lines of the program", "milliseconds", lines)


def launch(rows):
    lines = series_of(rows, "launch", r"host time of a plain launch, (\d+) arrays?",
                      lambda match: int(match[1]), median)
    names = sorted({n for points in lines.values() for n, _ in points})
    return lines and svg.chart("Host time of a launch", "array arguments", "microseconds", lines,
                               names=names)


PLOTS = {"barrier": barriers, "bandwidth": bandwidth, "compile": compile_time, "launch": launch}


def draw(rows):
    """The text of each plot for which there are rows."""
    texts = {name: plot(rows) for name, plot in PLOTS.items()}
    return {name: text for name, text in texts.items() if text}


def write(folder, rows):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in draw(rows).items():
        (folder / f"{name}.svg").write_text(text)
