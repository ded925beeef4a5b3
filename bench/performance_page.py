#!/usr/bin/env python3
"""Makes docs/performance.md of what bench/run has measured.

    bench/run --json out.json
    bench/performance_page.py out.json [MORE.json...] [--plots docs/plots] > docs/performance.md

Limits and whether they are met are the suite's own: a row's here are those of its table. What is to
be said of a goal besides, such as why it is missed, is in performance_notes.md, below a heading
with the goal's key. Several files are parts of one run on one machine. Exits with 1 where a goal
has no row at all.
"""

import argparse
import json
import re
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from suite import plots  # noqa: E402

NOTES = Path(__file__).resolve().parent / "performance_notes.md"


@dataclass
class Goal:
    """A line of the goals' table, and which rows of the suite are held to it."""

    key: str
    what: str
    group: str
    name: str  # a pattern of the whole name of a row
    who: str   # a pattern of the peers
    bandwidth: bool = False  # the ratio that counts is of bandwidths


GOALS = [
    Goal("barrier-few", "A bare barrier of the grid, 2 to 132 blocks", "gpu",
         r"grid barrier, (2|32|132) x \d+", "CUDA C.*"),
    Goal("barrier-some", "The same, 264 and 528 blocks", "gpu", r"grid barrier, (264|528) x \d+",
         "CUDA C.*"),
    Goal("barrier-many", "The same, 1056 to 4224 blocks", "gpu",
         r"grid barrier, (1056|2112|4224) x \d+", "CUDA C.*"),
    Goal("barrier-stores", "A barrier with 16 bytes stored and loaded by each thread", "gpu",
         r"grid barrier, 16 bytes stored and loaded, (2|32|132|264|528|1056|2112|4224) x \d+",
         "CUDA C.*"),
    Goal("rows", "`sequential_rows`, the example of Numba's documentation", "gpu",
         r"sequential_rows .*", "Numba|CUDA C.*"),
    Goal("article", "The three reductions of the article", "reductions", r"(batched|full).*",
         "CUDA C.*|the program", bandwidth=True),
    Goal("sum-largest", "The sum of 2 GiB in one launch", "reductions", r"sum of 536870912 float32",
         "CUB|PyTorch|the article's full", bandwidth=True),
    Goal("sum-small", "The sum of 2^10 to 2^20 elements in one launch", "reductions",
         r"sum of \d{4,7} float32", "CUB"),
    Goal("kernels", "saxpy, stencil, matrix product, histogram", "kernels", ".*", "CUDA C.*"),
    Goal("samples", "CUDA's samples and layouts of particles", "samples",
         r"(?!philox|state_|geometric mean).*", "CUDA C.*"),
    Goal("random", "Random numbers, beside cuRAND's device functions", "samples",
         r"(philox|state_).*", "CUDA C.*"),
    Goal("launch-driver", "Host time of a launch, beside the driver's own call", "launch",
         "host time of .*", "driver call"),
    Goal("launch-python", "Host time of a launch, beside Numba and Triton", "launch",
         "host time of .*", "Numba|Triton"),
    Goal("process", "`ckc` as a process", "compile", ".*", "nvcc -ptx"),
    Goal("in-process", "Compiling in a process that runs", "compile", ".*", "NVRTC.*"),
    Goal("first-result", "First result of `ckrun`", "compile", ".*", "Numba.*"),
    Goal("cpu", "The CPU device", "cpu", ".*", "PoCL"),
]
# Files of suite/plots.py and what is below each.
CAPTIONS = {
    "barrier": "A barrier of the grid; dashed: with 16 bytes stored before and loaded after it by each "
               "thread.",
    "bandwidth": "The sum of an array in one call, host time of the call included.",
    "launch": "Host time of a launch that does nothing.",
    "compile": "Compiling programs of many small kernels to PTX.",
}


def rows_of(goal, rows):
    return [row for row in rows if row["group"] == goal.group
            and re.fullmatch(goal.name, row["name"]) and re.fullmatch(goal.who, row["who"])]


def ck_row(row, rows):
    """ck's, which is the first of that name."""
    return next(other for other in rows
                if (other["group"], other["name"]) == (row["group"], row["name"]))


def number(value):
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


def unit(row):
    return {"us": "µs"}.get(row["unit"], row["unit"])


def shown(row):
    return f"{number(row['median'])} {unit(row)}" if row["status"] == "ok" else "-"


def limit_of(row):
    """(least ratio of the peer's to ck's, whether it is met), or None."""
    for limit in row.get("limits", []):
        found = re.fullmatch(r">= ([\d.e+]+) x ck", limit["what"])
        if found:
            return float(found[1]), limit["met"]
    return None


# --- The page ------------------------------------------------------------------------------------


def ck_ratio(goal, row):
    """ck's bandwidth, or time, in those of the peer."""
    return row["ratio"] if goal.bandwidth else 1 / row["ratio"]


def held_rows(goal, rows):
    """Those with a limit; all that were measured of a goal none of whose rows has one."""
    mine = rows_of(goal, rows)
    return [row for row in mine if row["status"] != "ok" or limit_of(row)] \
        if any(limit_of(row) for row in mine) else mine


def goal_line(goal, row, rows):
    ck = ck_row(row, rows)
    if row["status"] != "ok" or ck["status"] != "ok":
        why = row if row["status"] != "ok" else ck
        return f"| {row['name']} | {row['who']} | | | {shown(ck)} | {shown(row)} | {why['note'] or why['status']} |"
    least, met = limit_of(row) or (None, None)
    verdict = {True: "met", False: "**missed**", None: ""}[met]
    limit = "none" if least is None else \
        f"≥ {number(least)}" if goal.bandwidth else f"≤ {number(1 / least)}"
    return (f"| {row['name']} | {row['who']} | {limit} | {number(ck_ratio(goal, row))} | {shown(ck)} "
            f"| {shown(row)} | {verdict} |")


def goal_section(goal, rows, notes):
    mine = held_rows(goal, rows)
    kind = "bandwidth" if goal.bandwidth else "time"
    lines = [f"### {goal.what}", ""]
    if mine:
        lines += [f"| | beside | limit | ck's {kind} / theirs | ck | theirs | |", "|---" * 7 + "|"]
        lines += [goal_line(goal, row, rows) for row in mine]
    else:
        lines.append("Not measured.")
    missed = any(limit_of(row) and not limit_of(row)[1] for row in mine if row["status"] == "ok")
    if goal.key in notes:
        lines += ["", notes[goal.key]]
    elif missed:
        lines += ["", "What is missed has no reason yet."]
    return lines + [""]


def summary(rows):
    lines = ["| goal | limits met | furthest from its limit |", "|---|---|---|"]
    for goal in GOALS:
        held = [(row, *limit_of(row)) for row in rows_of(goal, rows)
                if row["status"] == "ok" and limit_of(row)]
        free = [row for row in rows_of(goal, rows) if row["status"] == "ok" and row["ratio"]]
        if not held and free:
            slowest = min(free, key=lambda row: row["ratio"])
            lines.append(f"| {goal.what} | none has one | {slowest['name']}, {slowest['who']}: "
                         f"{number(ck_ratio(goal, slowest))} |")
        if not held and not free:
            lines.append(f"| {goal.what} | not measured | |")
        if not held:
            continue
        worst, least, _ = min(held, key=lambda one: one[0]["ratio"] / one[1])
        met = sum(one[2] for one in held)
        ratio, sign, limit = worst["ratio"], "≥", least
        if not goal.bandwidth:
            ratio, sign, limit = 1 / ratio, "≤", 1 / least
        lines.append(f"| {goal.what} | {met} of {len(held)} | {worst['name']}, {worst['who']}: "
                     f"{number(ratio)} ({sign} {number(limit)}) |")
    return lines


def prose(text, indent=""):
    return textwrap.wrap(text, 100, subsequent_indent=indent, break_long_words=False,
                         break_on_hyphens=False)


def machine_lines(runs):
    about = runs[0]["machine"]
    gpu = about.get("gpu")
    lines = [f"* {about['ck']}, {about['time']}, {about['system']}",
             f"* CPU: {about['cpu']}, {about['cores']} cores, load {about['load']:.1f} at the start"]
    if gpu:
        lines.append(f"* GPU: {gpu['name']}, {gpu['multiprocessors']} multiprocessors, "
                     f"sm_{gpu['capability']}, driver for CUDA {gpu['driver']}")
    peers = ", ".join(f"{who} {version}" for who, version in about["peers"].items())
    lines += prose(f"* Peers: {peers or 'none'}", "  ")
    for run in runs:
        lines.append(f"* `{run['machine']['command']}`, {run['machine']['seconds']:.0f} s")
    return lines


def group_table(rows):
    lines = ["| benchmark | who | median | unit | quartiles | n | theirs / ck's |", "|---" * 7 + "|"]
    for row in rows:
        if row["status"] != "ok":
            lines.append(f"| {row['name']} | {row['who']} | {row['status']}: {row['note']} | | | | |")
            continue
        ratio = "" if row["ratio"] is None else number(row["ratio"])
        lines.append(f"| {row['name']} | {row['who']} | {number(row['median'])} | {unit(row)} | "
                     f"{number(row['low'])}..{number(row['high'])} | {len(row['samples'])} | {ratio} |")
    return lines


def read_notes(text):
    """{heading: what is below it}."""
    parts = re.split(r"^## (.+)$", text, flags=re.M)
    return {key.strip(): body.strip() for key, body in zip(parts[1::2], parts[2::2])}


def page(runs, notes, plots_folder):
    rows = [row for run in runs for row in run["rows"]]
    keys = {goal.key for goal in GOALS}
    lines = ["# Performance", "",
             *prose("What `bench/run` measured beside other compilers and libraries, each alternating with "
                    "ck in one run: the medians and their ratio. [bench/README.md](../bench/README.md) says "
                    "how each is measured, and how to measure again."), "",
             "<!-- made by bench/performance_page.py -->", ""]
    lines += machine_lines(runs) + ["", "## Goals", ""] + summary(rows) + [""]
    for name in plots.draw(rows) if plots_folder else []:
        lines += [f"![{CAPTIONS[name]}]({plots_folder}/{name}.svg)", ""]
    lines += ["## Each goal", ""]
    for goal in GOALS:
        lines += goal_section(goal, rows, notes)
    for key, text in notes.items():
        if key not in keys:
            lines += [f"## {key}", "", text, ""]
    lines += ["## Measuring again", "", "```", *(run["machine"]["command"] for run in runs),
              "bench/performance_page.py out.json --plots docs/plots > docs/performance.md", "```", "",
              "## All rows", "",
              *prose("Times are medians with their quartiles; n: how many samples. *theirs / ck's* is above "
                     "1 where the peer took longer, or, in GB/s, was faster."), ""]
    for group in dict.fromkeys(row["group"] for row in rows):
        lines += [f"### {group}", ""] + group_table([row for row in rows if row["group"] == group]) + [""]
    return "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.json")
    parser.add_argument("--plots", type=Path, metavar="DIR",
                        help="draw the plots there, and show them: a folder of docs/")
    arguments = parser.parse_args()
    runs = [json.loads(path.read_text()) for path in arguments.files]
    rows = [row for run in runs for row in run["rows"]]
    if arguments.plots:
        plots.write(arguments.plots, rows)
    sys.stdout.write(page(runs, read_notes(NOTES.read_text()), arguments.plots and arguments.plots.name))
    without = [goal.key for goal in GOALS if not rows_of(goal, rows)]
    if without:
        print(f"performance_page.py: no rows of {', '.join(without)}", file=sys.stderr)
    return 1 if without else 0


if __name__ == "__main__":
    sys.exit(main())
