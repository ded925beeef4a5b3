"""Results: rows, the limits they are held to, the table and the JSON file."""

import dataclasses
import json
from dataclasses import dataclass, field

from .measure import Absent, Broken, spread

# factor from the SI unit a sample is in, digits
UNITS = {
    "ms": (1e3, 2), "us": (1e6, 3), "ns": (1e9, 2), "MB": (1e-6, 1), "B": (1, 1), "GB/s": (1e-9, 2),
    "x": (1, 2),
}


@dataclass
class Limit:
    """The issue's figure: `value` is what was measured, in the limit's own unit."""

    what: str   # "<= 25 ms"
    value: float
    met: bool


@dataclass
class Row:
    """One participant of one benchmark."""

    name: str
    who: str
    unit: str = ""
    samples: list = field(default_factory=list)  # in SI units
    ratio: float = None                          # its median over ck's, or that of pairs
    limits: list = field(default_factory=list)
    status: str = "ok"                           # ok, skipped, failed
    note: str = ""
    group: str = ""
    figures: dict = None                         # of the compiled code, by name

    def shown(self, value):
        factor, digits = UNITS[self.unit]
        return f"{value * factor:.{digits}f}"

    def median(self):
        return spread(self.samples)[0]

    def value(self):
        """The median in the row's unit."""
        return self.median() * UNITS[self.unit][0]

    def at_most(self, limit):
        value = self.value()
        self.limits.append(Limit(f"<= {limit:g} {self.unit}", value, value <= limit))

    def ratio_at_least(self, limit):
        self.limits.append(Limit(f">= {limit:g} x ck", self.ratio, self.ratio >= limit))


def failed(name, who, why):
    return Row(name, who, status="failed", note=why)


def skipped(name, who, why):
    return Row(name, who, status="skipped", note=why)


def of_result(name, who, unit, result, note=""):
    """A row of what measure.in_turn has for a participant, or of why there is nothing."""
    if isinstance(result, Broken):
        return failed(name, who, str(result))
    if isinstance(result, Absent):
        return Row(name, who, status="skipped" if result.skipped else "failed", note=result.why)
    return Row(name, who, unit, result, note=note)


def compare(rows):
    """Fills in the ratios of a benchmark's rows, of which the first is ck's."""
    if rows[0].status == "ok":
        for row in rows[1:]:
            if row.status == "ok":
                row.ratio = row.median() / rows[0].median()
    return rows


def compare_pairs(row, ck):
    """The ratio of two that alternated: the median of the neighbours' ratios, which what moves
    both, as the host's clock, does not change."""
    row.ratio = spread([one / other for one, other in zip(row.samples, ck.samples)])[0]


# --- The table -----------------------------------------------------------------------------------

COLUMNS = ["benchmark", "who", "median", "unit", "quartiles", "n", "to ck", "limit", ""]
RIGHT = {"median", "quartiles", "n", "to ck"}


def limit_text(row):
    return ", ".join(f"{limit.what} {'met' if limit.met else 'MISSED'}" for limit in row.limits)


def cells(row, name):
    if row.status != "ok":
        return [name, row.who, row.status, "", "", "", "", "", row.note]
    middle, low, high = spread(row.samples)
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
    return [name, row.who, row.shown(middle), row.unit, f"{row.shown(low)}..{row.shown(high)}",
            str(len(row.samples)), ratio, limit_text(row), row.note]


def table(title, rows):
    lines = [COLUMNS]
    previous = None
    for row in rows:
        lines.append(cells(row, "" if row.name == previous else row.name))
        previous = row.name
    return aligned(title, lines, RIGHT)


def aligned(title, lines, right):
    """A title and lines of cells, of which the first has the columns' names."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    text = [f"\n{title}"]
    for line in lines:
        parts = [cell.rjust(width) if column in right else cell.ljust(width)
                 for cell, width, column in zip(line, widths, lines[0])]
        text.append(("  " + "  ".join(parts)).rstrip())
    return "\n".join(text)


def heading(about):
    device = about["gpu"]
    gpu = (f"{device['name']}, sm_{device['capability']}, driver for CUDA {device['driver']}"
           if device else "no CUDA device")
    peers = ", ".join(f"{who} {version}" for who, version in about["peers"].items()) or "no peers"
    cpu = f"{about['cpu']}, {about['cores']} cores, load {about['load']:.1f}"
    return f"{about['ck']}; {cpu}; {gpu}; {peers}; {about['time']}"


def summary(rows):
    limits = [limit for row in rows for limit in row.limits]
    missed = [f"{row.name} ({row.who}): {limit.value:.3g}, {limit.what}"
              for row in rows for limit in row.limits if not limit.met]
    count = {status: sum(row.status == status for row in rows) for status in
             ("ok", "skipped", "failed")}
    lines = [f"\n{count['ok']} measured, {count['failed']} failed, {count['skipped']} skipped; "
             f"{len(limits) - len(missed)} limits met, {len(missed)} missed"]
    return "\n".join(lines + [f"  missed: {text}" for text in missed])


# --- The JSON file -------------------------------------------------------------------------------


def row_dict(row):
    """Times and sizes in the row's unit."""
    out = {key: getattr(row, key) for key in ("group", "name", "who", "status", "note")}
    if row.status == "ok":
        factor = UNITS[row.unit][0]
        middle, low, high = (value * factor for value in spread(row.samples))
        out.update(unit=row.unit, median=middle, low=low, high=high, ratio=row.ratio,
                   samples=[sample * factor for sample in row.samples],
                   limits=[dataclasses.asdict(limit) for limit in row.limits])
    if row.figures:
        out["figures"] = row.figures
    return out


def write_json(path, about, rows):
    path.write_text(json.dumps({"machine": about, "rows": [row_dict(row) for row in rows]},
                               indent=1) + "\n")
