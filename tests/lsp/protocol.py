"""ck-lsp's protocol: messages and their errors, the order of a session, positions, cancellation."""

import json
import re
import shutil

from harness.lsp import UTF8, UTF16, Client, frame

KERNEL = "@kernel\ndef k(x: float32[:]):\n    i = grid(1)\n    x[i] = 1\n"
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED, CANCELLED = -32002, -32800
# Headers without a length that can be used.
BAD_HEADERS = [b"Content-Length: x\r\n\r\n", b"Content-Length: -5\r\n\r\n", b"Content-Length:\r\n\r\n",
               b"Content-Type: text\r\n\r\n", b"no colon\r\n\r\n", b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
               b"Content-Length: 99999999999999999999999999\r\n\r\n", b"Content-Length: 1e3\r\n\r\n"]
# Contents that are not JSON.
BAD_JSON = [b"{", b"", b"[1,", b'{"a":}', b'"\xff\xfe"', b"{} {}", b"nul", b"[" * 100 + b"]" * 100, b"\x00", b"'a'",
            b'{"jsonrpc":"2.0","id":1,"method":"shutdown"} x', b"// comment\n{}"]
# JSON that is no message.
NO_MESSAGES = [b"1", b"[]", b"null", b'"x"', b"{}", b'{"id":1}', b'{"method":5,"id":1}',
               b'[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]']


def error_of(client):
    answer = client.receive()
    assert answer["jsonrpc"] == "2.0"
    return answer["error"]["code"], answer["id"]


def test_session(t):
    with Client(t.layout) as c:
        result = c.initialize()
        assert result["serverInfo"]["name"] == "ck-lsp"
        c.open("a.ck", KERNEL)
        assert c.diagnostics("a.ck") == []
        assert c.shut_down() == 0


def test_exit_statuses(t):
    """Without `shutdown`, or if the input ends, the server ends with 1."""
    with Client(t.layout) as c:
        c.initialize()
        c.notify("exit")
        assert c.process.wait(c.timeout) == 1
    with Client(t.layout) as c:
        c.initialize()
    assert c.process.returncode == 1


def test_before_initialize(t):
    with Client(t.layout) as c:
        c.open("a.ck", KERNEL)  # dropped
        assert c.answer(c.start("textDocument/hover", {}))["error"]["code"] == NOT_INITIALIZED
        c.initialize()
        assert c.at("hover", "a.ck", "|k(x") is None
        assert c.answer(c.start("initialize", {}))["error"]["code"] == INVALID_REQUEST


def test_after_shutdown(t):
    with Client(t.layout) as c:
        c.initialize()
        c.request("shutdown")
        assert c.answer(c.start("textDocument/hover", {}))["error"]["code"] == INVALID_REQUEST
        c.notify("exit")
        assert c.process.wait(c.timeout) == 0


def test_unknown_methods(t):
    """Of requests they are an error; notifications are dropped, and so are answers."""
    with Client(t.layout) as c:
        c.initialize()
        for method in ("textDocument/nothing", "$/nothing", "textDocument/didOpen", ""):
            assert c.answer(c.start(method, {}))["error"]["code"] == METHOD_NOT_FOUND
        for method in ("workspace/nothing", "$/setTrace", "textDocument/hover"):
            c.notify(method, {})
        c.send({"id": 5, "result": None})
        c.send({"id": 5, "error": {"code": 1, "message": ""}})
        assert c.shut_down() == 0


def test_bad_headers(t):
    """Each is an error without an id, and the next message is read."""
    with Client(t.layout) as c:
        for header in BAD_HEADERS:
            c.send_bytes(header)
            assert error_of(c) == (PARSE_ERROR, None), header
        c.initialize()
        c.send_bytes(b"x" * 70000)
        assert error_of(c) == (PARSE_ERROR, None)
        c.send_bytes(b"\r\n\r\n")
        c.receive(0.2)
        assert c.shut_down() == 0


def test_bad_json(t):
    with Client(t.layout) as c:
        c.initialize()
        for content in BAD_JSON:
            c.send_bytes(frame(content))
            assert error_of(c) == (PARSE_ERROR, None), content
        for content in NO_MESSAGES:
            c.send_bytes(frame(content))
            assert error_of(c)[0] == INVALID_REQUEST, content
        assert c.shut_down() == 0


def test_headers_are_read_as_they_are_written(t):
    """In capitals or not, with fields beside the length, with "\\n" alone, byte by byte."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}).encode()
    ident = 1
    with Client(t.layout) as c:
        for header in (b"content-length: %d\r\n\r\n", b"Content-Length:%d \n\n",
                       b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
                       b"\r\n\r\nCONTENT-LENGTH:\t%d\r\n\r\n"):
            c.send_bytes(header % len(body) + body)
            assert c.receive()["id"] == ident
        for byte in frame(body):
            c.send_bytes(bytes([byte]))
        assert c.receive()["id"] == ident


def test_a_large_message_is_passed_over(t):
    with Client(t.layout) as c:
        c.initialize()
        c.send_bytes(b"Content-Length: %d\r\n\r\n" % (65 << 20))
        for _ in range(65):
            c.send_bytes(b"x" * (1 << 20))
        assert error_of(c) == (PARSE_ERROR, None)
        assert c.shut_down() == 0


def test_cancellation(t):
    """A request that waits is not begun; one that is done, or unknown, stays as it is."""
    with Client(t.layout) as c:
        c.initialize()
        c.open("a.ck", KERNEL)
        where = {"textDocument": {"uri": c.uri("a.ck")}, "position": c.place("a.ck", "|k(x")}
        request = {"jsonrpc": "2.0", "method": "textDocument/hover", "params": where}
        cancel = {"jsonrpc": "2.0", "method": "$/cancelRequest"}
        c.send_bytes(frame({**request, "id": 100}) + frame({**request, "id": "b"}) + frame({**request, "id": 102}) +
                     frame({**cancel, "params": {"id": "b"}}) + frame({**cancel, "params": {"id": 102}}) +
                     frame({**cancel, "params": {"id": 99}}) + frame({**cancel, "params": None}) + frame(cancel))
        assert c.answer(100)["result"]
        assert c.answer("b")["error"]["code"] == CANCELLED
        assert c.answer(102)["error"]["code"] == CANCELLED
        c.send({**cancel, "params": {"id": 100}})
        assert c.shut_down() == 0


def test_wrong_params(t):
    """Positions and ranges that are none are errors; documents that are not open have no answer."""
    with Client(t.layout) as c:
        c.initialize()
        c.open("a.ck", KERNEL)
        document = {"textDocument": {"uri": c.uri("a.ck")}}
        for position in (None, 5, {}, {"line": 0}, {"line": -1, "character": 0}, {"line": 0, "character": 1.5},
                         {"line": "0", "character": 0}, {"line": 0, "character": 1 << 40}):
            for method in ("hover", "definition", "completion", "references", "prepareRename", "signatureHelp"):
                answer = c.answer(c.start(f"textDocument/{method}", {**document, "position": position}))
                assert answer["error"]["code"] == INVALID_PARAMS, (method, position)
        for method in ("inlayHint", "codeAction"):
            for range_ in (None, {}, {"start": {"line": 0, "character": 0}}):
                answer = c.answer(c.start(f"textDocument/{method}", {**document, "range": range_}))
                assert answer["error"]["code"] == INVALID_PARAMS
        for params in (None, [], {}, {"textDocument": 1}, {"textDocument": {"uri": 7}},
                       {"textDocument": {"uri": "file:///other"}, "position": {"line": 0, "character": 0}}):
            assert c.answer(c.start("textDocument/hover", params))["result"] is None
        answer = c.answer(c.start("textDocument/rename", {**document, "position": c.place("a.ck", "|k(x")}))
        assert answer["error"]["code"] == INVALID_PARAMS
        for method in ("didOpen", "didChange", "didClose", "didSave"):
            for params in (None, [], {}, {"textDocument": {}}, {"textDocument": {"uri": c.uri("x.ck")}}):
                c.notify(f"textDocument/{method}", params)
        assert c.hover("a.ck", "|k(x")
        assert c.shut_down() == 0


def test_positions_beyond_the_end(t):
    """They are at the end of the line, or of the text."""
    with Client(t.layout) as c:
        c.initialize()
        c.open("a.ck", KERNEL)
        assert "x: float32[:]" not in (c.hover("a.ck", {"line": 3, "character": 4000}) or "")
        assert c.hover("a.ck", {"line": 2, "character": 4294967295}) is None
        assert c.hover("a.ck", {"line": 4294967295, "character": 0}) is None


def test_encodings(t):
    """UTF-8 if the client offers it, else UTF-16: the units in which characters count."""
    text = 'N = "🙂"; wert = 1; größe = wert\n@kernel\ndef k(x: int32[:]):\n    x[0] = größe\n'
    for offered, chosen in (((UTF16,), UTF16), ((UTF16, UTF8), UTF8), ((), UTF16), (("utf-32",), UTF16)):
        with Client(t.layout) as c:
            result = c.initialize(encodings=offered)
            assert result["capabilities"]["positionEncoding"] == chosen
            c.open("a.ck", text)
            assert "größe: int64 = 1" in c.hover("a.ck", "x[0] = grö|ße")
            found = c.at("definition", "a.ck", "x[0] = grö|ße")
            assert found["range"]["start"] == c.place("a.ck", "|größe = wert")
            assert c.span("a.ck", found["range"]) == "größe"
            inside = c.place("a.ck", '"|🙂"')
            inside["character"] += 1  # inside the character
            assert c.at("definition", "a.ck", inside) is None


def test_clients_that_can_little(t):
    """Plain text, a flat outline, and labels in the message."""
    with Client(t.layout) as c:
        c.initialize(capabilities={})
        c.open("a.ck", "@kernel\ndef k(x: float32[:]):\n    if x[0] > 0:\n        y = 1\n    x[0] = y\n")
        assert c.hover("a.ck", "|y = 1") == "y: int64\n\nlocal variable"
        (d,) = c.diagnostics("a.ck")
        assert d["code"] == "maybe-unset" and "relatedInformation" not in d
        assert re.search(r"\nline 3: not set .*\nhelp: set `y` before", d["message"]), d
        (item,) = c.request("textDocument/documentSymbol", {"textDocument": {"uri": c.uri("a.ck")}})
        assert item["location"]["uri"] == c.uri("a.ck") and item["name"] == "k"


def test_options(t):
    """warningsOff, and a delay after changes."""
    text = "@kernel\ndef k(x: float32[:]):\n    y = 1\n"
    with Client(t.layout) as c:
        c.initialize()
        c.open("a.ck", text)
        assert [d["code"] for d in c.diagnostics("a.ck")] == ["unused-name"]
        assert c.diagnostics("a.ck")[0]["tags"] == [1]
    with Client(t.layout) as c:
        c.initialize(options={"warningsOff": ["unused-name", "no-such", 5], "delay": 300})
        c.open("a.ck", text)
        assert c.diagnostics("a.ck") == []
        for i in range(5):
            c.change("a.ck", text.replace("float32", f"floa{i}"))
        assert [d["code"] for d in c.diagnostics("a.ck")]
        published = [m["params"]["version"] for m in c.notifications if m.get("method", "").endswith("Diagnostics")]
        assert published == [1, 6], published


def test_command_line(t):
    if not t.ck_lsp.exists():
        t.skip("there is no ck-lsp")
    version = t.ok([t.ckc, "--version"]).out.split()[1]
    assert t.ok([t.ck_lsp, "--version"]).out == f"ck-lsp {version}\n"
    assert "usage: ck-lsp" in t.ok([t.ck_lsp, "--help"]).out
    man = t.write("ck-lsp.1", t.ok([t.ck_lsp, "--help=man"]).out)
    if shutil.which("man"):
        shown = t.ok(["man", "--warnings", "-l", man], env={"MANPAGER": "cat", "PAGER": "cat"})
        assert "language server for GPU kernels" in shown.out and not shown.err, shown
    t.fails([t.ck_lsp, "--port=1"], 2, "unknown argument `--port=1`")
    assert t.run([t.ck_lsp, "--stdio"], input="").rc == 1
