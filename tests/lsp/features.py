"""ck-lsp's answers: completion, renaming, types while a line is written, host code around kernels;
and where names are, compared with Python's own scopes."""

import ast
import random
import re
import symtable

from harness.lsp import Client, ServerError

KERNELS = """from numba import cuda, float32, void
import numpy as np
import math as m

SIZE = 64

@cuda.jit(device=True)
def twice(value, factor=2):
    return value * factor

@cuda.jit(void(float32[::1], float32))
def work(x, scale):
    i = cuda.grid(1)
    g = cuda.cg.this_grid()
    y = twice(x[i], factor=SIZE) * scale
    g.sync()
    x[i] = y

def main():
    x = np.zeros(SIZE, np.float32)
    work[1, SIZE](x, 2.0)
    print(x)

if __name__ == "__main__":
    main()
"""


def opened(c, name="a.ck", text=KERNELS):
    c.initialize()
    c.open(name, text)
    return c


# --- Completion ---

def test_completion_of_names(t):
    """The function's own names, those of the module, built-ins, types and keywords, each once."""
    with Client(t.layout) as c:
        opened(c)
        items = c.at("completion", "a.ck", "    |y = twice")
        labels = [item["label"] for item in items]
        assert len(labels) == len(set(labels))
        found = {item["label"]: item for item in items}
        for name in ("i", "g", "x", "scale", "SIZE", "twice", "work", "m", "syncthreads", "threadIdx", "float32", "for",
                     "range", "cuda"):
            assert name in found, name
        for name in ("value", "factor", "sync", "_warp_full"):
            assert name not in found, name
        assert found["scale"]["detail"] == "float32"
        assert found["twice"]["detail"] == "twice(value: float32, factor: int64 = 2) -> float32"
        assert "waits for every thread of the block" in found["syncthreads"]["documentation"]["value"]
        module = c.completion("a.ck", "|SIZE = 64")
        assert "work" in module and "scale" not in module
        ranks = [item["sortText"][0] for item in items if item["label"] in ("i", "syncthreads", "for")]
        assert ranks == ["0", "1", "2"]


def test_completion_below_a_function(t):
    """A new line that is indented belongs to the function above it."""
    with Client(t.layout) as c:
        opened(c, text="@kernel\ndef k(x: float32[:]):\n    i = grid(1)\n    x[i] = 1\n    \n\n\n")
        assert {"x", "i", "k"} <= set(c.completion("a.ck", {"line": 4, "character": 4}))
        assert "i" not in c.completion("a.ck", {"line": 6, "character": 0})


def test_completion_after_dots(t):
    """By the object's type, whatever else the line holds, and where the text is not finished."""
    cases = [("x.|", "shape"), ("g.|", "sync"), ("cuda.|", "syncthreads"), ("cuda.atomic.|", "add"),
             ("cuda.threadIdx.|", "x"), ("np.|", "less"), ("m.|", "sqrt"), ("y = foo(3, x.|", "shape"),
             ("if g.|", "sync"), ("x[i] = g.|)) + ", "sync"), ("cuda.cg.this_thread_block().|", "sync"),
             ("b = cuda.cg.this_thread_block().tiled_partition(32).|", "shfl"), ("x[3:].|", "shape"),
             ("cuda.cg.|", "this_grid"), ("z = -x.|", "size")]
    with Client(t.layout) as c:
        opened(c)
        for typed, wanted in cases:
            before, _, after = typed.partition("|")
            c.change("a.ck", KERNELS.replace("    g.sync()\n", f"    {before}{after}\n"))
            line = c.texts["a.ck"][:c.texts["a.ck"].index(f"    {before}{after}\n")].count("\n")
            found = c.completion("a.ck", {"line": line, "character": 4 + len(before)})
            assert wanted in found, (typed, list(found)[:10])
            assert "for" not in found and not any(name.startswith("ck_lsp") for name in found)


def test_completion_in_a_header(t):
    """Its block stays where it is."""
    text = "@kernel\ndef k(x: float32[:]):\n    g = this_grid()\n    for i in range(g.):\n        x[i] = 1\n        y = g\n"
    with Client(t.layout) as c:
        opened(c, text=text)
        assert "num_threads" in c.completion("a.ck", "range(g.|)")
        text = text.replace("        y = g\n", "        g.\n")
        c.change("a.ck", text)
        assert "num_threads" in c.completion("a.ck", "        g.|")


def test_nothing_to_complete(t):
    """In comments, strings and numbers, after an unknown object, and where there is none."""
    with Client(t.layout) as c:
        opened(c, text='@kernel\ndef k(x: float32[:]):\n    # x.\n    x[0] = 1.\n    """x."""\n    q.\n    .\n    a = x[0].\n')
        for marked in ("# x.|", "# |x.", "= 1.|\n", '"""x.|"""', '"""|x.', "q.|", "   .|\n", "x[0].|\n"):
            assert not c.completion("a.ck", marked), marked


def test_completion_of_imports(t):
    """Modules part by part, their names, and the keywords between them; over lines too."""
    cases = [("from |", ["numba", "math", "numpy", "ck"]), ("import |", ["numba", "operator"]), ("import math, |", ["cmath"]),
             ("import numba.|", ["cuda", "types"]), ("from numba.cuda.|", ["random", "fp8"]), ("from numba |", ["import"]),
             ("from numba import |", ["cuda", "float32", "njit"]), ("from numba.cuda import gr|", ["grid", "syncthreads", "cg"]),
             ("from numba.cuda import (grid,\n    |", ["threadIdx"]), ("from math import sqrt, |", ["floor", "sin", "pi", "gcd"]),
             ("import numpy |", ["as"]), ("from math import sqrt |", ["as"]), ("from operator import |", ["add", "getitem"]),
             ("from numba.cuda.random import |", ["philox"]), ("from numba.cuda.libdevice import |", ["sinf"]),
             ("from collections import |", ["namedtuple"]), ("from ck import |", ["cuda", "float32"]),
             ("x = 1; from math import |", ["sqrt"]), ("from os import |", []), ("import numpy as |", []),
             ("from math import sqrt as |", []), ("from . import |", []), ("from numba.nothing.|", [])]
    with Client(t.layout) as c:
        opened(c)
        for typed, wanted in cases:
            text = typed[:-1]
            c.change("a.ck", f"{text}\n{KERNELS}")
            lines = text.split("\n")
            found = c.completion("a.ck", {"line": len(lines) - 1, "character": len(lines[-1])})
            assert set(wanted) <= set(found) and bool(found) == bool(wanted), (typed, list(found)[:20])
            assert not {"for", "work", "SIZE"} & set(found), typed
        c.change("a.ck", "from numba.cuda import \n" + KERNELS)
        found = {item["label"]: item for item in c.at("completion", "a.ck", {"line": 0, "character": 23})}
        assert len(found) > 200 and found["random"]["kind"] == 9 and found["grid"]["kind"] == 3
        assert "waits for every thread of the block" in found["syncthreads"]["documentation"]["value"]


def test_every_completion_can_be_imported(t):
    with Client(t.layout) as c:
        opened(c)
        c.change("a.ck", "from \n" + KERNELS)
        modules = ["numba.cuda", "numba.types", "numba.cuda.random", "numba.cuda.fp8", "numba.cuda.libdevice", "numba.extending",
                   *c.completion("a.ck", {"line": 0, "character": 5})]
        for module in modules:
            line = f"from {module} import "
            c.change("a.ck", f"{line}\n{KERNELS}")
            names = list(c.completion("a.ck", {"line": 0, "character": len(line)}))
            assert names, module
            imports = "".join(f"from {module} import {name} as a{i}\n" for i, name in enumerate(names))
            uses = "".join(f"    a{i}\n" for i in range(len(names)))
            c.change("a.ck", f"{imports}@kernel\ndef k(x: float32[:]):\n{uses}")
            assert "bad-import-name" not in [d["code"] for d in c.diagnostics("a.ck")], module


# --- Semantic tokens ---

def tokens(c, name, method="full", **more):
    """[(line, text, type, modifiers)] of a document."""
    legend = c.capabilities["semanticTokensProvider"]["legend"]
    data = c.request(f"textDocument/semanticTokens/{method}", {"textDocument": {"uri": c.uri(name)}, **more})["data"]
    lines, found = c.texts[name].split("\n"), []
    line = character = 0
    for down, right, length, kind, modifiers in zip(*[iter(data)] * 5):
        line, character = line + down, right if down else character + right
        units = lines[line].encode("utf-16-le")
        text = units[2 * character:2 * (character + length)].decode("utf-16-le")
        assert length > 0
        found.append((line, text, legend["tokenTypes"][kind],
                      {m for i, m in enumerate(legend["tokenModifiers"]) if modifiers >> i & 1}))
    return found


def test_semantic_tokens(t):
    with Client(t.layout) as c:
        opened(c)
        found = tokens(c, "a.ck")
        first = {}
        for _, text, kind, modifiers in found:
            first.setdefault(text, (kind, modifiers))
        library = {"defaultLibrary"}
        assert first["SIZE"] == ("variable", {"declaration", "readonly"})
        assert first["twice"] == ("function", {"declaration"}) and first["value"] == ("parameter", {"declaration"})
        assert first["x"] == ("parameter", {"declaration"}) and first["i"] == ("variable", {"declaration"})
        assert first["grid"] == ("function", library) and first["sync"] == ("method", library)
        assert first["cg"][0] == "namespace"
        assert [(text, kind, m) for line, text, kind, m in found if line == 14] == [
            ("y", "variable", {"declaration"}), ("twice", "function", set()), ("x", "parameter", set()), ("i", "variable", set()),
            ("factor", "parameter", set()), ("SIZE", "variable", {"readonly"}), ("scale", "parameter", set())]
        lines = {"start": {"line": 14, "character": 0}, "end": {"line": 15, "character": 0}}
        assert tokens(c, "a.ck", "range", range=lines) == [token for token in found if token[0] == 14]
        assert {line for line, *_ in found} >= {19, 20, 24}  # host code


def test_semantic_tokens_of_attributes_and_strings(t):
    """A keyword argument of a built-in is none; names in f-strings are; positions are in UTF-16."""
    with Client(t.layout) as c:
        opened(c, text="@kernel\ndef k(x: float32[:]):\n    a = '\U0001f600'; b = x.shape[0] + threadIdx.x\n    s = shared.array(4, dtype=float32)\n"
                       "    print(f'{b} {x}', b)\n    s[0] = b = \n")
        found = [(line, text, kind) for line, text, kind, _ in tokens(c, "a.ck")]
        c.change("a.ck", c.texts["a.ck"].replace(" = \n", "\n"))
        found = [(line, text, kind) for line, text, kind, _ in tokens(c, "a.ck")]
        for row in [(2, "b", "variable"), (2, "shape", "property"), (2, "threadIdx", "property"), (3, "shared", "namespace"),
                    (3, "array", "function"), (3, "float32", "type"), (4, "b", "variable"), (4, "x", "parameter")]:
            assert row in found, (row, found)
        assert [text for line, text, _ in found if line == 4] == ["print", "b", "x", "b"] or \
               [text for line, text, _ in found if line == 4] == ["b", "x", "b"], found
        assert "dtype" not in [text for _, text, _ in found]
        c.change("a.ck", "")
        assert tokens(c, "a.ck") == []


# --- Renaming ---

def renamed(c, name, marked, new):
    """The text after a rename."""
    edits = c.at("rename", name, marked, newName=new)["changes"][c.uri(name)]
    text = c.texts[name]
    for edit in sorted(edits, key=lambda e: -c.offset(name, e["range"]["start"])):
        start, end = (c.offset(name, edit["range"][key]) for key in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    return text


def words(old, new, text):
    return re.sub(rf"\b{old}\b", new, text)


def test_rename(t):
    with Client(t.layout) as c:
        opened(c)
        kernel = KERNELS.index("def work")
        assert renamed(c, "a.ck", "    |y = twice", "value") == words("y", "value", KERNELS)
        assert renamed(c, "a.ck", "return value * fac|tor", "by") == words("factor", "by", KERNELS)
        assert renamed(c, "a.ck", "def wo|rk", "job") == words("work", "job", KERNELS)
        assert renamed(c, "a.ck", "SI|ZE = 64", "N") == words("SIZE", "N", KERNELS)
        only = KERNELS[:kernel] + words("scale", "alpha", KERNELS[kernel:])
        assert renamed(c, "a.ck", "sca|le):", "alpha") == only
        assert renamed(c, "a.ck", "def wo|rk", "work") == KERNELS
        prepared = c.at("prepareRename", "a.ck", "def wo|rk")
        assert prepared["placeholder"] == "work" and c.span("a.ck", prepared["range"]) == "work"


def test_renaming_that_is_refused(t):
    with Client(t.layout) as c:
        opened(c)
        for marked, new, why in [
                ("cuda.gr|id(1)", "x", "only names that the program binds"),
                ("    g.sy|nc", "x", "only names that the program binds"),
                ("import num|py", "x", "only names that the program binds"),
                ("np.zer|os", "x", "only names that the program binds"),
                ("= |64", "x", "only names that the program binds"),
                ("import numpy as n|p", "x", "is imported"),
                ("from numba import cu|da", "x", "is imported"),
                ("    |y = twice", "for", "is not a name"),
                ("    |y = twice", "1x", "is not a name"),
                ("    |y = twice", "a b", "is not a name"),
                ("    |y = twice", "", "is not a name"),
                ("    |y = twice", "a\n", "is not a name"),
                ("    |y = twice", "i", "means something else in line 13"),
                ("    |y = twice", "SIZE", "means something else in line 15"),
                ("    |y = twice", "cuda", "means something else in line 13"),
                ("def wo|rk", "twice", "means something else in line 8"),
                ("SI|ZE = 64", "x", "means something else in line 12")]:
            try:
                c.at("rename", "a.ck", marked, newName=new)
            except ServerError as error:
                assert error.code == -32803 and why in error.message, (marked, new, error)
                continue
            raise AssertionError((marked, new))


def test_renaming_beside_host_code(t):
    """Host code that uses the name is changed; where it may bind the name, nothing is."""
    head = "N = 4\n@kernel\ndef k(x: int32[:]):\n    x[0] = N\n"
    for host, good in [("print(N, other.N, f(N=1), [N for i in y])\n", True), ("x[N].a = N\n", True),
                       ("with a(N) as b:\n    c = N + 1\n", True), ("class C:\n    def f(self):\n        return N\n", True),
                       ("class C:\n    def f(self, N):\n        return N\n", False),
                       ("class C:\n    N = 1\n", False), ("class C:\n    a, N = 1, 2\n", False),
                       ("class C:\n    def f(self):\n        for N in y: pass\n", False),
                       ('@kernel\ndef f():\n    print("" f"{N + 1:>5} is N, or " f"{N}")\n'.replace(" is N", " is"), True),
                       ("class C:\n    f = lambda N: N\n", False), ('print(f"{N}")\n', False),
                       ("class C:\n    def f(self):\n        with g() as N: pass\n", False)]:
        with Client(t.layout) as c:
            opened(c, text=head + host)
            if good:
                after = renamed(c, "a.ck", "|N = 4", "M")
                wanted = re.sub(r"(?<!\.)\bN\b(?!=)", "M", head + host)
                assert after == wanted, (after, wanted)
                continue
            try:
                c.at("rename", "a.ck", "|N = 4", newName="M")
            except ServerError as error:
                assert "host code in line" in error.message, error
                continue
            raise AssertionError(host)


# --- Help while writing ---

def test_signature_help(t):
    with Client(t.layout) as c:
        opened(c)
        help_ = c.at("signatureHelp", "a.ck", "twice(x[i], |")
        assert help_["activeParameter"] == 1
        (signature,) = help_["signatures"]
        assert signature["label"] == "def twice(value: float32, factor: int64 = 2) -> float32"
        assert [p["label"] for p in signature["parameters"]] == ["value: float32", "factor: int64 = 2"]
        assert all(p["label"] in signature["label"] for p in signature["parameters"])
        assert c.at("signatureHelp", "a.ck", "twice(x[|i]")["activeParameter"] == 0
        assert c.at("signatureHelp", "a.ck", "    |y = twice") is None
        c.change("a.ck", KERNELS.replace("    x[i] = y\n", "    x[i] = np.less(y,\n"))
        help_ = c.at("signatureHelp", "a.ck", "np.less(y,|")
        assert help_["signatures"][0]["label"] == "np.less(x1, x2)" and help_["activeParameter"] == 1


def hints(c, name):
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
    answer = c.request("textDocument/inlayHint", {"textDocument": {"uri": c.uri(name)}, "range": whole})
    return {(h["position"]["line"], h["position"]["character"]): h["label"] for h in answer}


def test_types_while_a_function_cannot_be_read(t):
    """They are those of the text before; a name that is new has none."""
    with Client(t.layout) as c:
        opened(c)
        before = hints(c, "a.ck")
        assert before
        c.change("a.ck", KERNELS.replace("    x[i] = y\n", "    x[i] = = y +\n    new = )\n"))
        assert [d["code"] for d in c.diagnostics("a.ck")] == ["syntax", "syntax"]
        after = hints(c, "a.ck")
        assert {k: v for k, v in after.items() if k[0] > 10} == {k: v for k, v in before.items() if k[0] > 10}
        assert "y: float32" in c.hover("a.ck", "    |y = twice")
        assert "sync" in c.completion("a.ck", "    g.|sync()")


def test_quick_fixes(t):
    """A text that replaces what is wrong, only where there is one."""
    text = ("@cuda.jit(void(float32[:]), fastmth=True)\ndef k(x):\n    x[0] = sqtr(x.shpe[0]) + f(valeu=1) + np.sgn(1.0)\n"
            "    g = this_grid()\n    g.snyc()\n    x[1] = qqqqqqq\n\n@cuda.jit(device=True)\ndef f(value):\n    return value\n")
    with Client(t.layout) as c:
        opened(c, text=text)
        for marked, wanted in [("fast|mth", "fastmath"), ("sq|tr", "sqrt"), ("sh|pe", "shape"), ("val|eu", "value"),
                               ("np.s|gn", "np.sign"), ("g.sn|yc", "sync"), ("qqq|qqqq", None), ("g = this|_grid", None)]:
            at = c.place("a.ck", marked)
            actions = c.request("textDocument/codeAction", {"textDocument": {"uri": c.uri("a.ck")},
                                                            "range": {"start": at, "end": at}, "context": {"diagnostics": []}})
            new = [a["edit"]["changes"][c.uri("a.ck")][0]["newText"] for a in actions]
            assert new == ([wanted] if wanted else []), (marked, new, c.diagnostics("a.ck"))


# --- Python files ---

def test_python_files(t):
    """One without kernels is none of the server's business; one with them has their diagnostics."""
    with Client(t.layout) as c:
        opened(c, "a.py", "import os\n\ndef f(x):\n    return f'{x!r:>10}' if (y := x) else os.path\n\nx = 0777\n")
        assert c.diagnostics("a.py") == []
        c.open("b.py", "from ck import cuda, float32\n\n@cuda.jit('void(float32[:])')\ndef k(x):\n    x[0] = nothing\n\n"
                       "def main():\n    with open('x') as f:\n        k[1, 1](f.read())\n")
        assert [d["code"] for d in c.diagnostics("b.py")] == ["unknown-name"]
        assert "x: float32[:]" in c.hover("b.py", "    |x[0]")
        assert [c.span("b.py", h["range"]) for h in c.at("references", "b.py", "def |k", context={"includeDeclaration": False})] == ["k"]


# --- Python's scopes ---

class Places(ast.NodeVisitor):
    """{(line, character): where the name of this place belongs}, by Python's symbol tables."""

    def __init__(self, text):
        self.lines = text.split("\n")
        self.places = {}
        self.outside = set()  # of functions
        self.starred = set()  # owners of star parameters, which the tree does not have
        self.tables = [symtable.symtable(text, "text", "exec")]
        self.children = [list(self.tables[0].get_children())]
        self.visit(ast.parse(text))

    def add(self, node, name):
        line = self.lines[node.lineno - 1].encode()[:node.col_offset].decode()
        owner = 0
        for depth in range(len(self.tables) - 1, 0, -1):
            symbol = self.tables[depth].lookup(name) if name in self.tables[depth].get_identifiers() else None
            if symbol and symbol.is_local():
                owner = self.tables[depth].get_id()
                break
        self.places[node.lineno - 1, len(line)] = (owner, name)
        if len(self.tables) == 1:
            self.outside.add((node.lineno - 1, len(line)))

    def enter(self, node, name, args, body):
        table = next(t for t in self.children[-1] if t.get_name() == name)
        self.children[-1].remove(table)
        self.tables.append(table)
        self.children.append(list(table.get_children()))
        for arg in [*args.posonlyargs, *args.args, *args.kwonlyargs]:
            self.add(arg, arg.arg)
        self.starred |= {(table.get_id(), arg.arg) for arg in (args.vararg, args.kwarg) if arg}
        for part in body:
            self.visit(part)
        self.tables.pop()
        self.children.pop()

    def visit_function(self, node):
        for part in [*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d), node.returns,
                     *(a.annotation for a in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs])]:
            if part:
                self.visit(part)
        self.enter(node, node.name, node.args, node.body)

    visit_FunctionDef = visit_function

    def visit_Lambda(self, node):
        for part in node.args.defaults:
            self.visit(part)
        self.enter(node, "lambda", node.args, [node.body])

    def visit_ClassDef(self, node):
        """Left out: its names have a scope of their own."""

    def visit_JoinedStr(self, node):
        """Left out: what formatted strings hold is not read."""

    def visit_Name(self, node):
        self.add(node, node.id)


def check_scopes(c, name, text):
    """Each name has the places of Python's symbol tables; in host code it may have fewer."""
    python = Places(text)
    places = python.places
    groups = {}
    for at, owner in places.items():
        groups.setdefault(owner, set()).add(at)
    checked = 0
    for owner, wanted in groups.items():
        line, character = min(wanted)
        found = c.at("documentHighlight", name, {"line": line, "character": character})
        if found is None:  # a built-in
            assert owner[0] == 0 or owner in python.starred, (name, owner)
            continue
        got = {(h["range"]["start"]["line"], h["range"]["start"]["character"]) for h in found}
        wrong = ((got & set(places)) ^ wanted) - (python.outside - got)
        assert not wrong, (name, owner, wrong)
        checked += 1
    return checked


def test_scopes_are_pythons(t):
    """Of the examples and run tests."""
    rng = random.Random(t.seed)
    tests = t.layout.tests
    paths = rng.sample(sorted([*tests.glob("run/**/*.ck"), *t.examples.glob("*.ck")]), 40)
    # They have all that host code may have, and imports in functions, which are errors.
    paths = [path for path in paths if path.name not in ("whole_file.ck", "local_imports.ck")]
    checked = 0
    with Client(t.layout) as c:
        c.initialize(options={"delay": 100000})
        for path in paths:
            text = path.read_text()
            try:
                ast.parse(text)
            except SyntaxError:
                continue
            c.open(path.name, text)
            checked += check_scopes(c, path.name, text)
            c.close(path.name)
    assert checked > 100
