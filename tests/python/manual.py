"""docs/python.md: its programs run, one after another as they stand there."""

import re

from python.common import devices, environment, need_module, python


def blocks(t):
    """The Python programs of the page."""
    text = (t.root / "docs" / "python.md").read_text()
    return re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)


def run(t, program, **env):
    path = t.write("program.py", program)
    for device in devices(t):
        t.ok([python(t), "-W", "error", path], env=environment(t, CK_DEVICE=device, **env))


def kernel_of(first):
    return first.split('text="""')[1].split('"""')[0]


def test_first_program(t):
    first = blocks(t)[0]
    run(t, first + "assert (y == 2.5).all()\n")


def test_with_torch(t):
    need_module(t, "torch")
    first, second = blocks(t)[:2]
    if "cuda" not in devices(t):
        second = second.replace('device="cuda"', 'device="cpu"')
    run(t, f"import torch\n{first}\n{second}\nassert (y == 2.5).all()\n")


def test_program_for_numba(t):
    program, of_records, of_vectors = [block for block in blocks(t) if "from ck import cuda" in block]
    run(t, program + "assert (y.copy_to_host() == 3.5).all()\n")
    run(t, of_records + "assert bodies.copy_to_host()['at'][:, 2].all()\n")
    run(t, of_vectors)


def test_test_of_a_kernel(t):
    (program,) = [block for block in blocks(t) if "def test_saxpy" in block]
    t.write("saxpy.ck", kernel_of(blocks(t)[0]))
    run(t, program + "test_saxpy()\n", CK_CHECK="all" if t.layout.device == "cpu" else "")


def test_every_option_and_name_is_documented(t):
    text = (t.root / "docs" / "python.md").read_text()
    program = ("import ck, inspect\n"
               "print(*ck.__all__, *[n for n in dir(ck.Kernel) if n[0] != '_'])\n"
               "print(*inspect.signature(ck.compile).parameters)\n")
    out = t.ok([python(t), t.write("names.py", program)], env=environment(t)).out
    of_types = {"Kernel", "Launcher", "Module", "Usage"}
    missing = [name for name in out.split() if name not in text and name not in of_types]
    assert len(out.split()) > 20 and not missing, missing
