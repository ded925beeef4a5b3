"""`ckc --sig`: signatures given on the command line, right and wrong."""

SAXPY = "saxpy(float32, float32[::1], float32[::1])"


def ckc(t, *sigs):
    options = [word for sig in sigs for word in ("--sig", sig)]
    return [t.ckc, *options, "-o", "-", t.examples / "saxpy.ck"]


def test_one(t):
    assert ".entry saxpy" in t.ok(ckc(t, SAXPY)).out


def test_two(t):
    out = t.ok(ckc(t, SAXPY, SAXPY.replace("float32", "float64"))).out
    assert out.count(".entry saxpy") == 2


def test_same_twice(t):
    assert t.ok(ckc(t, SAXPY, SAXPY)).out.count(".entry saxpy") == 1


def test_numba_names(t):
    assert t.ok(ckc(t, "saxpy(f4, f4[::1], f4[::1])")).out.count(".entry saxpy") == 1


def test_none_for_a_generic_kernel(t):
    t.fails(ckc(t), 1, "saxpy")


def bad(t, sig, fault):
    t.fails(ckc(t, sig), 1, f"error: --sig '{sig}': {fault} [bad-sig]")


def test_unknown_kernel(t):
    bad(t, "nope(int32)", "there is no kernel `nope`")


def test_not_a_signature(t):
    for sig in ("", "saxpy", "saxpy(", "saxpy)", SAXPY + " x", "3", "((((", "saxpy[1](int32)"):
        bad(t, sig, "a signature is written kernel(T, ...)")


def test_not_a_type(t):
    bad(t, "saxpy(float32, int33, float32)", "argument 2 is not a type")
    bad(t, "saxpy(void, float32, float32)", "argument 1 is not a type")


def test_wrong_count(t):
    t.fails(ckc(t, "saxpy(float32)"), 1, "has 3 [signature-count]")


def test_deep(t):
    t.fails(ckc(t, "saxpy(" + "(" * 50_000), 1, "[bad-sig]")
