"""A client of the Language Server Protocol, for tests of ck-lsp."""

import json
import os
import select
import signal
import subprocess
import time

from .core import Failure, Skip
from .process import environment

UTF16, UTF8 = "utf-16", "utf-8"
CAPABILITIES = {
    "general": {"positionEncodings": [UTF16]},
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "completion": {"completionItem": {"documentationFormat": ["markdown"]}},
        "signatureHelp": {"signatureInformation": {"documentationFormat": ["markdown"]}},
    },
}


def frame(content):
    """A message with its header: of bytes as they are, else as JSON."""
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def units(text, encoding):
    return len(text.encode("utf-8")) if encoding == UTF8 else len(text.encode("utf-16-le")) // 2


class ServerError(Exception):
    """An answer with an error."""

    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.code, self.message = error["code"], error["message"]


class Client:
    """A server and the messages to and from it.

    with Client(t.layout) as c:
        c.initialize()
        c.open("a.ck", text)
        c.hover("a.ck", c.place("a.ck", "x = |y"))
    """

    def __init__(self, layout, timeout=30):
        if not layout.ck_lsp.exists():
            raise Skip("there is no ck-lsp: it was built without json-c")
        self.timeout = timeout * layout.patience
        self.process = subprocess.Popen(
            [str(layout.ck_lsp)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment(), start_new_session=True)
        self.buffer = bytearray()
        self.ended = False
        self.next_id = 1
        self.notifications = []
        self.texts = {}
        self.versions = {}
        self.encoding = UTF16

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.process.poll() is None and kind is None:
            self.process.stdin.close()
            try:
                self.process.wait(self.timeout)
            except subprocess.TimeoutExpired:
                pass
        hung = self.process.poll() is None
        if hung:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        err = self.process.stderr.read().decode(errors="replace")
        if kind is None and hung:
            raise Failure("ck-lsp does not end with its input")
        if err:
            raise Failure(f"ck-lsp wrote to standard error, exit status {self.process.returncode}\n{err}")

    # --- Messages ---

    def send_bytes(self, data):
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Failure(f"ck-lsp ended with {self.process.wait()}:\n{self.process.stderr.read().decode()}") from None

    def send(self, message):
        self.send_bytes(frame({"jsonrpc": "2.0", **message}))

    def receive(self, wait=None):
        """The next message; None if none comes in time, or the server ended."""
        deadline = time.monotonic() + (self.timeout if wait is None else wait)
        whole = None  # the bytes of the message with its header
        while True:
            if whole is None and b"\r\n\r\n" in self.buffer:
                head = self.buffer.index(b"\r\n\r\n") + 4
                whole = head + int(self.buffer[:head].split(b":")[1])
            if whole is not None and len(self.buffer) >= whole:
                message, self.buffer = self.buffer[head:whole], self.buffer[whole:]
                return json.loads(message)
            left = deadline - time.monotonic()
            if self.ended or left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                return None
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            self.ended = not data
            self.buffer += data

    def answer(self, ident):
        """The answer to a request; what else comes is kept in `notifications`."""
        while True:
            message = self.receive()
            if message is None:
                raise Failure(f"no answer to request {ident}; exit status {self.process.poll()}\n"
                              f"{self.process.stderr.read().decode() if self.ended else ''}")
            if "method" not in message and message.get("id") == ident:
                return message
            self.notifications.append(message)

    def start(self, method, params=None):
        ident, self.next_id = self.next_id, self.next_id + 1
        self.send({"id": ident, "method": method, **({} if params is None else {"params": params})})
        return ident

    def request(self, method, params=None):
        answer = self.answer(self.start(method, params))
        if "error" in answer:
            raise ServerError(answer["error"])
        return answer["result"]

    def notify(self, method, params=None):
        self.send({"method": method, **({} if params is None else {"params": params})})

    # --- A session ---

    def initialize(self, encodings=(UTF16,), options=None, capabilities=CAPABILITIES):
        capabilities = {**capabilities, "general": {"positionEncodings": list(encodings)}}
        result = self.request("initialize", {"processId": os.getpid(), "rootUri": None,
                                             "capabilities": capabilities,
                                             "initializationOptions": {"delay": 0, **(options or {})}})
        self.capabilities = result["capabilities"]
        self.encoding = self.capabilities["positionEncoding"]
        self.notify("initialized", {})
        return result

    def shut_down(self):
        """Ends the session; the exit status."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(self.timeout)

    def uri(self, name):
        return name if "://" in name else f"file:///work/{name}"

    def open(self, name, text):
        self.texts[name], self.versions[name] = text, 1
        self.notifications = [m for m in self.notifications if m.get("params", {}).get("uri") != self.uri(name)]
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": self.uri(name), "languageId": "python", "version": 1, "text": text}})

    def change(self, name, text):
        """Sends a whole text."""
        self.texts[name] = text
        self.changes(name, [{"text": text}])

    def changes(self, name, changes):
        self.versions[name] += 1
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": self.uri(name), "version": self.versions[name]},
            "contentChanges": changes})

    def edit(self, name, start, end, new):
        """Replaces characters start to end, as a change of a range."""
        text = self.texts[name]
        self.changes(name, [{"range": {"start": self.position(name, start), "end": self.position(name, end)},
                             "text": new}])
        self.texts[name] = text[:start] + new + text[end:]

    def close(self, name):
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(name)}})

    def position(self, name, offset):
        """The Position of a character, by counting anew: lines end with \\n, \\r\\n or \\r."""
        before = self.texts[name][:offset].replace("\r\n", "\n").replace("\r", "\n")
        line = before.rpartition("\n")[2]
        return {"line": before.count("\n"), "character": units(line, self.encoding)}

    def offset(self, name, position):
        """The character that a Position is before."""
        text, at = self.texts[name], 0
        for _ in range(position["line"]):
            while text[at] not in "\r\n":
                at += 1
            at += 2 if text.startswith("\r\n", at) else 1
        start = at
        while units(text[start:at], self.encoding) < position["character"]:
            at += 1
        return at

    def span(self, name, range_):
        """The text of a Range."""
        return self.texts[name][self.offset(name, range_["start"]):self.offset(name, range_["end"])]

    def place(self, name, marked):
        """The Position of the `|` in a piece of the text: "x = |y"."""
        before, _, after = marked.partition("|")
        at = self.texts[name].find(before + after)
        assert at >= 0, f"{name} has no {before + after!r}"
        return self.position(name, at + len(before))

    def diagnostics(self, name):
        """Those published for the current version of a document."""
        uri, wanted = self.uri(name), self.versions[name]
        while True:
            for message in reversed(self.notifications):
                params = message.get("params", {})
                if (message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == uri and
                        params.get("version") == wanted):
                    return params["diagnostics"]
            message = self.receive()
            if message is None:
                raise Failure(f"no diagnostics of {name}, version {wanted}")
            self.notifications.append(message)

    def at(self, method, name, marked, **more):
        """A request about a place: a marked text, or a Position."""
        position = self.place(name, marked) if isinstance(marked, str) else marked
        return self.request(f"textDocument/{method}", {
            "textDocument": {"uri": self.uri(name)}, "position": position, **more})

    def hover(self, name, marked):
        result = self.at("hover", name, marked)
        return result and result["contents"]["value"]

    def completion(self, name, marked):
        """{label: item}"""
        return {item["label"]: item for item in self.at("completion", name, marked) or []}
