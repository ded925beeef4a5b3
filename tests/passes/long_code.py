"""cut-long-blocks: a back end sees no basic block of very many instructions."""

from passes.ir import around, count, function, ran


def longest_block(body):
    longest = n = 0
    for line in body.splitlines():
        n = n + 1 if line.startswith("  ") else 0
        longest = max(longest, n)
    return longest


def program(n):
    return ("@kernel\ndef k(x: int64[::1], n: int64):\n    v = n\n" +
            "".join(f"    v = v * x[{i}] + {i}\n" for i in range(n)) + "    x[0] = v\n")


def test_long_blocks_are_cut(t):
    for arch, name in (("sm_90", "k"), ("host", "k.block")):
        before, after = (function(text, name) for text in around(t, "cut-long-blocks", program(4000), arch=arch))
        assert longest_block(before) > 8000, arch
        assert longest_block(after) < 600, (arch, longest_block(after))
        operations = r" = (mul|add|load|getelementptr)"
        assert count(after, operations) == count(before, operations), arch


def test_many_sums_of_a_term(t):
    """The back end would take cubic time. An unrolled loop has fewer."""
    for sums, is_linear in ((60, False), (63, False), (65, True)):
        text = "@kernel\ndef k(x: int32[::1], i: int32):\n    s = x[0]\n" + "".join(
            f"    s = shfl_xor_sync(0xffffffff, s ^ (i + x[{3 * k + 1}]), {k % 31 + 1})\n" for k in range(sums))
        names = ran(t, "-arch=sm_90", "-o", "-", t.write("k.ck", text + "    x[grid(1)] = s\n"))
        assert ("cut-long-blocks" in names) == is_linear, (sums, names)
