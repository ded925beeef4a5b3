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


def bad(t, sig, column, fault, help=None):
    error = t.fails(ckc(t, sig), 1, f"--sig:1:{column}: error: {fault}").err
    assert not help or f"= help: {help}\n" in error, error


def test_unknown_kernel(t):
    bad(t, "nope(int32)", 1, "there is no kernel `nope` [bad-sig]")
    bad(t, " saxpi(int32)", 2, "there is no kernel `saxpi` [bad-sig]", "did you mean `saxpy`?")


def test_shown_with_a_caret(t):
    result = t.fails(ckc(t, "saxpi(int32)"), 1)
    assert result.err == """--sig:1:1: error: there is no kernel `saxpi` [bad-sig]
  |
1 | saxpi(int32)
  | ^^^^^
  = help: did you mean `saxpy`?
1 error generated.
""", result


def test_not_a_signature(t):
    for sig in ("saxpy", "3", "saxpy[1](int32)"):
        bad(t, sig, 1, "a signature is written kernel(T, ...) [bad-sig]")
    for sig, column in (("", 1), ("saxpy(", 6), ("saxpy)", 6), (SAXPY + " x", len(SAXPY) + 2), ("((((", 4)):
        bad(t, sig, column, "")


def test_not_a_type(t):
    bad(t, "saxpy(float32, itn32, float32)", 16, "", "did you mean `int32`?")
    bad(t, "saxpy(void, float32, float32)", 7, "no parameter is void [bad-sig]")
    bad(t, "saxpy(a=float32, x=f4, y=f4)", 7, "a signature has types only, in the order of the parameters")
    bad(t, "saxpy('float32[:', f4, f4)", 15, "")


def test_wrong_count(t):
    t.fails(ckc(t, "saxpy(float32)"), 1, "has 3 [signature-count]")


def test_deep(t):
    t.fails(ckc(t, "saxpy(" + "(" * 50_000), 1, "[too-deep]")
