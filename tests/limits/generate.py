"""Programs of any length, for what compiling costs as they grow. No tests here: see scaling.py.

    python3 tests/limits/generate.py KIND LINES > program.ck
"""

import sys

HEAD = "# {kind}, about {lines} lines\nfrom numba import cuda\n\n"


def functions(lines):
    """Many small device functions, ten to a kernel that calls them: kernels of one length, so that
    what one costs does not grow with the program."""
    n = max(1, lines // 8 // 10) * 10
    out = []
    for k in range(n):
        out += [f"def f{k}(x, y):", f"    a{k} = x * {k % 90 + 1} + y", "    if a%d > y:" % k,
                f"        a{k} = a{k} - {k % 50}", f"    return a{k}", ""]
    for k in range(0, n, 10):
        out += ["@cuda.jit('void(int32[::1])')", f"def kernel{k}(p):", "    i = cuda.grid(1)"]
        out += [f"    p[i] += f{j}(p[i], i)" for j in range(k, k + 10)]
        out += [""]
    return out


def kernels(lines):
    """Many kernels of ten lines."""
    out = []
    for k in range(max(1, lines // 10)):
        out += ["@kernel", f"def k{k}(x: float32[::1], y: float32[::1], n: int32):",
                "    i = cuda.grid(1)", f"    total = float32({k})", "    for j in range(n):",
                "        if x[i] > y[j]:", "            total += x[i]", "    if i < n:",
                "        y[i] = total", ""]
    return out


def long_function(lines):
    """One function of many names, branches and loops."""
    out = ["@kernel", "def long(x: int32[::1], n: int32):", "    i = cuda.grid(1)", "    v0 = n"]
    for k in range(1, max(2, lines // 8)):
        out += [f"    v{k} = x[i] + v{k - 1}", f"    if v{k} > {k}:", f"        v{k} -= 3",
                "    else:", f"        x[i] = v{k}", "    for j in range(3):",
                f"        v{k} += j", f"    x[i + {k}] = v{k}"]
    return out


def nested(lines):
    """Functions of loops and branches nested as deep as is usual, and a few far deeper."""
    out = []
    count = 0
    while len(out) < lines:
        depth = 20 if count % 10 == 0 else 6
        out += ["@kernel", f"def n{count}(x: int32[::1], n: int32):", "    t = 0"]
        for d in range(depth):
            pad = "    " * (d + 1)
            out += [f"{pad}for i{d} in range(n):" if d % 2 else f"{pad}if x[{d}] > n:",
                    f"{pad}    t += x[{d}]"]
        out += ["    x[0] = t", ""]
        count += 1
    return out


def loops(lines):
    """One function of loops in loops: many in a row, many names that they change, exits of each,
    and arrays bound anew."""
    out = ["@kernel", "def loops(x: int32[::1], y: int32[::1], n: int32):", "    a = x", "    b = y"]
    out += ["    " * (d + 1) + f"for i{d} in range(n):" for d in range(3)]
    body = []
    for k in range(max(1, lines // 10)):
        body += [f"v{k} = a[i2] + {k}", f"w{k} = 0", f"for j in range(v{k}):", f"    v{k} += x[j]",
                 f"    if v{k} == {k}:", "        break", f"    w{k} = v{k}", f"if x[i0] == w{k}:",
                 "    " + ("break" if k % 2 else "continue"), "a, b = b, a"]
    return out + ["    " * 4 + line for line in body]


def expressions(lines):
    """Long expressions and constants."""
    out = [f"C{k} = {k} * 2 + 1" for k in range(max(1, lines // 2))]
    for k in range(0, max(1, lines // 2), 50):
        out += ["@kernel", f"def e{k}(x: float32[::1]):", "    x[0] = (x[1]"]
        out += [f"        + x[{j % 7}] * (C{j} - x[{j % 5}])"
                for j in range(k, min(k + 50, lines // 2))]
        out += ["        )", ""]
    return out


def barriers(n):
    """One kernel of n barriers, whose sum goes on from each to the next; scaling.py computes the
    same."""
    out = ["@kernel", "def barriers(x: int32[::1]):", "    s = shared.array(64, int32)", "    t = threadIdx.x",
           "    a = x[t]"]
    for k in range(n // 2):
        out += [f"    s[t] = a + {k}", "    syncthreads()", f"    a += s[(t + {k % 31 + 1}) % 64]", "    syncthreads()"]
    return out + ["    x[t] = a"]


def loops_in_a_row(n):
    """One kernel of n loops, one after the other: x[i] becomes sum(y[:n]) * (1 + 2 + ...)."""
    out = ["@kernel", "def loops_in_a_row(x: int64[::1], y: int64[::1], n: int64):", "    i = grid(1)",
           "    a = int64(0)"]
    for k in range(n):
        out += [f"    for j{k} in range(n):", f"        a += y[j{k}] * {k + 1}"]
    return out + ["    x[i] = a"]


COLLECTIVES = ["block.reduce(a)", "block.inclusive_scan(a)", "tile.reduce(a)", "tile.exclusive_scan(a)",
               "tile.shfl_down(a, 3)"]


def collectives(n):
    """One kernel of n operations of groups, each of the result of the one before; scaling.py
    computes the same."""
    out = ["@kernel", "def collectives(x: int32[::1]):", "    block = this_thread_block()",
           "    tile = tiled_partition(block, 16)", "    t = int32(block.thread_rank())", "    a = x[t]"]
    out += [f"    a = {COLLECTIVES[k % len(COLLECTIVES)]} * {k % 7 + 1} + t" for k in range(n)]
    return out + ["    x[t] = a"]


def calls_of_loops(n):
    """n functions of 60 loops in each other; the innermost calls the next function. With count 1
    the last adds x[0], and each 1."""
    out = []
    for k in range(n):
        out += [f"def f{k}(x, count):", "    total = count"]
        out += ["    " * (d + 1) + f"for i{d} in range(count):" for d in range(60)]
        out += ["    " * 61 + (f"total += f{k - 1}(x, count)" if k else "total += x[0]"), "    return total"]
    return out + ["@kernel", "def calls_of_loops(x: int64[::1], count: int64):", f"    x[1] = f{n - 1}(x, count)"]


def calls_of_one(n):
    """n calls of one function, which is long."""
    out = ["def f(x, a):"]
    for k in range(60):
        out += [f"    if a > {k}:", f"        a = a * {k + 3} + x[{k}]"]
    out += ["    return a", "@kernel", "def calls_of_one(x: int64[::1]):", "    a = x[grid(1)]"]
    return out + [f"    a ^= f(x, a + {k})" for k in range(n)] + ["    x[grid(1)] = a"]


def statements(n):
    """One kernel of n statements without a branch; scaling.py computes the same."""
    out = ["@kernel", "def statements(x: int32[::1]):", "    a = x[grid(1)]"]
    for k in range(n):
        out += [f"    v{k} = a * {k % 90 + 3} + (a >> {k % 13})", f"    a ^= v{k} & {k % 5000}"]
    return out + ["    x[grid(1)] = a"]


def sums(n):
    """n functions, each called once, whose results are sums with the same term."""
    out = []
    for k in range(n):
        out += [f"def f{k}(p, q):", "    if p > q:", f"        return p * {k + 1} + q", "    return q - p"]
    out += ["@kernel", "def sums(x: int32[::1], n: int32):", "    a = x[grid(1)]"]
    return out + [f"    a += f{k}(a, n)" for k in range(n)] + ["    x[grid(1)] = a"]


# By the number of what they have, not by lines.
REPEATED = {"barriers": barriers, "loops_in_a_row": loops_in_a_row, "collectives": collectives,
            "calls_of_loops": calls_of_loops, "calls_of_one": calls_of_one, "statements": statements, "sums": sums}

KINDS = {"functions": functions, "kernels": kernels, "long_function": long_function,
         "nested": nested, "loops": loops, "expressions": expressions}


def program(kind, lines):
    """(text, its number of lines)."""
    body = KINDS[kind](lines)
    return HEAD.format(kind=kind, lines=lines) + "\n".join(body) + "\n", len(body) + 3


if __name__ == "__main__":
    sys.stdout.write(program(sys.argv[1], int(sys.argv[2]))[0])
