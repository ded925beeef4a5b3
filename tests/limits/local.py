"""How much local memory a kernel's threads may ask for."""

SOURCE = """def part(x):
    v = cuda.local.array({n}, int8)
    v[x] = 1
    return v[0]

def both(x):
    return part(x) + part(x + 1)

@kernel
def k(a: int8[::1]):
    a[0] = both(a[1])
"""


def test_sum_of_calls(t):
    """Every call counts: the function is called from two places."""
    fits = t.write("fits.ck", SOURCE.format(n=256 << 10))
    over = t.write("over.ck", SOURCE.format(n=(256 << 10) + 1))
    for arch in ("sm_75", "sm_120"):
        t.ok([t.ckc, f"-arch={arch}", "-o", t.tmp / "k.ptx", fits])
        t.fails([t.ckc, f"-arch={arch}", "-o", t.tmp / "k.ptx", over], 3,
                "local arrays of both", "512 KiB a thread")
