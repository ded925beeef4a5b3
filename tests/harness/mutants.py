"""Mutants of valid input: sources, command lines, files and editors' messages with pieces deleted,
doubled, swapped or replaced. A tool takes a mutant or refuses it with a message that has its place:
it never crashes, hangs, or is reported by a sanitizer.

KINDS has a class for each kind of input. Its `fault(seed)` makes the mutant of a seed, runs a tool
on it and returns what is wrong as a text, or None; `keep(folder)` writes the mutant there.
"""

import copy
import io
import json
import os
import random
import re
import shlex

import numpy as np

from . import png
from .core import Failure
from .lsp import Client, frame
from .mutations import changed_bytes, changed_tokens, mutant_of
from .process import ENVIRONMENT, run
from .programs import Program

SECONDS = 20  # for one mutant; more with a sanitizer
MOST_OF_A_TEXT = 20000  # bytes, so that a message fits into a pipe
MOST_MEGABYTES = 2000  # of one allocation of a sanitised program: more of them fail
REFUSED = re.compile(r"^[^\n]*:\d+:\d+: error: [^\n]+ \[[a-z0-9-]+\]$", re.M)
KERNELS = """
@kernel
def scale(x, y):
    for i in range(grid(1), min(len(x), len(y)), gridsize(1)):
        y[i] = 2 * x[i]

@kernel
def total(a: float32, n: int32, x: float32[:], m: int32[:, ::1], out: float32[::1]):
    for i in range(min(n, len(x))):
        out[0] += a * x[i]
    for j in range(m.shape[1]):
        out[0] += float32(m[0, j])
"""


class Mutants:
    """Of one kind of input; `folder` is scratch space of its own."""

    may_be = (0, 1)  # exit statuses

    def __init__(self, layout, folder):
        self.layout = layout
        self.folder = folder
        self.argv = []
        self.prepare()

    def prepare(self):
        """Makes what mutants are made of."""

    def run(self, argv, env=None):
        self.argv = [str(word) for word in argv]
        options = f"{ENVIRONMENT['ASAN_OPTIONS']}:allocator_may_return_null=1:max_allocation_size_mb={MOST_MEGABYTES}"
        return run(argv, SECONDS * self.layout.patience, cwd=self.folder, env={"ASAN_OPTIONS": options, **(env or {})})

    def fault(self, seed):
        """What is wrong with what the tool does about the mutant of a seed; None: nothing."""
        try:
            fault = self.attempt(random.Random(seed))
        except Failure as failure:
            fault = str(failure)
        return fault and fault.encode("utf-8", "backslashreplace").decode()

    def check(self, result, *places):
        """The fault of a result: a status that is not one of bad input, or a failure without a
        message that has one of the places (texts or patterns)."""
        if result.rc not in self.may_be:
            return f"exit status {result.rc}\n{result}"
        found = any(place.search(result.err) if isinstance(place, re.Pattern) else place in result.err
                    for place in places)
        return f"a message without a place\n{result}" if result.rc and not found else None

    def keep(self, folder):
        """Copies the last mutant and the command on it to a folder."""
        for path in sorted(self.folder.iterdir()):
            if path.is_file():
                (folder / path.name).write_bytes(path.read_bytes())
        (folder / "command").write_bytes(os.fsencode(shlex.join(self.argv) + "\n"))


def sources(layout):
    """The tests' and examples' texts."""
    folders = (layout.examples, layout.tests, layout.root / "bench" / "checks")
    paths = [path for folder in folders for path in folder.rglob("*.ck")]
    return [path.read_bytes() for path in sorted(paths)]


class Source(Mutants):
    """Texts of ck, for ckc."""

    OPTIONS = [["--check"], ["--emit=ptx", "-arch=sm_90"], ["--emit=ptx", "-arch=sm_75", "-lineinfo"], ["--emit=llvm"],
               ["--emit=c", "-o", "out.c"], ["--emit=llvm", "-arch=host"], ["--emit=types"], ["--emit=ast"], ["--emit=manifest", "-arch=sm_80"],
               ["--check", "--diagnostics=json"], ["--check", "--diagnostics=sarif"]]

    def prepare(self):
        self.texts = sources(self.layout)

    def attempt(self, rng):
        path = self.folder / "mutant.ck"
        path.write_bytes(mutant_of(rng, rng.choice(self.texts), rng.choice(self.texts)))
        options = rng.choice(self.OPTIONS)
        result = self.run([self.layout.ckc, "-o", "out", *options, path.name])
        # What an architecture lacks is found while code is made: `ckc: error: ` and the place.
        return self.check(result, REFUSED, '"mutant.ck"', "ckc: error: kernel `", "ckc: error: `mutant.ck`",
                          re.compile(r"^ckc: error: mutant\.ck:\d+:\d+: ", re.M))


class Run(Mutants):
    """Random kernels whose mutants run, under all checks: they may fail, or never end."""

    MOST_SECONDS = 10
    may_be = (0, 1, 2, 124)  # 124: of `timeout`

    def prepare(self):
        self.texts = sources(self.layout)

    def attempt(self, rng):
        program = Program(rng.randrange(10 ** 9))
        (self.folder / "mutant.ck").write_bytes(mutant_of(rng, program.source().encode(), rng.choice(self.texts)))
        words = [f"n={program.n}"]
        for name, array in program.arrays.items():
            np.save(self.folder / f"{name}.npy", array)
            words.append(f"{name}=@{name}.npy")
        result = self.run(["timeout", self.MOST_SECONDS, self.layout.ckrun, "--device", "cpu", "--check",
                           "--schedule", rng.choice(("seq", "reverse", "random:1")), "mutant.ck", program.launch, *words])
        if "outside its arrays" in result.err:
            return f"an access that --check does not see\n{result}"
        return self.check(result, REFUSED, "ckrun: error: ", re.compile("^", re.M) if result.rc == 124 else REFUSED)


class Words(Mutants):
    """Launches, values and expectations on the command line of ckrun."""

    may_be = (0, 1, 2)
    WORDS = [
        ["x=arange(12, dtype=float32).reshape(3, 4)", "y=x[1:, ::-1].T", "z=(x + 1) @ x.T", "--print", "z"],
        ["p=array([(1, 2.5), (3, 4)], record(x=int32, y=float32))", "s=p.y.sum() * 2", "--print", "s"],
        ["q=zeros((2, 3), dtype([('x', float32), ('y', 'i4')]))", "v=q['x'][0, :]", "--print", "q"],
        ["u=uniform((5,), float32, low=-1, high=1, seed=3)", "w=where(u < 0, -u, sqrt(u))", "--print", "w"],
        ["r=randint(0, 10, (4, 4), int8, seed=1)", "t=(r % 3 == 1) & (r // 2 >= 1)", "--print", "t"],
        ["scale[2, 32](x, y)", "x=linspace(0, 1, 50)", "y=zeros_like(x)", "--expect", "y=2 * x", "--print", "y"],
        ["scale[(x.size + 31) // 32, (32, 1, 1), 0, 16](x[::2], y)", "x=ones(64, int32)", "y=zeros(32, int64)"],
        ["repeat 3: scale[1, 8](x, y); scale[1, 8](y, x)", "x=ones(8, float32)", "y=x.copy()", "--print", "x"],
        ["until abs(x).max() > 100: repeat 2: scale[1, 8](x, y); scale[1, 8](y, x)", "x=ones(8)", "y=zeros(8)"],
        ["total[max, 1](2.5, n=len(x), x=x, m=m, out=out)", "x=ones(4, float32)", "m=full((1, 3), 7, int32)",
         "out=zeros(1, float32)", "--expect", "out=2.5 * x.sum() + 21", "--json", "--print", "out"],
        ["c=complex64(1, -2j)", "d=array([1j, 2, nan])", "e=(c, d.T, (1, inf))", "--print", "e"],
        ["d=datetime64('2020-05-06T07', 's')", "t=full(3, timedelta64(5, 'ms'))", "q=zeros(2, 'M8[D]')", "--print", "q"],
        ["g=create_xoroshiro128p_states(3, seed=5)", "--print", "g", "--max-blocks", "total[_, 64]", "--list"],
    ]
    # What would take the machine's memory or time to compute.
    HUGE = re.compile(r"\d{6,}|\*\*|<<|\de\d\d|@file|repeat [^:]*\d{3,}|[!]")

    def prepare(self):
        (self.folder / "k.ck").write_text(KERNELS)

    def attempt(self, rng):
        words = list(rng.choice(self.WORDS))
        for _ in range(rng.choice((1, 1, 2))):
            at = rng.randrange(len(words))
            other = rng.choice(rng.choice(self.WORDS)).encode()
            words[at] = os.fsdecode(changed_tokens(rng, os.fsencode(words[at]), other).replace(b"\0", b""))
        words = [word for word in words if not self.HUGE.search(word)]
        result = self.run([self.layout.ckrun, "--device", "cpu", "--check", "k.ck", *words])
        return self.check(result, "ckrun: error: ", REFUSED)


class Files(Mutants):
    """Files of arrays and images, for ckrun."""

    def prepare(self):
        (self.folder / "k.ck").write_text(KERNELS)
        rng = np.random.default_rng(1)
        arrays = [rng.integers(0, 100, shape).astype(dtype)
                  for shape, dtype in (((), "<f4"), ((3,), "?"), ((2, 5), ">i2"), ((4, 3, 2), "<c16"), ((0, 3), "<f2"))]
        arrays.append(np.zeros(3, np.dtype([("x", "<f4"), ("p", "<i4", (2, 3)), ("q", [("r", "u1")])], align=True)))
        arrays.append(np.asfortranarray(arrays[2]))
        arrays.append(np.array(["2020-05-06", "NaT"], "M8[D]"))
        arrays.append(np.zeros(3, [("t", "<m8[ms]"), ("d", "<M8[as]", (2,))]))
        self.files = [("m.npy", self.npy(array)) for array in arrays]
        self.files += [("m.npz", self.npz(arrays[:3], save)) for save in (np.savez, np.savez_compressed)]
        for color, depth, interlaced in ((png.GRAY, 1, False), (png.RGB, 8, True), (png.PALETTE, 4, False), (png.RGB_ALPHA, 16, True)):
            samples = rng.integers(0, 2 ** depth, (5, 7, png.CHANNELS[color]))
            before = png.chunk(b"PLTE", bytes(48)) if color == png.PALETTE else b""
            self.files.append(("m.png", png.encode(samples, color, depth, interlaced, before=before)))
        self.files.append(("m.csv", b"1,2.5,-3e4\n0x10,nan,inf\n7,8,9\n"))
        self.files.append(("m.csv", b"1.5\n2\n\n3\n"))

    def npy(self, array):
        out = io.BytesIO()
        np.lib.format.write_array(out, array)
        return out.getvalue()

    def npz(self, arrays, save):
        out = io.BytesIO()
        save(out, **{f"a{i}": array for i, array in enumerate(arrays)})
        return out.getvalue()

    def attempt(self, rng):
        name, data = rng.choice(self.files)
        _, other = rng.choice(self.files)
        is_text = name.endswith(".csv")
        data = changed_tokens(rng, data, other) if is_text or rng.randrange(4) == 0 else changed_bytes(rng, data)
        if name == "m.png" and rng.randrange(4):
            data = self.with_checksums(data)
        (self.folder / name).write_bytes(data)
        value = f"x=@{name}:a1" if name == "m.npz" else f"x=@{name}"
        result = self.run([self.layout.ckrun, "--device", "cpu", "k.ck", value, "--print", "x", "--save", "x=out.npy"])
        return self.check(result, re.compile(f"ckrun: error: .*{name}"))

    def with_checksums(self, data):
        """The image with right checksums, so that what is wrong reaches the decoder."""
        out, at = data[:8], 8
        while at + 12 <= len(data):
            length = int.from_bytes(data[at:at + 4], "big")
            if at + 12 + length > len(data):
                break
            out += png.chunk(data[at + 4:at + 8], data[at + 8:at + 8 + length])
            at += 12 + length
        return out + data[at:]


class Ptx(Mutants):
    """PTX with its manifest, for ckrun: on the fake driver, which takes any code."""

    may_be = (0, 1, 3)  # 3: an entry that the code does not have

    SOURCE = """
SCALE = const.array(3, int32)
VALUES = device_array((2, 3), float32)
P = record(x=int32, y=float32)

@kernel
def typed(a: float32, x: float32[:], m: int32[:, ::1], p: P[:]):
    s = shared.array(32, float32)
    s[threadIdx.x] = a
    syncthreads()
    m[0, 0] = SCALE[0]
    VALUES[1, 1] = s[31]
    p[0].x = 1

@kernel
def whole(x: float32[::1]):
    g = this_grid()
    g.sync()
    x[0] = 1
"""

    def prepare(self):
        (self.folder / "k.ck").write_text(self.SOURCE)
        made = self.run([self.layout.ckc, "-arch=sm_90", "k.ck", "-o", "whole.ptx"])
        assert made.rc == 0, made
        self.text = (self.folder / "whole.ptx").read_bytes()

    def attempt(self, rng):
        # Most mutants change the manifest: the rest is the driver's to read.
        text = self.with_manifest(rng) if rng.randrange(4) else mutant_of(rng, self.text, self.text)
        (self.folder / "mutant.ptx").write_bytes(text)
        words = ["--list"] if rng.randrange(2) else \
            ["typed[1, 32](2, x, m, p)", "whole[1, 1](x)", "x=ones(3, float32)", "m=ones((2, 2), int32)",
             "p=zeros(3, record(x=int32, y=float32))", "--print", "x", "--usage"]
        env = {"LD_LIBRARY_PATH": str(self.layout.fake_cuda)}
        result = self.run([self.layout.ckrun, "mutant.ptx", *words], env)
        return self.check(result, "ckrun: error: ")

    def with_manifest(self, rng):
        """The PTX with a mutant of its manifest, which is an array of words in it."""
        head, words, tail = re.split(rb"(?<=ck_manifest)(\[\d+\] = \{[^}]*\})", self.text)
        manifest = b"".join(int(word, 16).to_bytes(8, "little") for word in re.findall(rb"0x[0-9a-f]+", words))
        manifest = mutant_of(rng, manifest.rstrip(b"\0"), manifest)
        manifest += bytes(-len(manifest) % 8)
        changed = [b"0x%016x" % int.from_bytes(manifest[i:i + 8], "little") for i in range(0, len(manifest), 8)]
        return head + b"[%d] = {%s}" % (len(changed), b", ".join(changed)) + tail


class Cache(Mutants):
    """What the cache keeps: a damaged entry is made again."""

    def prepare(self):
        (self.folder / "k.ck").write_text(KERNELS)
        self.env = {"CK_CACHE_DIR": str(self.folder / "cache")}
        self.words = ["--device", "cpu", "k.ck", "scale[1, 32](x, y)", "x=ones(5, float32)",
                      "y=zeros(5, float32)", "--print", "y"]
        self.out = self.run([self.layout.ckrun, *self.words], self.env).out
        self.entries = {path: path.read_bytes() for path in (self.folder / "cache").rglob("*") if path.is_file()}

    def attempt(self, rng):
        path = rng.choice(sorted(self.entries))
        for other, data in self.entries.items():
            other.write_bytes(data)
        path.write_bytes(changed_bytes(rng, self.entries[path]))
        result = self.run([self.layout.ckrun, *self.words], self.env)
        return f"another result\n{result}" if (result.rc, result.out) != (0, self.out) else None


class Messages(Mutants):
    """Messages of an editor, for ck-lsp: some dozens of a session, of which each may be changed."""

    REQUESTS = ["hover", "definition", "references", "completion", "signatureHelp", "documentSymbol", "rename",
                "prepareRename", "documentHighlight", "inlayHint", "semanticTokens/full", "codeAction", "foldingRange",
                "selectionRange", "formatting", "semanticTokens/range", "declaration", "typeDefinition"]

    def prepare(self):
        texts = [text for text in sources(self.layout) if len(text) < MOST_OF_A_TEXT]
        self.texts = [text.decode("utf-8", "replace") for text in texts]

    def attempt(self, rng):
        messages = [self.message(rng) for _ in range(40)]
        data = b"".join(frame(message) for message in messages)
        (self.folder / "messages").write_bytes(data)
        client = Client(self.layout, timeout=SECONDS)
        self.argv = [str(self.layout.ck_lsp)]
        with client as c:
            c.initialize()
            for message in messages:
                c.send_bytes(frame(message))
                while c.receive(wait=0.001):
                    pass
            c.open("last.ck", "@kernel\ndef k(x: int32[:]):\n    x[0] = 1\n")
            if c.diagnostics("last.ck"):
                return "diagnostics of a right text"
            c.shut_down()
        return None

    def message(self, rng):
        uri = f"file:///m{rng.randrange(2)}.ck"
        document = {"uri": uri, "version": rng.randrange(9)}
        place = {"line": rng.randrange(60), "character": rng.randrange(60)}
        ends = {"start": place, "end": {"line": place["line"] + rng.randrange(3), "character": rng.randrange(60)}}
        kind = rng.randrange(4)
        if kind == 0:
            text = mutant_of(rng, rng.choice(self.texts).encode(), rng.choice(self.texts).encode())
            method, params = "textDocument/didOpen", {"textDocument": {**document, "languageId": "ck", "text": text.decode("utf-8", "replace")}}
        elif kind == 1:
            new = rng.choice(rng.choice(self.texts).splitlines() or [""]) + rng.choice(("", "\n", "\r\n", "\r"))
            method, params = "textDocument/didChange", {"textDocument": document, "contentChanges": [{"range": ends, "text": new}]}
        else:
            method = "textDocument/" + rng.choice(self.REQUESTS)
            params = {"textDocument": document, "position": place, "range": ends, "newName": "other", "positions": [place],
                      "context": {"includeDeclaration": True, "diagnostics": []}}
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if kind > 1:
            message["id"] = f"m{rng.randrange(10 ** 6)}"
        if rng.randrange(3) == 0:
            self.damage(rng, message)
        return changed_bytes(rng, json.dumps(message).encode()) if rng.randrange(20) == 0 else message

    def damage(self, rng, message):
        """Replaces, deletes or adds a member of some object in a message."""
        objects, found = [message], [message]
        while objects:
            inner = objects.pop()
            values = list(inner.values()) if isinstance(inner, dict) else inner
            objects += [value for value in values if isinstance(value, (dict, list))]
            found += [value for value in values if isinstance(value, (dict, list))]
        holder = rng.choice([value for value in found if value])
        key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
        if rng.randrange(4) == 0:
            del holder[key]
        else:
            holder[key] = rng.choice((None, True, -1, 2 ** 31, 2 ** 63, 1.5, "", "x" * 1000, "\0", "\ud800", [], {}, [[]],
                                      {"line": -1, "character": 2 ** 32}, "file:///", copy.deepcopy(rng.choice(found))))


KINDS = {"source": Source, "run": Run, "words": Words, "files": Files, "ptx": Ptx, "cache": Cache, "lsp": Messages}
