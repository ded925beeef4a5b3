"""count-up: a loop with warp-level reductions counts up, in a register that is not uniform."""

import re

from passes.ir import around, count, function

LOOP = """@kernel
def k(x: int32[::1], n: int64):
    i = grid(1)
    g = tiled_partition(this_thread_block(), 32)
    v = x[i]
    for j in range({loop}):
        v = {step}
    x[i] = v
"""
SUM = "g.reduce(v) ^ int32(j)"


def bodies(t, loop="n", step=SUM, arch="sm_90"):
    return [function(module, "k") for module in around(t, "count-up", LOOP.format(loop=loop, step=step), arch=arch)]


def exit_values(body, which):
    """Phis after the loop that have the counter's next value, or what is compared with it."""
    next_value = re.search(r"(%\d+) = add nuw nsw i\d+ %for.position.0, 8\n", body)[1]
    bound = re.search(rf"icmp uge i\d+ {next_value}, (%[\w.]+)\n", body)
    value = next_value if which == "next" else bound[1]
    return count(body, rf"^  %\S+ = phi i\d+ \[ {value}, %for.body \]$")


def test_tests_and_exit_values(t):
    for loop in ("n", "2, n"):
        for step in (SUM, "g.reduce(v + int32(i), greater) ^ int32(j)"):
            before, after = bodies(t, loop=loop, step=step)
            equal, order = r"icmp eq i\d+ %niter[^\n]*\n[^\n]*, !llvm.loop", r"icmp uge i\d+ %[^\n]*\n[^\n]*, !llvm.loop"
            assert (count(before, equal), count(before, order)) == (1, 0), (loop, before)
            assert (count(after, equal), count(after, order)) == (0, 1), (loop, after)
            assert (exit_values(before, "next"), exit_values(after, "next"), exit_values(after, "bound")) == (1, 0, 1), (loop, after)


def test_loops_that_stay(t):
    """Without a reduction, by shuffles, with a step that is no constant, and not unrolled."""
    for loop, step, arch in (("n", "v + x[j]", "sm_90"), ("n", "g.shfl(v, 3) ^ int32(j)", "sm_90"),
                             ("n", SUM, "sm_75"), ("0, n, x[1]", SUM, "sm_90"), ("n, 0, -1", SUM, "sm_90"),
                             ("n", "coalesced_threads().reduce(v) ^ int32(j)", "sm_90")):
        before, after = bodies(t, loop=loop, step=step, arch=arch)
        assert before == after, (loop, step, arch)


def test_one_counter_in_ptx(t):
    """It is compared with a bound, from below, and its last value is not used."""
    for options in (("--small-version=none",), ("-small", "-natural")):
        text = t.ok([t.ckc, "-arch=sm_90", *options, "-o", "-", t.write("k.ck", LOOP.format(loop="n", step=SUM))]).out
        body = re.search(r'\n(\$L__BB\d+_\d+):(?:(?!\n\$L).)*redux(?:(?!\n\$L).)*bra[^\n]*\1;', text, re.S)[0]
        test = re.search(r"setp\.(\w+)\.[bsu](?:32|64) \t%p\d+, (%\w+), (%\w+);\n[^\n]*bra", body)
        assert test and test[1] in ("lt", "gt"), body
        assert not re.search(r"add\.s\d+ \t(%\w+), \1, -", body), body
