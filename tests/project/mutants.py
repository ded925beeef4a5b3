"""Mutants and tools/mutate.py: that a tool which takes one badly is seen."""

import copy

from harness.mutants import KINDS


def fault_with(t, kind, script):
    """The fault of a mutant if ckc and ckrun are this script."""
    tool = t.write("tool", f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    layout = copy.copy(t.layout)
    mutants = KINDS[kind](layout, t.tmp)
    layout.ckc = layout.ckrun = tool
    return mutants.fault(1)


def test_faults_are_seen(t):
    message = "echo 'mutant.ck:1:2: error: no `x` [unknown-name]' >&2"
    for kind in "source", "run":
        assert fault_with(t, kind, f"{message}\nexit 1") is None
        assert fault_with(t, kind, "exit 0") is None
        assert "without a place" in fault_with(t, kind, "echo error >&2\nexit 1")
        assert "without a place" in fault_with(t, kind, "exit 1")
        assert "exit status 70" in fault_with(t, kind, f"{message}\nexit 70")
        assert "exit status 86" in fault_with(t, kind, f"{message}\nexit 86")
    assert "SIGSEGV" in fault_with(t, "source", "kill -SEGV $$")
    assert "sanitizer" in fault_with(t, "source", "echo 'ERROR: AddressSanitizer: heap' >&2\nexit 1")
    assert "--check does not see" in fault_with(t, "run", "echo 'kernel `k` accessed memory outside its arrays' >&2\nexit 1")
    for kind in "words", "files", "ptx":
        assert "exit status 139" in fault_with(t, kind, "exit 139")
        assert "without a place" in fault_with(t, kind, "exit 1")
    assert "another result" in fault_with(t, "cache", "echo '[1. 1. 1. 1. 1.]'")


def test_tool(t):
    """Of all kinds. The tool leaves no folders."""
    tool = t.root / "tools" / "mutate.py"
    where = ["--prefix", t.root] if t.build is None else ["--build", t.build]
    done = t.ok([tool, *where, "--count", "2", "--seed", "7", "--jobs", "1"], timeout=120,
                env={"TMPDIR": str(t.tmp)})
    assert not list(t.tmp.glob("ck-mutate-*"))
    assert done.out.splitlines() == [f"{kind}: 2 mutants from --seed 7: 0 faults" for kind in KINDS], done
    t.fails([tool, *where, "nothing"], 2, "no kind `nothing`: there are source, run, words")
    t.fails([tool, "--build", t.tmp], 1, "ckc is not there")
