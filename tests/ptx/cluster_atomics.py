"""Atomics on what may be another block's shared memory: ptxas makes loads and stores of some."""

import re

KERNEL = """@cuda.jit("void(TYPE[::1])")
def k(x):
    s = shared.array(4, TYPE)
    c = this_cluster()
    s[threadIdx.x] = 0
    c.sync()
    atomic.OP(c.map_shared_rank(s, 0), 1, x[0])
    c.sync()
    atomic.OP(s, 2, x[0])
    atomic.OP(x, 3, s[2])
"""


def operations(t, op, elem):
    source = t.tmp / "k.ck"
    source.write_text(KERNEL.replace("OP", op).replace("TYPE", elem))
    text = t.ok([t.ckc, "-arch=sm_90", "-o", "-", source]).out
    return re.findall(r"\t(?:atom|red)\.(\S+)\.[bsu](\d\d)\s", text)


def test_64_bits_are_changed_by_a_loop(t):
    for op in "max", "min", "and_", "or_", "xor":
        for elem in "int64", "uint64":
            found = operations(t, op, elem)
            assert [name.split(".")[-1] for name, _ in found] == ["cas"] + [op.strip("_")] * 2, found
            assert ["shared" in name or "global" in name for name, _ in found] == [False, True, True], found


def test_others_are_the_devices_own(t):
    for op, elem in ("max", "int32"), ("or_", "uint32"), ("add", "int64"), ("exch", "uint64"):
        found = operations(t, op, elem)
        assert [name.split(".")[-1] for name, _ in found] == [op.strip("_")] * 3, found
