"""The host's passes: block-loops, trip-guard, coroutine-split, order-zeros and replace-nans."""

from passes.ir import around, calls, count, function, ran

SEQ = "--schedule=seq"


def modules(t, name, text, *options):
    return around(t, name, text, *options, arch="host")


# --- block-loops ------------------------------------------------------------------------------

def reversal(condition):
    return ("@kernel\ndef k(x: float32[::1], n: int64):\n    s = shared.array(32, float32)\n    i = threadIdx.x\n"
            f"    s[i] = x[i]\n    {condition}syncthreads()\n    x[i] = s[31 - i]\n")


def test_a_loop_for_each_region(t):
    before, after = modules(t, "block-loops", reversal(""), SEQ)
    assert calls(function(before, "k.block_loops"), "ck.barrier") == 1
    body = function(after, "k.block_loops")
    assert "@ck." not in body and "define ptr @k.start" not in after
    assert count(body, r"br i1 .*!llvm.loop") >= 2, "one for each region"
    assert count(body, "load float.*!llvm.mem.parallel_loop_access") == 2


def test_a_uniform_branch_around_a_barrier_is_taken_once(t):
    _, after = modules(t, "block-loops", reversal("if n > 3:\n        "), SEQ)
    assert "@ck." not in function(after, "k.block_loops")


def test_interrupts_are_read_once_an_iteration_around_barriers(t):
    """And nowhere else: not in the loops over threads, nor in kernels without such a loop."""
    loop = "for round in range(n):\n        s[i] = s[31 - i] + round\n        "
    outer = "while n > 3:\n        n -= 2\n        for round in range(n):\n            s[i] = s[31 - i] + round\n            "
    for condition, loops in (("", 0), ("if n > 3:\n        ", 0), (loop, 1), (outer, 2)):
        _, after = modules(t, "block-loops", reversal(condition), SEQ)
        body = function(after, "k.block_loops")
        assert calls(body, "ck_cpu_leave_interrupted") == count(body, "load volatile i32") == loops, (condition, body)
        # Where the flag is can be loaded before the loop.
        assert loops != 1 or count(body, "%flag = load ptr, .*!invariant.load") == 1, body


def test_coroutines_where_threads_may_diverge(t):
    text = "@kernel\ndef k(x: int32[::1]):\n    i = threadIdx.x\n    m = ballot_sync(activemask(), x[i] > 0)\n    x[i] = m\n"
    _, after = modules(t, "block-loops", text, SEQ)
    assert "@k.block_loops" not in after and "define ptr @k.start" in after


def test_coroutines_for_other_orders(t):
    before, after = modules(t, "block-loops", reversal(""))
    assert "@k.block_loops" not in before and "define ptr @k.start" in after


# --- trip-guard -------------------------------------------------------------------------------

def guarded(guard, body="x[i] = x[i] + 1"):
    return f"@kernel\ndef k(x: float32[::1], n: int64):\n    i = grid(1)\n    if {guard}:\n        {body}\n"


def test_guards_become_trip_counts(t):
    for guard in ("i < n", "i < x.size", "n > i", "i < n - 3"):
        before, after = (function(text, "k.block") for text in modules(t, "trip-guard", guarded(guard)))
        assert calls(before, "llvm.umin.i64") == 0 and calls(after, "llvm.umin.i64") == 1, guard
        assert count(after, r"br i1 true,") == 1, guard


def test_other_guards_stay(t):
    """A lower bound, an equality, conditions on data, a bound in memory, an `else`."""
    for text in (guarded("i >= n"), guarded("i != n"), guarded("x[i] < n"), guarded("i % 2 < n"),
                 guarded("i < n") + "    else:\n        x[i] = 3\n",
                 guarded("i < x[0]", "x[i] = 7")):
        before, after = (function(module, "k.block") for module in modules(t, "trip-guard", text))
        assert calls(after, "llvm.umin.i64") == calls(before, "llvm.umin.i64"), text
        assert "br i1 true," not in after, text


# --- coroutine-split --------------------------------------------------------------------------

def barriers(n):
    return ("@kernel\ndef k(x: int32[::1]):\n    i = threadIdx.x\n    v = x[i]\n" +
            f"    syncthreads()\n    v = v * x[i + {1}] + 1\n" * n + "    x[i] = v\n")


def test_many_suspensions(t):
    """One function resumes a thread, by a switch on where it waits."""
    before, after = modules(t, "coroutine-split", barriers(70))
    assert calls(function(before, "k.start"), "llvm.coro.suspend") == 70
    assert "llvm.coro." not in function(after, "k.start") and "resume" in after
    resume = function(after, "resume")
    assert count(resume, r"^    i32 \d+, label") >= 70 and "llvm.coro." not in resume


def test_few_suspensions_are_left_to_llvm(t):
    before, after = modules(t, "coroutine-split", barriers(5))
    assert before == after and "llvm.coro.suspend" in after


# --- order-zeros ------------------------------------------------------------------------------

def reduction(function_name):
    return (f"@kernel\ndef k(x: float32[::1], y: float32[::1], n: int64):\n    v = x[0]\n"
            f"    for i in range(n):\n        v = {function_name}(v, x[i])\n    y[grid(1)] = v\n")


def test_reductions_order_zeros(t):
    for name, intrinsic in (("math.fmin", "minimumnum"), ("math.fmax", "maximumnum")):
        before, after = modules(t, "order-zeros", reduction(name))
        assert calls(before, "llvm.vector.reduce.f") >= 1, name
        assert calls(after, "llvm.vector.reduce.f") == 0, name
        assert calls(after, f"llvm.{intrinsic}") > calls(before, f"llvm.{intrinsic}"), name


def test_sums_stay(t):
    before, after = modules(t, "order-zeros", "@kernel\ndef k(x: int32[::1], n: int64):\n    v = 0\n"
                                              "    for i in range(n):\n        v += x[i]\n    x[0] = v\n")
    assert before == after and "llvm.vector.reduce.add" in after


# --- replace-nans -----------------------------------------------------------------------------

def of_two(left, right):
    return (f"@kernel\ndef k(a: float64[:], b: float64[:], i: int32[:], y: float64[:]):\n"
            f"    for j in range(grid(1), len(y), gridsize(1)):\n"
            f"        y[j] = max({left}, {right})\n")


def test_nans_are_replaced_beside_numbers(t):
    for left, right in (("i[j]", "a[j]"), ("a[j]", "i[j]"), ("abs(a[j])", "b[j]")):
        before, after = modules(t, "replace-nans", of_two(left, right), "-O1")
        assert calls(before, "llvm.maximumnum.f64") >= 1, (left, right)
        assert calls(after, "llvm.maximumnum.f64") == 0, (left, right)
        assert calls(after, "llvm.maximum.f64") >= 1, (left, right)


def test_values_from_memory_keep_maximumnum(t):
    for left, right in (("a[j]", "b[j]"), ("a[j]", "1.5")):
        before, after = modules(t, "replace-nans", of_two(left, right), "-O1")
        assert before == after and calls(after, "llvm.maximumnum.f64") >= 1, (left, right)


def test_without_optimisation(t):
    assert "trip-guard" not in ran(t, "-arch=host", "-O0", "-o", "-", t.write("k.ck", guarded("i < n")))
