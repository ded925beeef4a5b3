# The number of iterations of these loops has a closed form, which LLVM computes in 128 bits: the
# first ones end at a bound that may be the largest integer, and their counters are used afterwards.

#: m = np.zeros((40, 3), np.int64)
#: pairs = [(39, 0), (0, 39), (35, 5), (-1, -40), (7, 7), (-2**63, 2**63 - 1), (2**63 - 1, 9)]
#: a = np.array([first for first, _ in pairs])
#: b = np.array([second for _, second in pairs])
#: y = poison((4, len(pairs)), np.int64)
#: launch up[1, 7](m, a, b, y)
#: launch down[1, 7](m, a, b, y)
#: def counted(first, second, step):
#:     extent, n = len(m[first:second:-1]), 7
#:     v = (second - first + 2**63) % 2**64 - 2**63
#:     while (v <= extent if step > 0 else v >= -extent) and n > 0:
#:         v, n = v + step, n - 1
#:     return v, n
#: want = np.array([(*counted(*pair, 7), *counted(*pair, -5)) for pair in pairs]).T
#: expect y == want
@kernel
def up(m: int64[:, :], a: int64[:], b: int64[:], y: int64[:, :]):
    i = grid(1)
    w = m[a[i]:b[i]:-1]
    v = b[i] - a[i]
    n = 7
    while v <= len(w) and n > 0:
        n -= 1
        v += 7
    y[0, i] = v
    y[1, i] = n

@kernel
def down(m: int64[:, :], a: int64[:], b: int64[:], y: int64[:, :]):
    i = grid(1)
    w = m[a[i]:b[i]:-1]
    v = b[i] - a[i]
    n = 7
    while v >= -len(w) and n > 0:
        n -= 1
        v -= 5
    y[2, i] = v
    y[3, i] = n
