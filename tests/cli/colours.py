"""--color and NO_COLOR: colours stand around the text that is printed without them."""

import os
import pty
import re
import subprocess

SOURCE = """import numpy as np
N = np.gcd(12, 8)
@kernel
def k(x: float32[::1]):
    b = local.array(N, float32)
    b[0] = x[0]
"""


def plain(text):
    return re.sub("\033\\[[0-9;]*m", "", text)


def test_text_stays(t):
    """Of every diagnostic that the goldens have."""
    t.need_tree()
    sources = sorted((t.root / "tests" / "diag").rglob("*.ck"))[::6]
    assert len(sources) > 25
    for source in sources:
        bare, coloured = (t.run([t.ckc, "--check", f"--color={when}", source]) for when in ("never", "always"))
        assert "\033" not in bare.err and plain(coloured.err) == bare.err, source
        assert ("\033[1;31merror\033[0m: " in coloured.err) == (": error: " in bare.err), source


def test_parts(t):
    err = t.fails([t.ckc, "--check", "--color", "always", t.write("k.ck", SOURCE)], 1).err
    lines = err.splitlines()
    assert re.fullmatch(r"\033\[1m\S+/k\.ck:5:21:\033\[0m \033\[1;31merror\033\[0m: \033\[1m.*\[no-value\]\033\[0m", lines[0]), lines
    assert any("\033[1;32m^" in line for line in lines) and any("\033[1;34m-" in line for line in lines), lines
    assert any(re.match(r"\033\[1;34m *= \033\[0m\033\[1;36mhelp:\033\[0m ", line) for line in lines), lines
    err = t.fails([t.ckrun, "--color=always", "--nope"], 2).err
    assert err.startswith("ckrun: \033[1;31merror\033[0m: unknown option"), err


def on_terminal(t, *words, **variables):
    """What the command prints if standard error is a terminal."""
    main, side = pty.openpty()
    env = {**os.environ, "TERM": "xterm", **variables}
    env = {name: value for name, value in env.items() if value is not None}
    process = subprocess.Popen([t.ckc, *words], stderr=side, env=env, cwd=t.tmp)
    os.close(side)
    printed = b""
    while True:
        try:
            more = os.read(main, 4096)
        except OSError:
            break
        if not more:
            break
        printed += more
    os.close(main)
    process.wait()
    return printed.decode()


def test_terminals(t):
    words = ["--check", t.write("k.ck", SOURCE)]
    assert "\033[1;31merror" in on_terminal(t, *words, NO_COLOR=None)
    assert "\033[1;31merror" in on_terminal(t, *words, NO_COLOR="")
    assert "\033" not in on_terminal(t, *words, NO_COLOR="1")
    assert "\033" not in on_terminal(t, *words, NO_COLOR=None, TERM="dumb")
    assert "\033" not in on_terminal(t, *words, "--color=never", NO_COLOR=None)
    assert "\033[1;31merror" in on_terminal(t, *words, "--color=always", NO_COLOR="1")
    assert "\033" not in on_terminal(t, *words, "--diagnostics=json", NO_COLOR=None)
    assert "\033" not in t.fails([t.ckc, *words], 1).err  # a pipe


def test_usage(t):
    t.fails([t.ckc, "--color=sometimes"], 2, "unknown value `sometimes` of --color; there are: auto always never")
