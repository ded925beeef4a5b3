"""NVIDIA's assembler accepts the PTX of every example for every architecture; skipped without
it."""

import re
import shlex

from harness import manifest

ARCHS = ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"]


def signatures(source):
    """ckc's options from the `ckc ... --sig ...` line in a generic example's head comment."""
    line = re.search(r"^#\s+ckc .*$", source.read_text(), re.M)
    if not line:
        return []
    words = shlex.split(line[0].lstrip("# "))
    return [option for i, word in enumerate(words) if word == "--sig"
            for option in ("--sig", words[i + 1])]


def assemble(t, arch, *options):
    ptxas = t.need("ptxas")
    sources = sorted(t.examples.glob("*.ck"))
    assert sources
    for source in t.part(sources, ARCHS.index(arch)):
        if int(arch[3:]) < 90 and "this_cluster" in source.read_text():
            continue  # clusters are of 9.0 and later
        ptx = t.tmp / f"{source.stem}.ptx"
        t.ok([t.ckc, f"-arch={arch}", *options, *signatures(source), "-o", ptx, source])
        result = t.ok([ptxas, f"-arch={arch}", "-o", t.tmp / "out.cubin", ptx])
        assert "warning" not in result.err, result


def make_test(arch):
    return lambda t: assemble(t, arch)


for each in ARCHS:
    globals()[f"test_{each}"] = make_test(each)


def test_lineinfo(t):
    assemble(t, "sm_90", "-lineinfo")


def test_unoptimised(t):
    assemble(t, "sm_90", "-O0")


def test_runs_on_later(t):
    """PTX for the oldest architecture assembles for the newest."""
    ptxas = t.need("ptxas")
    ptx = t.tmp / "rows.ptx"
    t.ok([t.ckc, "-arch=sm_75", "-o", ptx, t.examples / "sequential_rows.ck"])
    t.ok([ptxas, "-arch=sm_120", "-o", t.tmp / "out.cubin", ptx])


def test_manifest_stays_readable(t):
    """The lines of the PTX's manifest are in the cubin as they are, whatever the source's name."""
    ptxas = t.need("ptxas")
    source = t.write("odd \u00e9 \x1b[m \\.ck", (t.examples / "heat.ck").read_text())
    for options in ([], ["-lineinfo"], ["-O0"]):
        text = t.ok([t.ckc, "-arch=sm_90", *options, "-o", "-", source]).out
        lines = manifest.comment_in(text)
        assert "  u float32[::1]\n" in lines, lines
        t.ok([ptxas, "-arch=sm_90", "-o", t.tmp / "out.cubin", t.write("k.ptx", text)])
        assert lines.encode() in (t.tmp / "out.cubin").read_bytes(), lines
