"""ck-lsp's documents: changes of texts, and random ones, after which the answers are those of a
server that opened the text; and the diagnostics of `ckc --check`."""

import json
import random

from harness.lsp import UTF8, UTF16, Client

PIECES = ["x", "grid(1)", "\n", "\r\n", "\r", "    ", "🙂", "größe", "(", ")", "[", "]", ":", "def f(a):\n    return a\n", "=",
          "@kernel\n", '"', "'''", "#", ".", "cuda.", "if x:\n", "\t", "0x", "1e", "\\", "import math\n", "lambda ", ",",
          "for i in range(3):\n", "\x00", "\x7f", "f\"{x}\"", "x = ", "return", "float32[:]", ";", "\u2028"]


def everything(client, name):
    """What the server says about a text, wherever it is. Types are not among it: of a document that
    is edited, some of earlier texts are known."""
    document = {"textDocument": {"uri": client.uri(name)}}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 1 << 20, "character": 0}}
    answers = [client.diagnostics(name), client.request("textDocument/documentSymbol", document),
               client.request("textDocument/codeAction", {**document, "range": whole, "context": {"diagnostics": []}})]
    return json.dumps(answers).replace(client.uri(name), "URI")


def ask_anything(client, name, rng):
    """A request about a random place: any answer or error will do."""
    at = {"textDocument": {"uri": client.uri(name)},
          "position": client.position(name, rng.randrange(len(client.texts[name]) + 1))}
    method = rng.choice(["hover", "definition", "references", "completion", "signatureHelp", "rename", "prepareRename",
                         "documentHighlight"])
    client.answer(client.start(f"textDocument/{method}", {**at, "newName": "other", "context": {}}))


def sources(t, *patterns):
    files = [path for pattern in patterns for path in sorted(t.layout.tests.parent.glob(pattern))]
    assert files
    return files


def random_edit(client, name, rng):
    text = client.texts[name]
    start = rng.randrange(len(text) + 1)
    end = min(len(text), start + rng.choice([0, 0, 1, 3, 30]))
    # A range between "\r" and "\n", which are one end of a line, cannot be written.
    while text[start - 1:start + 1] == "\r\n" and start:
        start -= 1
    while text[end - 1:end + 1] == "\r\n" and end:
        end += 1
    new = rng.choice(PIECES) if rng.random() < 0.7 else "".join(rng.choices(text or "a", k=rng.randrange(20)))
    client.edit(name, start, end, new)


def test_random_edits(t):
    """Of the examples: after edits the server knows the text that a new document has."""
    rng = random.Random(t.seed)
    for encoding in (UTF8, UTF16):
        with Client(t.layout) as c:
            c.initialize(encodings=(UTF16, encoding), options={"delay": 100000})
            for path in rng.sample(sources(t, "examples/*.ck", "tests/lsp/*.ck"), 6):
                text = path.read_bytes().decode()
                c.open("edited.ck", text)
                for _ in range(40):
                    random_edit(c, "edited.ck", rng)
                    if rng.random() < 0.3:
                        ask_anything(c, "edited.ck", rng)
                c.notify("textDocument/didSave", {"textDocument": {"uri": c.uri("edited.ck")}})
                edited = everything(c, "edited.ck")
                c.close("edited.ck")
                c.open("new.ck", c.texts["edited.ck"])
                assert everything(c, "new.ck") == edited, f"--seed {t.seed}: {path.name}"
                c.close("new.ck")
            assert c.shut_down() == 0


def test_random_messages(t):
    """Whatever arrives, the server goes on, or ends without a report of a sanitizer."""
    rng = random.Random(t.seed)
    for _ in range(8):
        with Client(t.layout) as c:
            c.initialize()
            c.open("a.ck", "@kernel\ndef k(x: float32[:]):\n    x[0] = 1\n")
            good = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "textDocument/hover", "params": {
                "textDocument": {"uri": c.uri("a.ck")}, "position": {"line": 1, "character": 5}}}).encode()
            for _ in range(60):
                data = bytearray(b"Content-Length: %d\r\n\r\n" % len(good) + good)
                for _ in range(rng.choice([0, 1, 1, 2, 5])):
                    at = rng.randrange(len(data))
                    data[at:at + rng.randrange(3)] = bytes(rng.choices(b'{}[]":,0123456789-\\\r\n\x00\xffx', k=rng.randrange(3)))
                c.send_bytes(bytes(data))
            c.process.stdin.close()
            while c.receive() is not None:
                pass
            assert c.process.wait(c.timeout) in (0, 1), f"--seed {t.seed}"


def test_several_changes_in_a_message(t):
    """Each is made in the text that the one before left; the last may be a whole text."""
    with Client(t.layout) as c:
        c.initialize()
        c.open("a.ck", "alpha = 1\nbeta = 2\n")

        def at(line, first, last):
            return {"start": {"line": line, "character": first}, "end": {"line": line, "character": last}}

        c.changes("a.ck", [{"range": at(0, 0, 5), "text": "one\ntwo"}, {"range": at(1, 0, 3), "text": "ZWEI"}])
        names = [s["name"] for s in c.request("textDocument/documentSymbol", {"textDocument": {"uri": c.uri("a.ck")}})]
        assert names == ["ZWEI", "beta"], names
        c.changes("a.ck", [{"range": at(0, 0, 1), "text": "q"}, {"text": "whole = 3\n"},
                           {"range": {"start": {"line": 9, "character": 9}, "end": {"line": 0, "character": 0}}, "text": "n = 1\n"}])
        names = [s["name"] for s in c.request("textDocument/documentSymbol", {"textDocument": {"uri": c.uri("a.ck")}})]
        assert names == ["n"], names


def test_a_change_that_cannot_be_followed(t):
    """The document is ignored, with a message, until it is opened again."""
    with Client(t.layout) as c:
        c.initialize()
        for change in ({}, {"text": 5}, {"text": "a", "range": {}}, "text"):
            c.open("a.ck", "n = 1\n")
            c.changes("a.ck", [change])
            assert c.request("textDocument/documentSymbol", {"textDocument": {"uri": c.uri("a.ck")}}) is None
            (message,) = [m for m in c.notifications if m.get("method") == "window/logMessage"]
            assert "is ignored until it is opened again" in message["params"]["message"]
            c.notifications.clear()
        c.open("a.ck", "n = 1\n")
        assert len(c.request("textDocument/documentSymbol", {"textDocument": {"uri": c.uri("a.ck")}})) == 1


def test_several_documents(t):
    """Each has its own text; closing clears its diagnostics."""
    with Client(t.layout) as c:
        c.initialize()
        for i in range(5):
            c.open(f"{i}.ck", f"@kernel\ndef k{i}(x: float32[:]):\n    x[0] = name{i}\n")
        for i in range(5):
            assert f"name{i}" in c.diagnostics(f"{i}.ck")[0]["message"]
        c.close("2.ck")
        assert c.at("hover", "2.ck", "|k2") is None
        last = [m["params"] for m in c.notifications if m["params"].get("uri") == c.uri("2.ck")][-1]
        assert last["diagnostics"] == [] and "version" not in last
        assert "k3" in c.hover("3.ck", "|k3")
        c.open("3.ck", "def other(): pass\n")  # opened once more: the new text counts
        assert c.hover("3.ck", "oth|er")


def test_large_documents(t):
    """Up to 4 MiB as the compiler; beyond it has one diagnostic and no names."""
    kernel = "@kernel\ndef k{0}(x: float32[:]):\n    i = grid(1)\n    x[i] = x[i] + {0}\n\n"
    with Client(t.layout, timeout=60) as c:
        c.initialize()
        c.open("a.ck", "".join(kernel.format(i) for i in range(2000)))
        assert c.diagnostics("a.ck") == []
        assert "x: float32[:]" in c.hover("a.ck", "x[i] = |x[i] + 1999")
        c.edit("a.ck", 0, 0, "N = 1\n")
        assert "i: int64" in c.hover("a.ck", "[i] = x[|i] + 1999")
        c.open("b.ck", "# " + "x" * (4 << 20) + "\n")
        assert [d["code"] for d in c.diagnostics("b.ck")] == ["source-too-large"]
        assert c.hover("b.ck", {"line": 0, "character": 50}) is None
        assert c.at("completion", "b.ck", {"line": 1, "character": 0}) is None
        c.edit("b.ck", 0, 4 << 20, "")
        assert c.diagnostics("b.ck") == []


def test_hostile_documents(t):
    """Many functions, names, lines, strings and brackets: each takes a time in proportion."""
    texts = {
        "functions": "".join(f"def f{i}(a):\n    return a\n" for i in range(8000)),
        "calls": "def f(a):\n    return a\n" + "class C:\n" + "    f(a=1)\n" * 100000,
        "keywords": "".join(f"def f{i}(a):\n    return f{i - 1 if i else 0}(a=a)\n" for i in range(8000)),
        "names": "f = [" + "f, " * 60000 + "]\n",
        "host names": "with g(" + "f, " * 60000 + "):\n    f = 1\n",
        "strings": "with g(" + 'f"f" ' * 100000 + "):\n    f = 1\n",
        "constants": "".join(f"c{i} = {i}\n" for i in range(10000)),
        "brackets": "(" * 1000000,
        "lines": "\n" * 2000000,
        "lambdas": "f = " + "lambda x: " * 150 + "x\n",
    }
    with Client(t.layout, timeout=20) as c:
        c.initialize()
        for name, text in texts.items():
            c.open(name, text)
            document = {"textDocument": {"uri": c.uri(name)}}
            c.diagnostics(name)
            c.request("textDocument/documentSymbol", document)
            for at in ({"line": 0, "character": 0}, {"line": 50, "character": 8}):
                for method in ("hover", "completion", "documentHighlight"):
                    c.at(method, name, at)
            c.request("textDocument/inlayHint", {**document, "range": {"start": at, "end": at}})
            c.close(name)
        assert c.shut_down() == 0


def plain(diagnostic):
    """A diagnostic of the server as `ckc --diagnostics=json` has it, but for the columns' unit."""
    severities = {1: "error", 2: "warning", 3: "note"}
    return (severities[diagnostic["severity"]], diagnostic["code"], diagnostic["message"].partition("\n")[0],
            diagnostic["range"]["start"]["line"] + 1, diagnostic["range"]["end"]["line"] + 1,
            len(diagnostic.get("relatedInformation", [])))


def reported(t, path):
    lines = t.run([t.ckc, "--check", "--diagnostics=json", path]).err.splitlines()
    messages = [json.loads(line) for line in lines]
    return [(m["severity"], m["name"], m["message"].partition("\n")[0], m["line"], m["end_line"], len(m.get("labels", [])))
            for m in messages if "severity" in m]


def test_diagnostics_are_those_of_ckc(t):
    """Of all kinds, by a sample of the tests of diagnostics."""
    rng = random.Random(t.seed)
    paths = rng.sample(sources(t, "tests/diag/**/*.ck"), 40)
    with Client(t.layout) as c:
        c.initialize()
        for path in paths:
            try:
                text = path.read_bytes().decode()
            except UnicodeDecodeError:
                continue  # such a text cannot be sent
            c.open(path.name, text)
            got, wanted = [plain(d) for d in c.diagnostics(path.name)], reported(t, path)
            assert got == wanted, f"{path}\n{got}\n{wanted}"
            c.close(path.name)
