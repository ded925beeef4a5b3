"""An access outside an array leaves the code around it as it is: LLVM may not assume that it is
always inside."""

import re

KERNEL = """
T = array([1, 2, 3, 4], int32)

def put(s, j, v):
    s[j] = v

def get(s, j):
    return s[j]

def late(s, x, y):
    for j in range(8):
        s[j] = x[j]
    y[3] = 3

@kernel
def k(x: int32[::1], y: int32[::1], n: int32):
    {make}
    total = 0
    for j in range(8):
        {access}
        total += x[j]
    y[0] = total
    if n > 5:
        y[1] = {after}
    y[2] = 2
"""
LOCAL, SHARED = "s = local.array(4, int32)", "s = shared.array(4, int32)"
STORE = "s[j] = x[j]"
# what makes the array, what is done with it in the loop, what is read of it afterwards
CASES = {
    "local_store": (LOCAL, STORE, "s[0]"),
    "local_never_read": (LOCAL, STORE, "7"),
    "local_load": (LOCAL, "total += s[j]", "7"),
    "local_branch": (LOCAL, "if s[j] > 3: y[4] = j", "7"),
    "local_guarded": (LOCAL, "if j < n: s[j] = x[j]", "s[n]"),
    "local_2d": ("s = local.array((2, 2), int32)", "s[j, j] = x[j]", "s[0, 0]"),
    "local_nested": (LOCAL, "for i in range(8): s[i + j] = x[i]", "s[0]"),
    "local_far": (LOCAL, "s[(j + 1) * 2305843009213693952] = 1", "s[0]"),
    "local_complex": ("s = local.array(4, complex64)", "s[j] = complex64(x[j])", "int32(s[0].real)"),
    "local_slice": ("a = local.array(8, int32); s = a[2:6]", STORE, "s[0]"),
    "local_view": ("a = local.array(4, int32); s = a.view(int16)", "s[j * 2] = x[j]", "a[0]"),
    "local_function": (LOCAL, "put(s, j, x[j])", "get(s, 9 + j)"),
    "local_function_with_loop": (LOCAL, "late(s, x, y)", "s[0]"),
    "shared_store": (SHARED, STORE, "s[0]"),
    "shared_never_stored": (SHARED, "if s[j] > 3: y[4] = j", "s[n]"),
    "shared_2d": ("s = shared.array((2, 2), int32)", "s[j, j] = x[j]", "s[0, 0]"),
    "shared_far": (SHARED, "s[(j + 1) * 2305843009213693952] = 1", "s[0]"),
    "shared_function": (SHARED, "put(s, j, x[j])", "get(s, 9 + j)"),
    "dynamic_store": ("s = shared.array(0, int32)", STORE, "s[0]"),
    "constant_load": ("s = T", "total += s[j]", "s[n]"),
    "constant_branch": ("s = T", "if s[j] > 3: y[4] = j", "get(s, 9 + j)"),
    "argument_far": ("s = y", "s[(j + 1) * 2305843009213693952] = 1", "s[5]"),
}
LEVELS = ["-O0", "-O1", "-O2", "-O3"]


def body(text):
    return re.search(r"\.entry k\(.*?^\}", text, re.S | re.M)[0]


def own_loops(text):
    """Labels of blocks that do nothing but branch to themselves."""
    return re.findall(r"^(\$L\w+):[^\n]*\n\s*bra(?:\.uni)?\s+\1;", text, re.M)


def runs_all_iterations(text):
    """Either a loop, or eight loads of `x` and more."""
    loads = len(re.findall(r"\tld\.global\S*\s", text))
    for match in re.finditer(r"bra(?:\.uni)?\s+(\$L\w+);", text):
        if text.find(match[1] + ":") < match.start():
            return True
    vectors = sum(int(n) - 1 for n in re.findall(r"\tld\.global\S*\.v(\d)\.", text))
    return loads + vectors >= 8


def check(t, case):
    make, access, after = CASES[case]
    source = t.write("k.ck", KERNEL.format(make=make, access=access, after=after))
    for level in LEVELS:
        for options in ([], ["-restrict", "-aligned"]):
            text = body(t.ok([t.ckc, "-arch=sm_90", level, *options, "-o", "-", source]).out)
            where = (case, level, text)
            assert "\tret;" in text, where
            assert not own_loops(text), where
            assert runs_all_iterations(text), where
            assert len(re.findall(r"\tst(?:\.global)?\.(?:v\d\.)?b32\s", text)) >= 3, where
            assert "trap" not in text, where


def make_test(case):
    return lambda t: check(t, case)


for each_case in CASES:
    globals()[f"test_{each_case}"] = make_test(each_case)
