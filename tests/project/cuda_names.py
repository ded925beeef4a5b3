"""lang/syntax/cuda_names.def: what it says to write is ck, and names nothing that ck lacks."""

import ast
import re

ROW = re.compile(r'CK_CUDA_NAME\("([^"]+)",\s*(NULL|"(?:[^"\\]|\\.)*"),\s*(NULL|"(?:[^"\\]|\\.)*")\)')
PYTHON = {"def", "for", "if", "while", "assert", "print", "printf", "range"}


def rows(t):
    t.need_tree()
    text = (t.root / "lang" / "syntax" / "cuda_names.def").read_text()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    found = [(name, *(None if cell == "NULL" else ast.literal_eval(cell) for cell in cells))
             for name, *cells in ROW.findall(text)]
    assert len(found) == text.count("CK_CUDA_NAME(") > 500
    return found


def free_names(use):
    """The operands: names that are read and are no part of a call or an attribute."""
    tree = ast.parse(use, mode="eval")
    taken = {node.func.id for node in ast.walk(tree)
             if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - taken


OPERANDS = {"a", "b", "c", "compare", "delta", "group", "high", "i", "label", "lane", "lanes", "low", "mask", "n",
            "ns", "p", "rank", "v", "x", "y", "z"}


def kernel_of(number, use):
    """A kernel that computes `use` of operands without types: ckc checks all names and calls."""
    operands = sorted(free_names(use) & OPERANDS)
    statement = use if re.search(r"(syncthreads|syncwarp|threadfence\w*|nanosleep|breakpoint|wait|sync)\([^()]*\)$",
                                 use) else f"_ = {use}"
    return f"@kernel\ndef use_{number}({', '.join(operands)}):\n    {statement}\n"


def test_uses_are_ck(t):
    """Each use has names that ckc knows, and calls with the right number of arguments."""
    uses = sorted({use for _, use, _ in rows(t) if use})
    assert len(uses) > 100
    source = t.write("uses.ck", "\n".join(kernel_of(n, use) for n, use in enumerate(uses)))
    t.ok([t.ckc, "--check", source])
    wrong = t.write("wrong.ck", kernel_of(0, "atomic.addd(x, i, v)") + kernel_of(1, "fma(a, b)"))
    result = t.fails([t.ckc, "--check", wrong], 1, "`atomic.addd` is not defined")
    assert "`fma` takes 3 arguments, not 2" in result.err, result.err


def test_texts_name_what_there_is(t):
    """Functions that the remarks call are ck's."""
    called = set()
    for _, _, text in rows(t):
        for code in re.findall(r"`([^`]*)`", text or ""):
            called |= set(re.findall(r"(?<![\w.@])([a-z]\w*(?:\.\w+)?)\(", code))
    called -= PYTHON | {"name", "x.view"}
    assert called
    lines = [f"@kernel\ndef k{n}(x):\n    x[0] = {name}\n" for n, name in enumerate(sorted(called))]
    t.ok([t.ckc, "--check", t.write("texts.ck", "\n".join(lines))])
    wrong = t.write("wrong.ck", "@kernel\ndef k(x):\n    x[0] = mim\n")
    t.fails([t.ckc, "--check", wrong], 1, "`mim` is not defined")


def test_rows_are_names_that_ck_lacks(t):
    """No row is for a name that ck has, which would hide it, and none is there twice."""
    names = [name for name, _, _ in rows(t)]
    assert sorted(set(names)) == sorted(names)
    words = [name for name in names if not ast_keyword(name)]
    lines = [f"@kernel\ndef k{n}(x):\n    x[0] = {name}\n" for n, name in enumerate(words)]
    for start in range(0, len(lines), 50):
        source = t.write("names.ck", "\n".join(lines[start:start + 50]))
        result = t.fails([t.ckc, "--check", source], 1, "")
        for name in words[start:start + 50]:
            assert f"`{name}` is not defined" in result.err or f"`{name}` is not supported" in result.err or \
                f"(`{name}`)" in result.err, f"{name}: {result.err}"


def ast_keyword(name):
    try:
        ast.parse(name + " = 1")
    except SyntaxError:
        return True
    return False
