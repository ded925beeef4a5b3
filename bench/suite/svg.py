"""Line charts as SVG, for light and dark pages: a logarithmic y axis, an x axis of powers of ten,
of powers of two or of names."""

import math
from html import escape

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 72, 150, 56, 60
# On light and on dark; each series has its own mark as well.
COLOURS = [("#0b62b5", "#6cb6ff"), ("#c2410c", "#f69d50"), ("#0f7b4f", "#57c99b"),
           ("#8b3fb0", "#d2a8ff"), ("#6b6b00", "#d8c94a"), ("#b0255f", "#ff8fb8")]
MARKS = ["circle", "square", "triangle", "diamond", "circle", "square"]
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
ROOM = 15  # between labels of lines that end at the same place

STYLE = """
text { font: 12px system-ui, sans-serif; fill: #24292f; }
.title { font-size: 15px; font-weight: 600; }
.grid { stroke: #8c959f; stroke-opacity: .3; }
.axis { stroke: #57606a; fill: none; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
"""
DARK = "text { fill: #d1d7e0; } .axis { stroke: #9198a1; }"


class Scale:
    """Where a value is on an axis from `start` to `end` of the picture."""

    def __init__(self, values, start, end, base=None, names=None):
        self.base, self.names = base, names
        self.start, self.end = start, end
        if names:
            self.low, self.high = -0.3, len(names) - 0.7
            return
        self.low, self.high = math.log(min(values), base), math.log(max(values), base)
        around = 0.06 * (self.high - self.low) or 0.5
        self.low, self.high = self.low - around, self.high + around

    def at(self, value):
        where = self.names.index(value) if self.names else math.log(value, self.base)
        share = (where - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self):
        """(value, text) of each."""
        if self.names:
            return [(name, str(name)) for name in self.names]
        powers = range(math.ceil(self.low), math.floor(self.high) + 1)
        if self.base == 2:
            step = max(1, math.ceil(len(powers) / 10))
            return [(2**p, "2" + str(p).translate(SUPERSCRIPTS)) for p in powers if p % step == 0]
        parts = (1,) if len(powers) > 3 else (1, 2, 5)
        values = [part * 10**p for p in range(powers.start - 1, powers.stop) for part in parts]
        low, high = 10**self.low, 10**self.high
        return [(value, f"{value:,.10g}".replace(",", " ")) for value in values
                if low <= value <= high]


def mark(kind, x, y, style):
    shapes = {
        "circle": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" {style}/>',
        "square": f'<rect x="{x - 3.2:.1f}" y="{y - 3.2:.1f}" width="6.4" height="6.4" {style}/>',
        "triangle": f'<path d="M{x:.1f} {y - 4.2:.1f}l4 7h-8z" {style}/>',
        "diamond": f'<path d="M{x:.1f} {y - 4.6:.1f}l4.4 4.6l-4.4 4.6l-4.4 -4.6z" {style}/>',
    }
    return shapes[kind]


def apart(wanted, room):
    """Places near the `wanted` ones, `room` from each other, in their order."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    places = [0.0] * len(wanted)
    last = -math.inf
    for i in order:
        places[i] = last = max(wanted[i], last + room)
    # Back up as far as they were pushed down together.
    shift = sum(place - want for place, want in zip(places, wanted)) / max(1, len(wanted))
    return [place - shift for place in places]


def axes(x, y, x_label, y_label):
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts = []
    for value, text in y.ticks():
        at = y.at(value)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{right}" y1="{at:.1f}" y2="{at:.1f}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{text}</text>')
    for value, text in x.ticks():
        at = x.at(value)
        parts.append(f'<line class="grid" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{bottom}"/>')
        parts.append(f'<text x="{at:.1f}" y="{bottom + 18}" text-anchor="middle">{text}</text>')
    parts.append(f'<path class="axis" d="M{LEFT} {TOP}V{bottom}H{right}"/>')
    middle = (LEFT + right) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 16}" text-anchor="middle">{escape(x_label)}</text>')
    parts.append(f'<text transform="translate(18 {(TOP + bottom) / 2}) rotate(-90)" '
                 f'text-anchor="middle">{escape(y_label)}</text>')
    return parts


def chart(title, x_label, y_label, series, base=10, names=None, dashed=None):
    """`series`: the points (x, y) of each, by its name. `names`: the x values, if they are names;
    otherwise the x axis is logarithmic with `base`. `dashed`: series that are drawn dashed, and
    each's other series, whose colour and mark it has."""
    dashed = dashed or {}
    numbers = {name: i for i, name in enumerate(name for name in series if name not in dashed)}
    numbers.update({name: numbers[other] for name, other in dashed.items()})
    points = [point for line in series.values() for point in line]
    x = Scale([px for px, _ in points], LEFT, WIDTH - RIGHT, base, names)
    y = Scale([py for _, py in points], HEIGHT - BOTTOM, TOP, 10)
    parts = axes(x, y, x_label, y_label)
    colours = [f".s{i} {{ stroke: {c}; }} .f{i} {{ fill: {c}; }}" for i, (c, _) in enumerate(COLOURS)]
    dark = [f".s{i} {{ stroke: {c}; }} .f{i} {{ fill: {c}; }}" for i, (_, c) in enumerate(COLOURS)]
    ends = apart([y.at(line[-1][1]) for line in series.values()], ROOM)
    for (name, line), end in zip(series.items(), ends):
        i = numbers[name] % len(COLOURS)
        places = [(x.at(px), y.at(py)) for px, py in line]
        path = "M" + "L".join(f"{px:.1f} {py:.1f}" for px, py in places)
        dash = ' stroke-dasharray="6 4"' if name in dashed else ""
        parts.append(f'<path class="line s{i}" d="{path}"{dash}/>')
        parts += [mark(MARKS[i], px, py, f'class="f{i}"') for px, py in places]
        label = WIDTH - RIGHT + 14
        parts.append(mark(MARKS[i], label, end, f'class="f{i}"'))
        parts.append(f'<text x="{label + 10}" y="{end + 4:.1f}">{escape(name)}</text>')
    style = STYLE + "\n".join(colours)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'width="{WIDTH}" height="{HEIGHT}" role="img">\n<title>{escape(title)}</title>\n'
            f"<style>{style}\n@media (prefers-color-scheme: dark) {{ {DARK} {' '.join(dark)} }}</style>\n"
            f'<text class="title" x="{LEFT}" y="30">{escape(title)}</text>\n'
            + "\n".join(parts) + "\n</svg>\n")
