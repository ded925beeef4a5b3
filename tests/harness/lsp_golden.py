"""What ck-lsp answers about a file, as text: its diagnostics and outline, then each name of each
line with what it means, where it is bound and used, and what may follow each dot."""

import re

from .goldens import compare, discover_kind
from .lsp import Client

WORD = re.compile(r"[^\W\d]\w*")
SHOWN = 12  # completions of one place


def place(range_):
    start, end = range_["start"], range_["end"]
    last = f"{end['line'] + 1}:" if end["line"] != start["line"] else ""
    return f"{start['line'] + 1}:{start['character'] + 1}-{last}{end['character'] + 1}"


def indented(text):
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


class Session:
    def __init__(self, client, name):
        self.client, self.name = client, name
        self.document = {"textDocument": {"uri": client.uri(name)}}
        self.lines = []

    def write(self, *lines):
        self.lines += lines

    def request(self, method, **more):
        return self.client.request(f"textDocument/{method}", {**self.document, **more})

    def diagnostics(self):
        severities = {1: "error", 2: "warning", 3: "information"}
        self.write("# diagnostics")
        for d in self.client.diagnostics(self.name):
            self.write(f"{place(d['range'])} {severities[d['severity']]} [{d['code']}]", indented(d["message"]))
            for related in d.get("relatedInformation", []):
                self.write(f"    {place(related['location']['range'])} {related['message']}")
            whole = {"range": d["range"], "context": {"diagnostics": []}}
            for action in self.request("codeAction", **whole):
                if action["diagnostics"][0]["range"] == d["range"]:
                    (edit,) = action["edit"]["changes"][self.document["textDocument"]["uri"]]
                    self.write(f"    fix: {action['title']}: {place(edit['range'])} {edit['newText']}")

    def outline(self):
        self.write("", "# outline")
        for item in self.request("documentSymbol"):
            self.write(f"{place(item['range'])} {item['name']} at {place(item['selectionRange'])} "
                       f"{item.get('detail', 'constant')}")

    def hints(self, text):
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": len(text), "character": 0}}
        hints = self.request("inlayHint", range=whole)
        self.write("", "# types")
        for number, line in enumerate(text):
            here = sorted((h["position"]["character"], h["label"]) for h in hints
                          if h["position"]["line"] == number)
            for character, label in reversed(here):
                line = f"{line[:character]}«{label}»{line[character:]}"
            if here:
                self.write(f"{number + 1}: {line.strip()}")

    def names(self, text):
        self.write("", "# names")
        known = set()
        for number, line in enumerate(text):
            for word in WORD.finditer(line):
                at = {"position": {"line": number, "character": word.start()}}
                hover = self.request("hover", **at)
                bound = self.request("definition", **at)
                if not hover and not bound:
                    continue
                self.write(f"{number + 1}:{word.start() + 1} {word[0]}")
                if hover:
                    assert self.client.span(self.name, hover["range"]) == word[0]
                    shown = hover["contents"]["value"].replace("```python\n", "").replace("\n```", "")
                    self.write(indented(re.sub(r"\n\n+", "\n", shown)))
                if bound and place(bound["range"]) not in known:
                    known.add(place(bound["range"]))
                    kinds = {2: "", 3: "="}
                    uses = [f"{place(h['range'])}{kinds[h['kind']]}" for h in self.request("documentHighlight", **at)]
                    self.write(f"    places: {' '.join(uses)}")

    def dots(self, text):
        self.write("", "# after dots")
        for number, line in enumerate(text):
            for dot in re.finditer(r"(?<=[\w)\]])\.(?!\d)", line.partition("#")[0]):
                at = {"position": {"line": number, "character": dot.end()}}
                labels = [item["label"] for item in self.request("completion", **at) or []]
                more = " and more" if len(labels) > SHOWN else ""
                self.write(f"{number + 1}:{dot.end() + 1} {line[:dot.end()].strip()}",
                           f"    {' '.join(labels[:SHOWN])}{more}")


def answers(layout, source):
    with Client(layout) as client:
        client.initialize()
        text = source.read_text()
        client.open(source.name, text)
        session = Session(client, source.name)
        session.diagnostics()
        session.outline()
        session.hints(text.splitlines())
        session.names(text.splitlines())
        session.dots(text.splitlines())
        assert client.shut_down() == 0
    return "\n".join(session.lines) + "\n"


def check(layout, source, bless):
    compare(source.with_suffix(".lsp"), answers(layout, source), bless)


def discover(layout, bless):
    yield from discover_kind(layout, "lsp", ".lsp", check, bless)
