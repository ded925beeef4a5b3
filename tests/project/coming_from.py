"""The pages "Coming from ..." and the guide to groups: what their samples show is what they do.

A block of Python that begins with `# NAME.ck` is a file; a block of commands (`$ ...`) is run beside
the files so far, and prints what the page shows. `| fails` at a command's end: it fails, and what it
says may be left out.
"""

import re
import shlex

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
FAILS = "| fails"


def commands(block):
    """[(command, the lines it prints)]."""
    parts = re.split(r"^\$ ", block, flags=re.M)
    assert not parts[0].strip(), f"no command before {parts[0]!r}"
    return [(line, shown) for line, _, shown in (part.partition("\n") for part in parts[1:])]


def run_command(t, line, shown):
    fails = line.endswith(FAILS)
    argv = shlex.split(line.removesuffix(FAILS))
    tool = {"ckc": t.ckc, "ckrun": t.ckrun}[argv[0]]
    device = ["--device", "cpu"] if argv[0] == "ckrun" and "--device" not in argv else []
    result = t.run([tool, *device, *argv[1:]])
    assert (result.rc != 0) == fails, result
    if shown or not fails:
        assert result.out + result.err == shown, f"{line}\nprints\n{result.out + result.err}"


def check_page(t, name):
    t.need_tree()
    blocks = BLOCK.findall((t.root / "docs" / name).read_text())
    assert len(blocks) >= 6, len(blocks)
    for language, text in blocks:
        if language == "python":
            t.write(re.match(r"# (\w+\.ck)\n", text)[1], text)
            continue
        assert language == "", f"a block of {language}"
        for line, shown in commands(text):
            run_command(t, line, shown)


def test_numba(t):
    check_page(t, "coming-from-numba.md")


def test_cuda(t):
    check_page(t, "coming-from-cuda.md")


def test_groups(t):
    check_page(t, "cooperative-groups.md")
