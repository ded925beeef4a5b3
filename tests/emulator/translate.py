#!/usr/bin/env python3
"""Makes a shared object of a PTX module, whose kernels the emulated GPU runs (device.c).

  translate.py MODULE.ptx MODULE.so     exit status 1, with a line that says why, if it cannot

A function becomes a C function, an instruction a statement (operations.py), a register a variable
of as many bits, an address the host's own.
"""

import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from operations import Unsupported, statement  # noqa: E402

HERE = Path(__file__).resolve().parent
BYTES = {"b8": 1, "u8": 1, "s8": 1, "b16": 2, "u16": 2, "s16": 2, "f16": 2, "b32": 4, "u32": 4,
         "s32": 4, "f32": 4, "b64": 8, "u64": 8, "s64": 8, "f64": 8}
LONG = 1200  # statements of a function that the C compiler does not optimise, to take less time
SEPARATORS = re.compile(r",(?![^\[{(]*[\]})])")


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)


def c_name(name):
    """Of a symbol or register: none of C's own names."""
    return "".join(c if c.isalnum() or c == "_" else f"_{ord(c):x}_" for c in f"x{name}")


def split_top(text):
    """The module's declarations and functions: (head, body or None)."""
    at, parts = 0, []
    while at < len(text):
        match = re.compile(r"[;{]").search(text, at)
        if not match:
            break
        head = text[at:match.start()].strip()
        if match[0] == ";":
            parts.append((head, None))
            at = match.end()
            continue
        depth, end = 1, match.end()
        while depth:
            brace = re.compile(r"[{}]").search(text, end)
            depth += 1 if brace[0] == "{" else -1
            end = brace.end()
        body = text[match.end():end - 1]
        at = end
        if head.endswith("="):  # an initialiser
            at = text.index(";", end) + 1
        parts.append((head, body))
    return parts


class Variable:
    """A declaration: `.global .align 8 .b64 name[41]`."""

    PATTERN = re.compile(
        r"(?P<qualifiers>(?:\.\w+\s+)*?)(?:\.align\s+(?P<align>\d+)\s+)?(?:\.v(?P<vector>[24])\s+)?"
        r"\.(?P<type>[busf]\d+)\s+(?:\.ptr\s+(?:\.\w+\s+)*?(?:\.align\s+\d+\s+)?)?"
        r"(?P<name>[%\w$]+)(?P<extents>(?:\s*\[\d*\])*)")

    def __init__(self, text):
        match = self.PATTERN.search(text)
        if not match:
            raise Unsupported(f"declaration: {text[:100]}")
        self.name, self.type = match["name"], match["type"]
        self.element = BYTES[self.type]
        self.align = int(match["align"] or self.element)
        extents = re.findall(r"\[(\d*)\]", match["extents"])
        self.unbounded = "" in extents
        self.bytes = self.element
        for extent in extents:
            self.bytes *= int(extent or 0)


class Module:
    c_name = staticmethod(c_name)

    def __init__(self, text):
        self.symbols = {}  # by name, an expression of the address
        self.declarations, self.functions, self.kernels, self.variables = [], [], [], []
        self.static_shared, self.unbounded_shared = 0, []
        self.site = 0
        text = without_comments(text)
        text = re.sub(r"\.version\s+\S+|\.target\s+[^\n]+|\.address_size\s+\d+|\.file\s[^\n]*", " ", text)
        functions = []
        for head, body in split_top(text):
            if ".entry" in head or ".func" in head:
                functions.append((head, body))
            elif re.search(r"\.(global|const|shared)\b", head):
                self.declare(head, body)
            elif head and not head.startswith(".pragma") and ".section" not in head:
                raise Unsupported(f"declaration: {head[:100]}")
        for head, body in functions:
            self.add_function(head, body)

    def declare(self, head, body):
        variable = Variable(head.rstrip("= \n\t"))
        if re.search(r"\.shared\b", head):
            self.declare_shared(variable)
            return
        name = f"g_{c_name(variable.name)}"
        c_type = f"u{8 * variable.element}"
        count = max(1, variable.bytes // variable.element)
        values = ""
        initial = re.search(r"=\s*(\S+)$", head)
        if body is not None:
            values = " = {" + ", ".join(self.initial(item) for item in body.split(",") if item.strip()) + "}"
        elif initial:
            values = " = {" + initial[1] + "}"
        if "ck_manifest" != variable.name:
            align = f"__attribute__((aligned({max(variable.align, 16)})))"
            self.declarations.append(f"static {c_type} {name}[{count}] {align}{values};")
            self.symbols[variable.name] = f"(u64)(uintptr_t){name}"
            self.variables.append((variable.name, name, variable.bytes))

    def initial(self, item):
        item = item.strip()
        if re.fullmatch(r"0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}", item):
            return "0x" + item[2:]
        if not re.fullmatch(r"-?\w+", item) or not item.lstrip("-")[0].isdigit():
            raise Unsupported(f"initialiser: {item}")
        return item + "u" * (item[0] != "-") + "ll"

    def declare_shared(self, variable):
        if variable.unbounded or variable.bytes == 0:
            self.unbounded_shared.append((variable.name, variable.align))
            self.symbols[variable.name] = "((u64)(uintptr_t)t->shared + DYNAMIC_SHARED)"
            return
        align = variable.align
        self.static_shared = -(-self.static_shared // align) * align
        self.symbols[variable.name] = f"((u64)(uintptr_t)t->shared + {self.static_shared}u)"
        self.static_shared += variable.bytes

    def place_dynamic(self):
        """The dynamic shared memory follows the static, which functions declare too, at 16 bytes or
        what is asked for."""
        align = max([16, *(align for _, align in self.unbounded_shared)])
        if self.unbounded_shared:
            self.static_shared = -(-self.static_shared // align) * align
        return f"#define DYNAMIC_SHARED {self.static_shared}u"

    def add_function(self, head, body):
        is_kernel = ".entry" in head
        match = re.search(r"\.(?:entry|func)\s*(?:\((?P<results>[^)]*)\))?\s*(?P<name>[\w$]+)\s*"
                          r"(?:\((?P<params>[^)]*)\))?(?P<rest>.*)$", head, re.S)
        if not match:
            raise Unsupported(f"function: {head[:100]}")
        results, params = ([Variable(item) for item in (match[part] or "").split(",") if item.strip()]
                           for part in ("results", "params"))
        if body is None:
            if match["name"] not in ("vprintf", "__assertfail") and "extern" in head:
                raise Unsupported(f"external function {match['name']}")
            if "extern" not in head:
                self.declarations.append(self.prototype(match["name"], results, params) + ";")
            return
        self.functions.append((match["name"], results, params, body, is_kernel, match["rest"]))

    def prototype(self, name, results, params):
        names = [f"u8 *{c_name(v.name)}" for v in [*results, *params]]
        return f"static void f_{c_name(name)}({', '.join(['struct thread *t', *names])})"

    def text(self):
        out = ['#include "device.h"', "", "extern const struct emulated_module emulated_module;",
               "#pragma GCC diagnostic ignored \"-Wunused\"", *self.declarations]
        bodies = []
        for name, results, params, body, is_kernel, rest in self.functions:
            function = Function(self, results, params, body)
            if is_kernel:
                head = f"static void f_{c_name(name)}(struct thread *t, u8 *params)"
                offset, lines, offsets, sizes = 0, [], [], []
                for param in params:
                    offset = -(-offset // param.align) * param.align
                    lines.append(f"    u8 *{c_name(param.name)} = params + {offset};")
                    offsets.append(offset)
                    sizes.append(param.bytes)
                    offset += param.bytes
                most = re.search(r"\.maxntid\s+(\d+)(?:,\s*(\d+))?(?:,\s*(\d+))?", rest)
                threads = 0
                if most:
                    threads = int(most[1]) * int(most[2] or 1) * int(most[3] or 1)
                cluster = re.search(r"\.reqnctapercluster\s+(\d+)(?:,\s*(\d+))?(?:,\s*(\d+))?", rest)
                cluster = [int(extent or 1) for extent in cluster.groups()] if cluster else [0, 0, 0]
                self.kernels.append((name, sizes, offsets, threads, cluster))
                if offset > 8192:
                    raise Unsupported("parameters of more than 8192 bytes")
            else:
                head, lines = self.prototype(name, results, params), []
                out.append(head + ";")
            slow = "__attribute__((optimize(\"O0\"))) " if function.n_statements > LONG else ""
            bodies += ["", f"{slow}{head}", "{", *lines, *function.lines, "}"]
        everything = "\n".join(bodies)
        if re.search(r"\b(fma|add|mul|div|sqrt|f32_of|f64_of)_[fsu]\d+\(", everything):
            out.insert(1, '#include "rounding.c"')
        out += [self.place_dynamic(), everything, *self.table()]
        return "\n".join(out) + "\n"

    def table(self):
        lines, rows = [], []
        for number, (name, sizes, offsets, threads, cluster) in enumerate(self.kernels):
            lines.append(f"static const u32 sizes{number}[] = {{{', '.join(map(str, sizes or [0]))}}};")
            lines.append(f"static const u32 offsets{number}[] = {{{', '.join(map(str, offsets or [0]))}}};")
            rows.append(f'    {{"{name}", f_{c_name(name)}, {len(sizes)}, sizes{number}, offsets{number}, '
                        f"{self.static_shared}, {threads}, {{{', '.join(map(str, cluster))}}}}},")
        variables = [f'    {{"{name}", {c}, {size}}},' for name, c, size in self.variables]
        return [*lines, "static const struct emulated_kernel kernels[] = {", *(rows or ["{0}"]), "};",
                "static const struct emulated_variable variables[] = {", *(variables or ["{0}"]), "};",
                "const struct emulated_module emulated_module = "
                f"{{kernels, {len(rows)}, variables, {len(variables)}}};"]


class Function:
    """A body in C."""

    def __init__(self, module, results, params, body):
        self.module = module
        self.params = {v.name for v in [*results, *params]}
        self.last_label = None
        self.scopes = [{}]  # of registers and parameters of calls: by name (C's name, type)
        self.labels = [{}]  # by name C's, of each scope
        self.tables = {}  # of branch targets
        self.seen_labels = set()
        self.n_labels = self.n_statements = 0
        self.lines = ["    u32 cc = 0;"]
        self.used = set(re.findall(r"%[\w$]+", body))
        tokens = self.tokens(body)
        self.scope_labels = self.find_labels(tokens)
        self.n_scopes = 0
        self.labels = [self.scope_labels[0]]
        for kind, text in tokens:
            self.take(kind, text)
        self.lines.append("    return;")

    def tokens(self, body):
        at = 0
        out = []
        pattern = re.compile(r"\s*(?:(?P<open>\{)|(?P<close>\})|(?P<label>[\w$%]+)\s*:(?!:)|(?P<text>[^;]*?);)", re.S)
        while body[at:].strip():
            match = pattern.match(body, at)
            if not match:
                raise Unsupported(f"text: {body[at:at + 60]!r}")
            kind = match.lastgroup
            out.append((kind, match[kind].strip() if kind != "open" else ""))
            at = match.end()
        return out

    def find_labels(self, tokens):
        """Of each scope, in the order in which they open."""
        scopes, stack = [{}], [0]
        for kind, text in tokens:
            if kind == "open":
                scopes.append({})
                stack.append(len(scopes) - 1)
            elif kind == "close":
                stack.pop()
            elif kind == "label":
                self.n_labels += 1
                scopes[stack[-1]][text] = f"L{self.n_labels}"
        return scopes

    def take(self, kind, text):
        if kind == "open":
            self.n_scopes += 1
            self.scopes.append({})
            self.labels.append(self.scope_labels[self.n_scopes])
            self.lines.append("    {")
        elif kind == "close":
            self.scopes.pop()
            self.labels.pop()
            self.lines.append("    ;}")
        elif kind == "label":
            label = self.labels[-1][text]
            self.seen_labels.add(label)
            self.last_label = text
            self.lines.append(f"{label}:;")
        elif text.startswith("."):
            self.directive(text)
        elif text:
            self.n_statements += 1
            self.lines.append("    " + statement(self, text))

    def directive(self, text):
        word = text.split()[0]
        if word == ".reg":
            match = re.match(r"\.reg\s+\.(\w+)\s+(.*)$", text, re.S)
            for name in match[2].split(","):
                self.registers(match[1], name.strip())
        elif word == ".param":
            variable = Variable(text)
            name = c_name(variable.name)
            self.scopes[-1][variable.name] = (name, "param")
            self.lines.append(f"    u8 {name}[{max(1, variable.bytes)}] __attribute__((aligned(16)));")
        elif word in (".local", ".shared"):
            variable = Variable(text)
            if word == ".shared":
                self.module.declare_shared(variable)
                return
            name = c_name(variable.name)
            self.scopes[-1][variable.name] = (name, "local")
            self.lines.append(f"    u8 {name}[{max(1, variable.bytes)}] __attribute__((aligned(16)));")
            self.lines.append(f"    memset({name}, 0xb3, sizeof {name});")
        elif word == ".branchtargets":
            self.tables[self.last_label] = [item.strip() for item in text[len(word):].split(",")]
        elif word not in (".loc", ".pragma"):
            raise Unsupported(f"directive: {text[:80]}")

    def registers(self, kind, name):
        match = re.match(r"(%?[\w$]+)<(\d+)>$", name)
        names = [name]
        if match:
            names = [f"{match[1]}{i}" for i in range(int(match[2])) if f"{match[1]}{i}" in self.used]
        kind = {"pred": "pred"}.get(kind, "b" + kind[1:])
        c_type = {"pred": "bool"}.get(kind, "u" + kind[1:])
        start = "0" if kind == "pred" else f"({c_type})0xc5c5c5c5c5c5c5c5u"
        for name in names:
            self.scopes[-1][name] = (c_name(name), kind)
        if names:
            self.lines.append(f"    {c_type} " + ", ".join(f"{c_name(name)} = {start}" for name in names) + ";")

    def find(self, name):
        """(C's name, type) of a register, a parameter or a local variable, or None."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        if name in self.params:
            return c_name(name), "param"
        return None

    def label(self, name):
        for labels in reversed(self.labels):
            if name in labels:
                return labels[name]
        raise Unsupported(f"label {name}")

    def new_site(self):
        self.module.site += 1
        return self.module.site


def compile_module(ptx, shared_object):
    source = Path(shared_object).with_suffix(".c")
    source.write_text(Module(ptx).text())
    subprocess.run(["gcc", "-O1", "-w", "-fPIC", "-shared", "-ffp-contract=off", "-frounding-math",
                    "-fno-strict-aliasing", "-fwrapv", "-march=native", f"-I{HERE}", "-o", shared_object,
                    source, "-lm"], check=True)


def main():
    try:
        compile_module(Path(sys.argv[1]).read_text(), sys.argv[2])
    except Unsupported as error:
        sys.exit(f"translate.py: not emulated: {error}")


if __name__ == "__main__":
    main()
