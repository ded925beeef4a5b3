"""What each folder includes: ARCHITECTURE.md's invariants, as far as `#include` shows them."""

import re

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
SUFFIXES = {".c", ".h", ".re"}
# Folder: what its files may not include, as a pattern, and why.
FORBIDDEN = {
    "src/base": (r"^(llvm-c|lang|codegen|runtime|ck)/", "the base library knows no other part"),
    "lang": (r"^(llvm-c|codegen|runtime)/", "the language knows neither LLVM nor devices"),
    "runtime": (r"^(llvm-c|codegen|lang)/", "a shipped kernel needs only the runtime"),
}
PARSES_IR = {"test_ir_divergence.c"}  # the unit tests of codegen whose input is LLVM IR


# Folder of lang/: all that its files may include beside src/base/ and the C library. The prelude's
# header stands alone; the checker reaches the built-ins through one header.
LANG_ARROWS = {
    "lang/diag": ("lang/diag/",),
    "lang/syntax": ("lang/syntax/", "lang/diag/"),
    "lang/typed": ("lang/typed/", "lang/syntax/operators.h"),
    "lang/prelude": (),
    "lang/front": ("lang/front/", "lang/check/check.h", "lang/check/facts.h", "lang/divergence/"),
    "lang/divergence": ("lang/divergence/", "lang/typed/", "lang/diag/"),
    "lang/check": ("lang/check/checker.h", "lang/check/recursion.h", "lang/check/check.h",
                   "lang/check/import.h", "lang/check/inner.h", "lang/check/facts.h", "lang/check/libdevice.h",
                   "lang/check/module_array.h", "lang/check/unusable.h",
                   "lang/check/overload.h", "lang/check/untyped.h", "lang/check/iterate.h", "lang/check/store_order.h",
                   "lang/check/view.h", "lang/check/window.h", "lang/check/optional.h", "lang/check/const_sequence.h",
                   "lang/check/name_tuple.h", "lang/check/vector.h", "lang/check/element.h",
                   "lang/check/date.h", "lang/check/evaluate.h",
                   "lang/check/names/", "lang/check/foreign_names.h",
                   "lang/check/builtins/builtins.h", "lang/syntax/", "lang/typed/", "lang/diag/",
                   "lang/prelude/"),
    "lang/check/builtins": ("lang/check/checker.h", "lang/check/view.h", "lang/check/const_sequence.h",
                            "lang/check/date.h", "lang/check/element.h", "lang/check/inner.h",
                            "lang/check/untyped.h",
                            "lang/check/foreign_names.h", "lang/check/builtins/", "lang/syntax/",
                            "lang/typed/", "lang/diag/"),
}


# Folder: the folders that its files may include beside its own, for all of runtime/ and src/.
RUNTIME_ARROWS = {
    "src/base": set(),
    "runtime/cache": {"base"},
    "runtime/context": {"base", "runtime/cache"},
    "runtime/image": {"base", "runtime/context", "runtime/data"},
    "runtime/data": {"base", "runtime/context"},
    "runtime/launch": {"base", "runtime/context", "runtime/data", "runtime/image"},
    "runtime/cuda": {"base", "runtime/context", "runtime/launch"},
    "runtime/cpu": {"base", "runtime/context", "runtime/image", "runtime/launch"},
    "src/api": {"base", "codegen/driver", "lang/check", "lang/diag", "lang/front", "runtime/launch"},
    "src/cli": {"base"},
    "src/lsp": {"base", "lang/check", "lang/check/builtins", "lang/front", "lang/syntax", "lang/typed"},
}


# Folder of codegen/: the folders that its files may include beside its own. `lower` and `opt` know
# no target, and the targets do not know each other.
CODEGEN_ARROWS = {
    "core": {"lang/typed", "runtime/context", "runtime/image"},
    "lower": {"codegen/core", "lang/typed"},
    "opt": {"codegen/core"},
    "nvptx": {"codegen/core", "codegen/lower", "codegen/opt",
              "runtime/cache",  # which build of ck and of libdevice an image is of
              "runtime/image"},  # the manifest's symbol
    "host": {"codegen/core", "codegen/lower", "codegen/opt"},
    "driver": {"codegen/core", "codegen/lower", "codegen/opt", "codegen/nvptx", "codegen/host",
               "lang/typed", "runtime/image"},
}
TARGET_NAMES = re.compile(r"nvptx|nvvm|\bptx\b|\bPTX\b|cuda|\bsm_|_host\b|\bhost_|ck_cpu|x86")


def sources(t, folder):
    t.need_tree()
    return [p for p in sorted((t.root / folder).rglob("*")) if p.suffix in SUFFIXES]


def includes(path):
    return [(kind == "<", name) for kind, name in INCLUDE.findall(path.read_text())]


def test_folders(t):
    faults = [f"{path.relative_to(t.root)} includes {name}: {why}"
              for folder, (pattern, why) in FORBIDDEN.items()
              for path in sources(t, folder)
              for _, name in includes(path) if re.search(pattern, name)]
    assert not faults, "\n".join(faults)


def lang_room(t, path):
    """The row of LANG_ARROWS for a file: that of the deepest folder."""
    name = path.relative_to(t.root).as_posix()
    return max((folder for folder in LANG_ARROWS if name.startswith(folder + "/")), key=len)


def test_folders_of_lang(t):
    """Every include of lang/ is an arrow of LANG_ARROWS."""
    files = sources(t, "lang")
    assert files
    faults = []
    for path in files:
        room = lang_room(t, path)
        for angled, name in includes(path):
            if "/" not in name and not angled:  # a table beside the file
                name = f"{room}/{name}"
            if not angled and not name.startswith(("base/", *LANG_ARROWS[room])):
                faults.append(f"{path.relative_to(t.root)} includes {name}")
    assert not faults, "\n".join(faults)


def test_lang_names_no_target(t):
    """Neither the symbols that a target reserves nor the limits of its devices."""
    target = re.compile(r"WARP_SZ|\bvprintf\b|__assertfail|ck_manifest|\b227\b|nvptx")
    faults = [f"{path.relative_to(t.root)}: {found[0]}" for path in sources(t, "lang")
              for found in [target.search(path.read_text())] if found]
    assert not faults, "\n".join(faults)


def test_runtime_arrows(t):
    """Each folder of runtime/ and src/ has a row and includes what it has; there is no cycle."""
    folders = {str(path.parent.relative_to(t.root)) for root in ("runtime", "src")
               for path in sources(t, root)}
    rows = {row for row in RUNTIME_ARROWS for folder in folders if f"{folder}/".startswith(f"{row}/")}
    assert rows == set(RUNTIME_ARROWS), set(RUNTIME_ARROWS) - rows
    lost = [folder for folder in folders if not any(f"{folder}/".startswith(f"{row}/") for row in rows)]
    assert not lost, f"no row for {lost}"
    faults = []
    for row, allowed in RUNTIME_ARROWS.items():
        own = row.replace("src/", "", 1)
        for path in sources(t, row):
            for angled, name in includes(path):
                folder = name.rpartition("/")[0]
                inside = not folder or (path.parent / name).exists() or folder == own
                if not angled and not inside and folder not in allowed:
                    faults.append(f"{path.relative_to(t.root)} includes {name}")
    assert not faults, "\n".join(faults)
    done = {"base"}
    left = {row: set(to) for row, to in RUNTIME_ARROWS.items() if row.startswith("runtime/")}
    while left:
        free = [row for row, to in left.items() if to <= done]
        assert free, f"a cycle among {sorted(left)}"
        done.update(free)
        left = {row: to for row, to in left.items() if row not in free}


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)


def test_codegen_arrows(t):
    folders = {p.parent.name for p in sources(t, "codegen") if p.parent.parent.name == "codegen"}
    assert folders == set(CODEGEN_ARROWS), folders ^ set(CODEGEN_ARROWS)
    faults = []
    for folder, allowed in CODEGEN_ARROWS.items():
        for path in sources(t, f"codegen/{folder}"):
            for angled, name in includes(path):
                place = name.rpartition("/")[0]
                inside = not place or place.startswith(f"codegen/{folder}") or place == "base"
                if not angled and not inside and place not in allowed:
                    faults.append(f"{path.relative_to(t.root)} includes {name}")
    assert not faults, "\n".join(faults)


def test_opt_and_lower_name_no_target(t):
    files = [p for folder in ("opt", "lower") for p in sources(t, f"codegen/{folder}")]
    assert files and TARGET_NAMES.search("ck_nvptx_arch(gen)")
    faults = [f"{path.relative_to(t.root)}: {found[0]}" for path in files
              for found in [TARGET_NAMES.search(without_comments(path.read_text()))] if found]
    assert not faults, "\n".join(faults)


def test_only_codegen_includes_llvm(t):
    faults = [str(path.relative_to(t.root))
              for folder in ("src", "lang", "runtime", "include", "tests", "examples", "bench", "python")
              for path in sources(t, folder) if path.name not in PARSES_IR
              if any(name.startswith(("llvm-c/", "llvm/")) for _, name in includes(path))]
    assert not faults, faults


def test_tools_include_only_public_headers(t):
    """Beside <ck/...>, the C library's, the base library's and the tools' own."""
    tools = t.root / "src" / "cli"
    files = sources(t, "src/cli")
    assert files, "no source of ckc or ckrun in src/cli/"
    faults = [f"{path.relative_to(t.root)} includes {name}"
              for path in files for angled, name in includes(path)
              if not angled and not name.startswith("base/")
             and tools not in (path.parent / name).resolve().parents]
    assert not faults, "\n".join(faults)


def test_python_includes_only_public_headers(t):
    """python/ reaches ck through <ck/...>, and nothing else of ck includes Python."""
    files = sources(t, "python")
    assert files
    faults = [f"{path.relative_to(t.root)} includes {name}" for path in files
              for angled, name in includes(path)
              if not (name in ("ckpy.h", "gpu.h", "driver.def") or angled and not name.startswith(("llvm-c/", "base/")))]
    faults += [f"{path.relative_to(t.root)} includes Python.h"
               for folder in ("src", "lang", "codegen", "runtime", "include")
               for path in sources(t, folder) if any(name == "Python.h" for _, name in includes(path))]
    assert not faults, "\n".join(faults)


def test_public_headers_include_only_public_headers(t):
    for path in sources(t, "include"):
        for _, name in includes(path):
            assert name.startswith("ck/") or name in ("stdbool.h", "stddef.h", "stdint.h"), f"{path}: {name}"


def test_lang_opens_and_prints_nothing(t):
    calls = re.compile(r"\b(fopen|open|printf|fprintf|puts|fputs|exit|abort)\s*\(")
    for path in sources(t, "lang"):
        text = re.sub(r"/\*.*?\*/|//[^\n]*|\"(\\.|[^\"\\])*\"", "", path.read_text(), flags=re.S)
        found = calls.search(text)
        assert not found, f"{path.relative_to(t.root)} calls {found[1]}"
