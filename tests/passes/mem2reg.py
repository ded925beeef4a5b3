"""mem2reg: SSA values instead of slots, in functions too long for LLVM's own promotion."""

from passes.ir import around, count, function


def program(n, array=""):
    """A kernel with n variables, each of two values behind an `if`."""
    lines = [f"    v{i} = n + {i}\n    if x[{i}] > n:\n        v{i} = x[{i}] * 3\n" for i in range(n)]
    total = " + ".join(f"v{i}" for i in range(n))
    return f"@kernel\ndef k(x: int64[::1], n: int64):\n{array}{''.join(lines)}    x[0] = {total}\n"


def test_slots_become_values(t):
    for arch, name in (("sm_90", "k"), ("host", "k.body")):
        before, after = (function(text, name) for text in around(t, "mem2reg", program(600), arch=arch))
        assert count(before, r" = alloca i64") >= 600, arch
        assert count(after, r" = alloca ") == 0, arch
        assert count(after, r" = phi i64 ") >= 600, (arch, "one for each variable of two values")


def test_memory_whose_address_is_used_stays(t):
    array = "    a = local.array(4, int64)\n    a[n] = n\n    x[1] = a[n + 1]\n"
    _, after = (function(text, "k") for text in around(t, "mem2reg", program(600, array)))
    assert count(after, r" = alloca \[4 x i64\]") == 1 and count(after, r" = alloca i64") == 0


def test_short_functions_are_left_to_llvm(t):
    before, after = around(t, "mem2reg", program(20))
    assert before == after and count(before, r" = alloca i64") >= 20
