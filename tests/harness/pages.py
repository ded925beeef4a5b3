"""Pages whose samples tests run.

A block of commands (`$ ...`) prints what the page shows below each. `| fails` at a command's end:
it fails, and what it says may be left out.
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
