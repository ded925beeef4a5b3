"""What is left for later: each name of the two lists has its own "not supported yet"."""

import re

# How a handle is made of which a member is left for later.
MAKERS = {"grid_group": "cuda.cg.this_grid()", "thread_block": "cuda.cg.this_thread_block()"}


def later_names(t):
    """The paths of `later` in lang/check/builtins/call.c and of the rows of
    lang/check/names/unsupported.def."""
    t.need_tree()
    source = (t.root / "lang" / "check" / "builtins" / "call.c").read_text()
    listed = re.search(r"static const char \*const later\[\] = \{(.*?)\};", source, re.S)
    rows = (t.root / "lang" / "check" / "names" / "unsupported.def").read_text()
    names = re.findall(r'"([^"]+)"', listed[1]) if listed else []
    table = re.findall(r'^CK_UNSUPPORTED\("([^"]+)"', rows, re.M)
    assert table and len(table) == len(re.findall(r"^CK_UNSUPPORTED\(", rows, re.M))
    return names + table


def builtin_names(t):
    text = (t.root / "lang" / "typed" / "builtins.def").read_text()
    return set(re.findall(r'^CK_BUILTIN\(\w+, "([^"]+)"', text, re.M))


def use_of(path):
    group, _, member = path.partition(".")
    if group in MAKERS:
        return f"    g = {MAKERS[group]}\n    g.{member}()\n"
    return f"    cuda.{path}(a, 1)\n"


def test_each_says_so(t):
    for path in later_names(t):
        source = t.write("k.ck", f"@kernel\ndef k(a: float32[:]):\n{use_of(path)}")
        name = path.partition(".")[2] if path.partition(".")[0] in MAKERS else path
        result = t.fails([t.ckc, "--check", source], 1, "not supported yet: ", f"`{name}`")
        assert "1 error generated" in result.err or result.err.count(": error: ") == 1, result


def test_none_is_built_in(t):
    names = later_names(t)
    both = sorted(builtin_names(t).intersection(names))
    assert not both, f"these are built in: {both}"
    twice = sorted({name for name in names if names.count(name) > 1})
    assert not twice, twice
