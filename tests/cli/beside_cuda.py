"""docs/beside-cuda.md: its samples print what it shows, the lines of its table become the
instructions, and its programs compile and link with NVIDIA's tools. Messages name the page where it
has what they are about."""

import os
import re
import shlex
from pathlib import Path

from harness.pages import BLOCK, commands, run_command

NAMED = re.compile(r"(?:#|//) ([\w.]+)\n")
ROW = re.compile(r"^\| `([^`]+)` \| `(.+)` \|$", re.M)
KERNEL = """@kernel
def k(f: float32[::1], i: int64[::1], j: int32[::1], u: uint32[::1]):
    s = shared.array(128, float32)
    {}
"""


def page(t):
    return (t.examples.parent / "docs" / "beside-cuda.md").read_text()


def write_files(t, blocks):
    for language, text in blocks:
        if language in ("python", "cpp"):
            t.write(NAMED.match(text)[1], text)


def test_samples(t):
    blocks = BLOCK.findall(page(t))
    write_files(t, blocks)
    shown = [text for language, text in blocks if not language]
    assert shown
    for text in shown:
        for line, output in commands(text):
            run_command(t, line, output)


def test_instructions(t):
    rows = ROW.findall(page(t))
    assert len(rows) >= 35, len(rows)
    for instruction, line in rows:
        source = t.write("k.ck", KERNEL.format(line.replace("\\|", "|")))
        text = t.ok([t.ckc, "--no-cache", "-arch=sm_90", "-o", "-", source]).out
        body = text[text.index(".entry"):]
        assert re.search(rf"(?<![\w.]){re.escape(instruction)}(?!\w)", body), f"{line} is not {instruction}:\n{body}"


def run_tools(t, name):
    """The block of commands that make `name`."""
    nvcc = Path(t.need("nvcc")).resolve()
    blocks = BLOCK.findall(page(t))
    write_files(t, blocks)
    text, = (text for language, text in blocks if language == "sh" and f"-o {name} " in text)
    library = Path(t.ckc).resolve().parent
    own = ["-I", t.include, "-L", library, "-L", library.parent / "lib",
           *(f"-Xcompiler={flag}" for flag in t.sanitizer_flags)]
    env = dict(os.environ, PATH=f"{nvcc.parent}:{os.environ['PATH']}")
    for line in text.splitlines():
        argv = shlex.split(line)
        if argv[0] == "ckc":
            argv[0] = t.ckc
        elif argv[0] == "nvcc" and "-lckrt" in argv:
            argv[1:1] = own
        t.ok(argv, cwd=t.tmp, env=env)


def test_one_program(t):
    run_tools(t, "both")
    library = Path(t.ckc).resolve().parent
    result = t.run([t.tmp / "both"], env={"LD_LIBRARY_PATH": f"{library}:{library.parent / 'lib'}"})
    if result.rc == 1 and t.layout.device != "cuda":
        t.skip("no CUDA device")
    assert result.rc == 0 and result.out == "done\n", result


def test_one_cubin(t):
    t.need("ptxas")
    t.need("nvlink")
    run_tools(t, "both.cubin")
    sections = (t.tmp / "both.cubin").read_bytes()
    assert b".text.scale\0" in sections and b".text.multiply\0" in sections


def test_messages_name_it(t):
    for line in ("inline_ptx('membar.gl;')", "wmma(f)", "mma_sync(f)", "tex2D(f, 0, 0)",
                 "declare_device('f', 'int32(int32)')", "asm('')"):
        source = t.write("k.ck", f"@kernel\ndef k(f: float32[:]):\n    {line}\n")
        result = t.fails([t.ckc, "--check", source], 1)
        assert "docs/beside-cuda.md" in result.err, result.err
    source = t.write("k.ck", "from numba import cuda\n@cuda.jit(link=['f.cu'])\ndef k(f):\n    f[0] = 1\n")
    assert "docs/beside-cuda.md" in t.fails([t.ckc, "--check", source], 1).err
