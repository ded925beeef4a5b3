"""Labels and registers in texts of PTX, which share a name space with kernels: a kernel may be
called `done` or `add`."""

import re

# What brings in each text of PTX that has labels of its own.
SOURCE = """
@kernel
def rows(M: int32[:, ::1]):
    g = this_grid()
    g.sync()
    token = g.barrier_arrive()
    M[1, grid(1)] = 1
    g.barrier_wait(token)
    c = coalesced_threads()
    h = labeled_partition(c, grid(1) % 3)
    h.sync()
    M[0, 0] = h.num_threads()

@kernel
def {name}(x: int32[::1]):
    x[0] = 1
"""
OF_BLOCKS = """
@kernel
def k(x: int32[::1]):
    g = labeled_partition(this_thread_block(), threadIdx.x % 3)
    g.sync()
    x[g.thread_rank()] = g.num_threads()
"""
LABEL = re.compile(r"(?:^|[\s;])([A-Za-z_][\w$]*):(?=\s|$)", re.M)
REGISTERS = re.compile(r"\.reg \.\w+ ([^;]*);")


def names(text):
    """The labels and registers of a text, but for those that LLVM makes, %r1."""
    text = re.sub(r"//.*|^\s*\.(?:loc|file|section|branchtargets).*|\"[^\"]*\"", "", text, flags=re.M)
    registers = {name.strip() for group in REGISTERS.findall(text) for name in group.split(",")}
    return set(LABEL.findall(text)) | {name for name in registers if not name.startswith("%")}


def test_no_kernel_can_have_their_names(t):
    """Each has a `$`, which no name of a kernel has."""
    found = set()
    sources = [*sorted(t.examples.glob("*.ck")), t.write("k.ck", SOURCE.format(name="other")), t.write("b.ck", OF_BLOCKS)]
    for source in sources:
        found |= names(t.run([t.ckc, "-arch=sm_90", source, "-o", "-"]).out)
    assert {"done$", "in_group$", "LOOK$", "rank$", "add$", "word$"} <= found, found
    assert all("$" in name for name in found), {name for name in found if "$" not in name}


def test_kernels_called_so(t):
    """The assembler takes kernels with the names of labels and of registers."""
    t.need("ptxas")
    for name in ("done", "many", "look", "wait", "in_group", "claimed", "p", "work", "entry", "add", "next"):
        t.ok([t.ckc, "-arch=sm_90", "--emit=cubin", t.write("k.ck", SOURCE.format(name=name)), "-o", "k.cubin"])
