"""The syntax files of editors/: their names are those of the table of built-ins, and they load."""

import importlib.util
import json
import re
import sys

KERNEL = "@kernel\ndef k(x: float32[:]):\n    i = grid(1)\n    # grid\n    syncthreads()\n    name = cuda.atomic.add(x, 0, sqrt(1))\n"


def editor_files(t):
    t.need_tree()
    sys.path.insert(0, str(t.root / "tools"))
    try:
        spec = importlib.util.spec_from_file_location("editor_files", t.root / "tools" / "editor_files.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module


def test_are_up_to_date(t):
    files = editor_files(t)
    for name, make in files.FILES.items():
        assert (t.root / name).read_text() == make(), f"{name} is out of date: run tools/editor_files.py"
    plain, modules, members = files.names()
    assert "syncthreads" in plain and "atomic" in modules and "thread_rank" in members
    assert not [name for name in plain + modules + members if name.startswith("_")]


def test_vs_code(t):
    """The extension is JSON, its paths lead to files, and the grammar's patterns find the names."""
    t.need_tree()
    folder = t.root / "editors" / "vscode"
    package = json.loads((folder / "package.json").read_text())
    version = re.search(r"version: '([^']*)'", (t.root / "meson.build").read_text())[1]
    assert package["version"] == version
    (language,), (grammar,) = package["contributes"]["languages"], package["contributes"]["grammars"]
    json.loads((folder / language["configuration"]).read_text())
    grammar = json.loads((folder / grammar["path"]).read_text())
    (injection,) = grammar["injections"].values()
    found = {m[0]: rule["name"] for rule in injection["patterns"] for m in re.finditer(rule["match"], KERNEL)}
    assert found == {"float32": "support.type.ck", "grid": "support.function.builtin.ck", "sqrt": "support.function.builtin.ck",
                     "syncthreads": "support.function.builtin.ck", "atomic": "support.module.ck"}, found


def test_vim(t):
    """The names have their groups, in Vim or Neovim, which take the file for ChucK's; the rest has
    Python's."""
    t.need_tree()
    nvim = t.need("nvim", "vim")
    t.write("a.ck", KERNEL)
    ask = ("let out = [&filetype] | for at in [[1, 2], [2, 1], [2, 10], [3, 9], [4, 8], [5, 5], [6, 5], [6, 17]] | "
           "call add(out, synIDattr(synID(at[0], at[1], 1), 'name')) | endfor | call writefile(out, 'groups')")
    t.ok([nvim, *(["--headless"] if nvim.endswith("nvim") else ["-es"]), "-n", "-u", "NONE", "-i", "NONE",
          "--cmd", f"set rtp^={t.root}/editors/vim", "--cmd", "au BufNewFile,BufRead *.ck setfiletype chuck",
          "-c", "filetype plugin on", "-c", "syntax on",
          "-c", "edit a.ck", "-c", ask, "-c", "qall!"], env={"HOME": str(t.tmp)})
    groups = (t.tmp / "groups").read_text().splitlines()
    assert groups == ["ck", "pythonDecoratorName", "pythonStatement", "ckType", "ckBuiltin", "pythonComment", "ckBuiltin",
                      "", "ckModule"], groups


def test_emacs(t):
    """The mode compiles without a warning."""
    t.need_tree()
    emacs = t.need("emacs")
    mode = t.write("ck-mode.el", (t.root / "editors" / "emacs" / "ck-mode.el").read_bytes())
    result = t.ok([emacs, "-Q", "--batch", "-f", "batch-byte-compile", mode])
    assert "Warning" not in result.out + result.err, result
